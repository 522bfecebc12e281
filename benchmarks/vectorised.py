"""The rival: the policies written in NumPy, vectorised over runs, as well as one can.

All runs advance together, from their first step to their last. Per step one call each draws all normals and all
gammas, into arrays made once; one argmax chooses; and what scores need (counts, square roots, shapes, rates) is
updated in place for the arms played. Nothing is kept that a result does not need: pulls per run and arm.
"""

import time
from typing import Any

import numpy as np

from riskbandits.problem import Problem

NANOSECONDS = 1e9


class Gaussian:
    """Moments per run and arm, and the scores of MVTS, MTS, VTS and MVLCB."""

    def __init__(self, policy: str, problem: Problem, runs: int, rng: np.random.Generator) -> None:
        shape = (runs, problem.size)
        self.policy, self.rng, self.rho = policy, rng, problem.risk.rho
        self.means, self.deviations = problem.means, np.sqrt(problem.variances)
        self.starts = np.arange(runs) * problem.size
        self.count, self.mean, self.squares = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        self.centre, self.noise, self.alpha, self.beta = (np.zeros(shape) for _ in range(4))
        self.drawn, self.scored = np.zeros(shape), np.zeros(shape)
        self.forced = problem.size

    def scores(self, step: int) -> np.ndarray:
        """The scores of all arms in all runs."""
        if self.policy == "MVLCB":
            np.multiply(self.noise, (2.0 + self.rho) * np.sqrt(1.5 * np.log(step)), out=self.scored)
            return np.add(self.scored, self.centre, out=self.scored)
        if self.policy != "MTS":
            self.rng.standard_gamma(self.alpha, out=self.drawn)
            np.divide(self.beta, self.drawn, out=self.drawn)
        if self.policy == "VTS":
            return np.subtract(self.centre, self.drawn, out=self.scored)
        self.rng.standard_normal(out=self.scored)
        self.scored *= self.noise
        self.scored += self.centre
        if self.policy == "MVTS":
            self.scored -= self.drawn
        return self.scored

    def learn(self, k: Any) -> None:
        """Play arm k of each run."""
        at = self.starts + k  # in the flat arrays, which NumPy reaches faster than by row and column
        reward = self.rng.standard_normal(len(at)) * self.deviations[k] + self.means[k]
        count, mean = self.count.take(at), self.mean.take(at)
        deviation = reward - mean
        squares = self.squares.take(at) + count / (count + 1.0) * deviation * deviation
        count += 1.0
        mean += deviation / count
        self.count.ravel()[at], self.mean.ravel()[at], self.squares.ravel()[at] = count, mean, squares
        if self.policy in ("MVTS", "VTS"):
            self.alpha.ravel()[at] = 0.5 + 0.5 * count
            self.beta.ravel()[at] = 0.5 + 0.5 * squares
            self.centre.ravel()[at] = self.rho * mean
        else:
            self.centre.ravel()[at] = self.rho * mean - squares / count
        if self.policy != "VTS":
            self.noise.ravel()[at] = (1.0 if self.policy == "MVLCB" else self.rho) / np.sqrt(count)


class Bernoulli:
    """Successes and failures per run and arm, and the scores of BMVTS."""

    def __init__(self, policy: str, problem: Problem, runs: int, rng: np.random.Generator) -> None:
        self.rng, self.rho, self.probabilities = rng, problem.risk.rho, problem.means
        self.starts = np.arange(runs) * problem.size
        self.successes, self.failures = np.ones((runs, problem.size)), np.ones((runs, problem.size))
        self.forced = 0

    @property
    def count(self) -> np.ndarray:
        """Pulls per run and arm."""
        return self.successes + self.failures - 2.0

    def scores(self, step: int) -> np.ndarray:
        """The scores of all arms in all runs."""
        theta = self.rng.beta(self.successes, self.failures)
        scored = theta + (self.rho - 1.0)
        scored *= theta
        return scored

    def learn(self, k: Any) -> None:
        """Play arm k of each run."""
        at = self.starts + k
        success = self.rng.random(len(at)) < self.probabilities[k]
        self.successes.ravel()[at] += success
        self.failures.ravel()[at] += ~success


class Rival:
    """Runs side by side that remember how far they are."""

    def __init__(self, policy: str, problem: Problem, runs: int, seed: int = 1) -> None:
        kind = Bernoulli if policy == "BMVTS" else Gaussian
        self.world = kind(policy, problem, runs, np.random.default_rng(seed))
        self.runs, self.step = runs, 0

    def advance(self, steps: int) -> float:
        """Play so many steps of every run; return the nanoseconds of this thread's processor time per run and step."""
        if steps == 0:
            return 0.0
        start = time.thread_time()
        for _ in range(steps):
            self.step += 1
            if self.step <= self.world.forced:
                self.world.learn(self.step - 1)
            else:
                self.world.learn(self.world.scores(self.step).argmax(axis=1))
        return (time.thread_time() - start) / (steps * self.runs) * NANOSECONDS
