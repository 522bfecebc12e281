"""The rival: the policies written in NumPy, vectorised over runs, as well as one can.

All runs advance together; per step one call draws all scores, one argmax chooses, and the moments of the chosen
arms are updated in place. Nothing is kept that a result does not need: pulls per run and arm.
"""

import time
from collections.abc import Callable

import numpy as np

from riskbandits.problem import Problem

NANOSECONDS = 1e9


class Gaussian:
    """Moments per run and arm, in the middle of a run: gammas of shape 1, at its beginning, are drawn faster."""

    def __init__(self, problem: Problem, runs: int, rng: np.random.Generator) -> None:
        self.rng, self.rho = rng, problem.risk.rho
        self.means, self.deviations = problem.means, np.sqrt(problem.variances)
        self.rows = np.arange(runs)
        self.count = rng.integers(5, 500, (runs, problem.size)).astype(float)
        self.mean = rng.normal(self.means, self.deviations / np.sqrt(self.count))
        self.squares = self.count * problem.variances

    def theta(self) -> np.ndarray:
        draws = self.rng.standard_normal(self.mean.shape)
        draws /= np.sqrt(self.count)
        draws += self.mean
        return draws

    def variance(self) -> np.ndarray:
        return (0.5 + 0.5 * self.squares) / self.rng.standard_gamma(0.5 + 0.5 * self.count)

    def learn(self, k: np.ndarray) -> None:
        reward = self.rng.standard_normal(len(k)) * self.deviations[k] + self.means[k]
        at = (self.rows, k)
        count = self.count[at]
        deviation = reward - self.mean[at]
        self.squares[at] += count / (count + 1.0) * deviation * deviation
        self.mean[at] += deviation / (count + 1.0)
        self.count[at] = count + 1.0

    def scores(self, policy: str, step: int) -> np.ndarray:
        if policy == "MVTS":
            return self.rho * self.theta() - self.variance()
        if policy == "MTS":
            return self.rho * self.theta() - self.squares / self.count
        if policy == "VTS":
            return self.rho * self.mean - self.variance()
        bonus = np.sqrt(1.5 * np.log(step) / self.count)
        return self.rho * self.mean - self.squares / self.count + (2.0 + self.rho) * bonus


class Bernoulli:
    """Successes and failures per run and arm, in the middle of a run."""

    def __init__(self, problem: Problem, runs: int, rng: np.random.Generator) -> None:
        self.rng, self.rho, self.probabilities = rng, problem.risk.rho, problem.means
        self.rows = np.arange(runs)
        pulls = rng.integers(5, 500, (runs, problem.size))
        self.successes = 1.0 + rng.binomial(pulls, self.probabilities)
        self.failures = 2.0 + pulls - self.successes

    def scores(self, policy: str, step: int) -> np.ndarray:
        theta = self.rng.beta(self.successes, self.failures)
        return self.rho * theta - theta * (1.0 - theta)

    def learn(self, k: np.ndarray) -> None:
        success = self.rng.random(len(k)) < self.probabilities[k]
        self.successes[self.rows, k] += success
        self.failures[self.rows, k] += ~success


def batch(policy: str, problem: Problem, runs: int, steps: int) -> Callable[[int], float]:
    """A function that advances all runs by some steps and returns nanoseconds per run and step."""
    kind = Bernoulli if policy == "BMVTS" else Gaussian

    def go(seed: int) -> float:
        world = kind(problem, runs, np.random.default_rng(seed))
        start = time.thread_time()
        for step in range(problem.size + 1, problem.size + 1 + steps):
            world.learn(world.scores(policy, step).argmax(axis=1))
        return (time.thread_time() - start) / (steps * runs) * NANOSECONDS

    return go
