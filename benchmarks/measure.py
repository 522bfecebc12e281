"""Time per run and step of one kernel, measured on the calling thread."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from riskbandits import compiled, records, seeds
from riskbandits.arms.contract import new_memory
from riskbandits.policies import contract
from riskbandits.problem import Problem
from riskbandits.simulation import kernel, runner
from riskbandits.simulation.methods import KERNELS

NANOSECONDS = 1e9
WARM_UP = 3_000


def one_run(policy: Any, problem: Problem, method: str, horizon: int) -> Callable[[int], float]:
    """A function that plays one replication and returns nanoseconds per step, of this thread's processor time."""
    classes = tuple(one for record in (policy, problem.risk, problem.arms) for one in records.classes_of(record))
    play = compiled.entry(KERNELS[method], classes)
    facts = runner.arm_facts(problem)
    size = problem.size

    def go(replication: int, steps: int = horizon) -> float:
        choice_rng, reward_rng = seeds.streams(1, policy, problem, replication)
        arguments = (
            policy,
            problem.risk,
            problem.arms,
            facts,
            float(problem.means[problem.best_arm]),
            contract.first_pulls(policy),
            np.zeros((size, contract.width(policy))),
            contract.new_run(horizon),
            np.array([steps]),
            choice_rng,
            reward_rng,
            np.zeros((1, kernel.SUMS)),
            np.zeros(size, dtype=np.int64),
            np.zeros(size),
            np.zeros(size, dtype=np.int64),
            new_memory(size),
            np.zeros(1, dtype=np.int64),
            np.zeros(1, dtype=np.int64),
        )
        start = time.thread_time()
        play(*arguments)
        return (time.thread_time() - start) / steps * NANOSECONDS

    go(0, min(horizon, WARM_UP))  # compiles
    return go


def draw_rewards(arms: Any, k: int, steps: int, rng: Any) -> float:
    """The floor: the rewards alone."""
    total = 0.0
    for _ in range(steps):
        total += arms.draw(k, rng)
    return total


def floor(problem: Problem, steps: int) -> Callable[[int], float]:
    """As `one_run`, for drawing the rewards and nothing else."""
    play = compiled.entry(draw_rewards, records.classes_of(problem.arms))

    def go(replication: int) -> float:
        rng = np.random.default_rng(replication)
        start = time.thread_time()
        play(problem.arms, problem.best_arm, steps, rng)
        return (time.thread_time() - start) / steps * NANOSECONDS

    go(0)
    return go
