"""The plan of the work: whether memory will do, and how runs are cut into blocks and pieces.

Blocks are what a store keeps; pieces of blocks keep all cores busy to the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from riskbandits.core.memory import refuse_beyond
from riskbandits.numerics import history
from riskbandits.policies.support.contract import history_entries
from riskbandits.simulation import kernel
from riskbandits.simulation.delayed import BYTES_PER_PLACE
from riskbandits.simulation.job import Job, Piece

PIECES_PER_WORKER = 32


def check_memory(jobs: Sequence[Job], workers: int) -> None:
    """Raise if the jobs' results, and what the runs in progress keep, are more than this machine holds."""
    kept = sum(8 * job.runs * (len(job.checkpoints) * kernel.SUMS + 2 * job.problem.size) for job in jobs)
    in_progress = [min(workers, job.runs) * (8 * history_cells(job) + pending_bytes(job)) for job in jobs]
    runs, horizon = max(job.runs for job in jobs), max(job.horizon for job in jobs)
    advice = "ask for fewer runs or checkpoints" if kept > max(in_progress) else "ask for fewer steps or threads"
    refuse_beyond(kept + max(in_progress), f"{runs} runs of {horizon} steps", advice)


def history_cells(job: Job) -> int:
    """What a run in progress keeps of its rewards, if the policy wants them all."""
    entries = history_entries(job.policy)
    return history.cells(job.problem.size, entries, job.horizon) if entries else 0


def pending_bytes(job: Job) -> int:
    """The memory of a run's pending rewards."""
    return BYTES_PER_PLACE * job.delay.places(job.horizon) if job.delay is not None else 0


def scores_per_run(job: Job) -> int:
    """A rough measure of the work in one run."""
    return job.played_by.scores_per_run(job.problem.size, job.horizon)


def block_size(job: Job) -> int:
    """Replications per block."""
    return job.played_by.block_size(job.problem.size, job.horizon)


def blocks(job: Job, missing: np.ndarray) -> list[tuple[int, int]]:
    """The missing replications as ranges that do not cross the borders of blocks."""
    size = block_size(job)
    return [
        (block + first, block + last)
        for block in range(0, job.runs, size)
        for first, last in ranges(missing[block : block + size])
    ]


def pieces(
    jobs: Sequence[Job], missing: Sequence[np.ndarray], workers: int, pieces_per_worker: int = PIECES_PER_WORKER
) -> list[Piece]:
    """All missing work, the largest pieces first: whatever runs last is then short.

    The pieces of a block stay together: a block can be stored when its last piece is there.
    """
    work = [(number, job, scores_per_run(job)) for number, job in enumerate(jobs)]
    total = sum(int(missing[number].sum()) * scores for number, _, scores in work)
    share = total / (workers * pieces_per_worker)
    groups = []
    for number, job, scores in work:
        size = max(1, int(share // scores))
        for first, last in blocks(job, missing[number]):
            count = -(-(last - first) // size)
            edges = [first + (last - first) * k // count for k in range(count + 1)]
            group = [Piece(number, start, end) for start, end in pairwise(edges)]
            groups.append((scores * (last - first) / count, group))
    groups.sort(key=lambda entry: -entry[0])
    return [piece for _, group in groups for piece in group]


def ranges(mask: np.ndarray) -> list[tuple[int, int]]:
    """The runs of True in a mask, as (first, one past the last).

    >>> ranges(np.array([True, True, False, True]))
    [(0, 2), (3, 4)]
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [(int(first), int(last)) for first, last in zip(edges[::2], edges[1::2], strict=True)]
