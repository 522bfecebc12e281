"""Launches: a batch on the GPU from its first step to its last, a part of the horizon at a time."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from riskbandits.compiling import cuda, gpu, jit
from riskbandits.core.errors import ScoresError
from riskbandits.policies import cells as run_cells
from riskbandits.simulation import kernel
from riskbandits.simulation.cuda import random_streams
from riskbandits.simulation.cuda.batches import BatchPlan, Part, fields_of_job, host_arrays, zero_shapes
from riskbandits.simulation.cuda.record_columns import rebuilder
from riskbandits.simulation.cuda.thread import STREAM_OF, Batch, thread_body
from riskbandits.simulation.job import Job, Piece, Runs

BLOCK = 128  # threads of a block; with fewer runs than fill the GPU, smaller ones spread better
SMALL_BLOCK = 32
RUNS_FOR_WHOLE_BLOCKS = 50_000
# A launch cannot be interrupted: it should be long enough to cost nothing, and short enough to wait for.
SECONDS_PER_LAUNCH = 1.0
SCORES_OF_FIRST_LAUNCH = 20_000
LARGEST_GROWTH = 64.0


@functools.cache
def device_kernel(source: str, classes: tuple[type, ...], precision: str) -> Any:
    """The kernel for records of these classes."""
    body = thread_body(rebuilder(source, classes), STREAM_OF[precision])
    return cuda.Kernel(body, precision, random_streams.WORDS, run_cells.RUN_CELLS)


def compiled_for_device(job: Job) -> Any:
    """The kernel for a job, compiled now by playing no step of one run: an error then appears before anything runs."""
    gpu.check_device()
    names = " and ".join(type(record).__name__ for record in (job.problem.risk, job.problem.arms))
    nothing = job.replace(runs=1)
    with jit.explaining(f"{job.label} with {names} cannot run on a GPU: it"):
        batch = DeviceBatch([nothing], BatchPlan({0: fields_of_job(nothing)}, [Part(0, Piece(0, 0, 1))]))
        batch.launch(0)
        gpu.synchronize()
    return batch.kernel


class DeviceBatch:
    """One batch with its arrays, its kernel and its queue of launches."""

    def __init__(self, jobs: Sequence[Job], plan: BatchPlan) -> None:
        self.jobs, self.plan = jobs, plan
        self.job = jobs[plan.parts[0].piece.job]
        self.step = 0
        precision = self.job.played_by.precision or "float64"
        number = cuda.PRECISIONS[precision]
        fields = next(iter(plan.fields.values()))
        self.kernel = device_kernel(fields.source, fields.classes, precision)
        arrays = {name: gpu.to_device(array) for name, array in host_arrays(jobs, plan, number).items()}
        for name, (shape, kind) in zero_shapes(jobs, plan, number).items():
            arrays[name] = gpu.zeros(shape, kind)
        self.batch = Batch(**arrays)
        self.stream = gpu.stream()
        gpu.synchronize()  # arrays are filled in another queue than the one they are used in
        self.block = BLOCK if plan.runs >= RUNS_FOR_WHOLE_BLOCKS else SMALL_BLOCK

    @property
    def finished(self) -> bool:
        """Whether all steps are played."""
        return self.step >= self.job.horizon

    @property
    def steps_done(self) -> int:
        """The steps of all runs together."""
        return self.step * self.plan.runs

    def launch(self, steps: int) -> None:
        """Play on for a number of steps."""
        end = min(self.job.horizon, self.step + steps)
        self.kernel.launch(self.plan.runs, self.block, self.stream, self.batch, self.step, end)
        self.step = end

    def check(self) -> None:
        """Raise if a policy could choose no arm."""
        endings = gpu.to_host(self.batch.endings)
        stuck = np.flatnonzero(endings == kernel.ALL_SCORES_NAN)
        if len(stuck):
            step = int(gpu.to_host(self.batch.cells)[run_cells.STEP, stuck[0]])
            raise ScoresError.at(self._job_of(int(stuck[0])).label, step)

    def results(self) -> list[tuple[Part, Runs]]:
        """The numbers of every part of the batch."""
        sums = gpu.to_host(self.batch.sums)
        pulls = np.ascontiguousarray(gpu.to_host(self.batch.pulls).T)
        reward_sums = np.ascontiguousarray(gpu.to_host(self.batch.reward_sums).T)
        found, row = [], 0
        for part in self.plan.parts:
            rows = slice(row, row + part.piece.last - part.piece.first)
            found.append((part, Runs(sums[rows], pulls[rows], reward_sums[rows])))
            row = rows.stop
        return found

    def _job_of(self, run: int) -> Job:
        for part in self.plan.parts:
            run -= part.piece.last - part.piece.first
            if run < 0:
                return self.jobs[part.piece.job]
        return self.job


def run_batches(batches: Sequence[DeviceBatch], stopped: Callable[[], bool], booked: Callable[[int], None]) -> bool:
    """Play batches side by side to their ends; say whether they got there.

    `booked` is told the steps done after every round of launches. The arrays keep all that a run remembers,
    so where the horizon is cut changes nothing.
    """
    steps = max(1, SCORES_OF_FIRST_LAUNCH // max(batch.job.problem.size for batch in batches))
    while active := [batch for batch in batches if not batch.finished]:
        if stopped():
            return False
        started = time.perf_counter()
        for batch in active:
            batch.launch(steps)
        gpu.synchronize()
        pace = SECONDS_PER_LAUNCH / max(time.perf_counter() - started, 1e-6)
        steps = max(1, int(steps * min(LARGEST_GROWTH, pace)))
        booked(sum(batch.steps_done for batch in batches))
        for batch in active:
            batch.check()
    return True
