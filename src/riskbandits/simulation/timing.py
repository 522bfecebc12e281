"""What a step of a job costs: nanoseconds of this thread's processor time, jobs taken in turn."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from riskbandits.simulation.replications import compiled_kernel, no_signals, play_range
from riskbandits.simulation.runner import Job

ROUNDS = 7
STEPS = 10_000


def paces(jobs: Sequence[Job], rounds: int = ROUNDS, steps: int = STEPS) -> np.ndarray:
    """Nanoseconds per step, (rounds, jobs). In each round every job plays one run, so that a busy machine is fair."""
    short = [job.replace(checkpoints=np.array([steps]), runs=1) for job in jobs]
    plays = [compiled_kernel(job) for job in short]
    measured = np.zeros((rounds, len(jobs)))
    for replication in range(-1, rounds):  # the first round warms up
        for number, (job, play) in enumerate(zip(short, plays, strict=True)):
            started = time.thread_time()
            play_range(job, play, replication + 1, replication + 2, *no_signals())
            elapsed = time.thread_time() - started
            if replication >= 0:
                measured[replication, number] = 1e9 * elapsed / steps
    return measured
