"""Time per run and step of one kernel, measured on the calling thread."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from riskbandits.compiling import jit
from riskbandits.core import records
from riskbandits.problem import Problem
from riskbandits.simulation.job import Job, empty_runs
from riskbandits.simulation.replications import arguments_of, compiled_kernel, no_signals

NANOSECONDS = 1e9
WARM_UP = 3_000


def one_run(policy: Any, problem: Problem, method: str, horizon: int) -> Callable[[int], float]:
    """A function that plays one replication and returns nanoseconds per step, of this thread's processor time."""
    job = Job("", policy, problem, np.array([horizon]), 1, 1, method)
    play = compiled_kernel(job)

    def go(replication: int, steps: int = horizon) -> float:
        short = job.replace(checkpoints=np.array([steps]))
        runs = empty_runs(short, 1)
        _, arguments = arguments_of(short, runs)(replication, 0)
        start = time.thread_time()
        play(*arguments, *no_signals())
        return (time.thread_time() - start) / steps * NANOSECONDS

    go(0, min(horizon, WARM_UP))
    return go


def draw_rewards(arms: Any, k: int, steps: int, rng: Any) -> float:
    """The floor: the rewards alone."""
    total = 0.0
    for _ in range(steps):
        total += arms.draw(k, rng)
    return total


def floor(problem: Problem, steps: int) -> Callable[[int], float]:
    """As `one_run`, for drawing the rewards and nothing else."""
    play = jit.entry(draw_rewards, records.classes_of(problem.arms))

    def go(replication: int) -> float:
        rng = np.random.default_rng(replication)
        start = time.thread_time()
        play(problem.arms, problem.best_arm, steps, rng)
        return (time.thread_time() - start) / steps * NANOSECONDS

    go(0)
    return go
