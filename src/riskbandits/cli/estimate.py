"""What a simulation would cost, from a short run of each policy."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from riskbandits.simulation.kernel import SUMS
from riskbandits.simulation.plan import history_cells
from riskbandits.simulation.runner import Job, run_jobs, usable_cores

TRIAL_SECONDS = 0.2
TRIAL_STEPS = 1000
BASE_MEGABYTES = 200  # Python, NumPy, numba and pandas


def estimate(jobs: Sequence[Job], workers: int | None) -> dict[str, Any]:
    """A description of the jobs, with the seconds and megabytes they would take."""
    workers = workers or usable_cores()
    seconds = sum(_seconds_per_step(job) * job.runs * int(job.checkpoints[-1]) for job in jobs)
    numbers = sum(job.runs * (len(job.checkpoints) * SUMS + 2 * job.problem.size) for job in jobs)
    numbers += workers * max(history_cells(job) for job in jobs)
    first = jobs[0]
    return {
        "problem": repr(first.problem),
        "policies": [{"label": job.label, "method": job.method} for job in jobs],
        "horizon": int(first.checkpoints[-1]),
        "runs": first.runs,
        "seed": first.seed,
        "checkpoints": len(first.checkpoints),
        "steps": sum(job.runs * int(job.checkpoints[-1]) for job in jobs),
        "workers": workers,
        "seconds": round(seconds / workers, 3),
        "megabytes": round(BASE_MEGABYTES + 8 * numbers / 1e6, 1),
    }


def _seconds_per_step(job: Job) -> float:
    """Measured on runs that grow until they take long enough to be reliable."""
    steps = min(TRIAL_STEPS, int(job.checkpoints[-1]))
    while True:
        trial = job.replace(checkpoints=np.array([steps], dtype=np.int64), runs=1)
        run_jobs([trial], 1)  # compiles, the first time
        started = time.perf_counter()
        run_jobs([trial], 1)
        elapsed = time.perf_counter() - started
        if elapsed > TRIAL_SECONDS or steps >= job.checkpoints[-1]:
            return elapsed / steps
        steps = min(steps * 4, int(job.checkpoints[-1]))
