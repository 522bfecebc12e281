"""Batches: pieces of jobs whose records are of the same classes, laid out as the arrays of one launch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from riskbandits.core.errors import EngineError
from riskbandits.core.records import digest
from riskbandits.policies import cells as run_cells
from riskbandits.policies.support import contract
from riskbandits.simulation import kernel
from riskbandits.simulation.cuda import random_streams
from riskbandits.simulation.cuda.record_columns import Fields, columns, fields_of
from riskbandits.simulation.job import Job, Piece, arm_facts

CELL = 8  # bytes
# What a driver, kernels and other batches may need besides.
SHARE_OF_MEMORY = 0.8


class Part(NamedTuple):
    """Replications `first` to `last` - 1 of a piece: a batch holds parts of pieces if memory is short."""

    number: int  # of the piece
    piece: Piece


class BatchPlan(NamedTuple):
    """A batch before anything is allocated."""

    fields: dict[int, Fields]  # by number of the job
    parts: list[Part]

    @property
    def runs(self) -> int:
        """How many threads it needs."""
        return sum(part.piece.last - part.piece.first for part in self.parts)


def fields_of_job(job: Job) -> Fields:
    """A job's records, taken apart."""
    return fields_of(job.policy, job.problem.risk, job.problem.arms)


def grouped(jobs: Sequence[Job], pieces: Sequence[Piece]) -> list[BatchPlan]:
    """Pieces that can run in one launch, together: the same kernel, and arrays of the same shapes."""
    fields = [fields_of_job(job) for job in jobs]
    groups: dict[Any, BatchPlan] = {}
    for number, piece in enumerate(pieces):
        job, parts = jobs[piece.job], fields[piece.job]
        shape = (job.problem.size, contract.width(job.policy), job.checkpoints.tobytes())
        key = (parts.source, parts.classes, parts.lengths, *shape)
        plan = groups.setdefault(key, BatchPlan({}, []))
        plan.fields[piece.job] = parts
        plan.parts.append(Part(number, piece))
    return list(groups.values())


def fitting_groups(jobs: Sequence[Job], plans: Sequence[BatchPlan], memory: float) -> list[list[BatchPlan]]:
    """Plans that fit into the memory together, cut where one alone would not."""
    found: list[list[BatchPlan]] = [[]]
    left = memory * SHARE_OF_MEMORY
    for plan in plans:
        size = bytes_per_run(jobs[plan.parts[0].piece.job])
        if size > memory * SHARE_OF_MEMORY:
            raise EngineError(
                f"One run of {jobs[plan.parts[0].piece.job].label} needs more memory than the GPU has left."
            )
        waiting = list(plan.parts)
        while waiting:
            fitting = int(left // size)
            taken: list[Part] = []
            while waiting and fitting > 0:
                number, piece = waiting.pop(0)
                last = min(piece.last, piece.first + fitting)
                taken.append(Part(number, piece._replace(last=last)))
                fitting -= last - piece.first
                if last < piece.last:
                    waiting.insert(0, Part(number, piece._replace(first=last)))
            if taken:
                found[-1].append(BatchPlan(plan.fields, taken))
                left -= found[-1][-1].runs * size
            if waiting:
                found.append([])
                left = memory * SHARE_OF_MEMORY
    return [group for group in found if group]


def bytes_per_run(job: Job) -> int:
    """The memory of one run on the device."""
    per_arm = contract.width(job.policy) + 2  # the state, pulls and reward sums
    numbers = job.problem.size * per_arm + len(job.checkpoints) * kernel.SUMS + run_cells.RUN_CELLS
    return CELL * (numbers + random_streams.STREAMS * random_streams.WORDS + 2)


def host_arrays(jobs: Sequence[Job], plan: BatchPlan, number: Any) -> dict[str, np.ndarray]:
    """The arrays of a batch that are not all zeros; `number` is the type of the policy's numbers."""
    order = sorted(plan.fields)
    involved = [jobs[number_of_job] for number_of_job in order]
    rows = {number_of_job: row for row, number_of_job in enumerate(order)}
    runs = [np.arange(part.piece.first, part.piece.last) for part in plan.parts]
    pairs = list(zip(plan.parts, runs, strict=True))
    words = [
        random_streams.initial_words(job.seed, digest(job.policy, job.problem.arms, job.problem.risk), replications)
        for part, replications in pairs
        for job in [jobs[part.piece.job]]
    ]
    cells = np.zeros((run_cells.RUN_CELLS, plan.runs), dtype=number)
    cells[:] = contract.new_run(involved[0].horizon)[:, np.newaxis]
    return {
        **columns([plan.fields[number_of_job] for number_of_job in order], number),
        "first_pulls": np.array([contract.first_pulls(job.policy) for job in involved], dtype=np.int64),
        "facts": np.stack([arm_facts(job.problem)[0] for job in involved]),
        "best_means": np.stack([arm_facts(job.problem)[1] for job in involved]),
        "ends": np.array([job.checkpoints[-1:] for job in involved]),
        "checkpoints": involved[0].checkpoints,
        "jobs": np.concatenate([np.full(len(one), rows[part.piece.job]) for part, one in pairs]),
        "words": np.concatenate(words, axis=1),
        "cells": cells,
    }


def zero_shapes(jobs: Sequence[Job], plan: BatchPlan, number: Any) -> dict[str, tuple[tuple[int, ...], Any]]:
    """The shapes and types of the arrays that start as zeros."""
    job = jobs[plan.parts[0].piece.job]
    size, runs = job.problem.size, plan.runs
    return {
        "zeros": ((size,), np.int64),
        "endings": ((runs,), np.int64),
        "states": ((size, contract.width(job.policy), runs), number),
        "pulls": ((size, runs), np.int64),
        "reward_sums": ((size, runs), np.float64),
        "sums": ((runs, len(job.checkpoints), kernel.SUMS), np.float64),
    }
