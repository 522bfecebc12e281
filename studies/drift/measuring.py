"""Random problems: arms that change at once, that walk, and that stay. A problem is named by its number.

Policies play a population of them as one job, and ratios of their regrets have intervals over problems.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

import riskbandits as rb
from riskbandits import metrics

HORIZON = 10_000
ARMS = 5
RHO = 1.0
SEED = 11  # of the problems; runs have seeds of their own
LOWEST_VARIANCE = 0.05
RESAMPLES = 2000


def moments(rng: np.random.Generator, arms: int) -> tuple[np.ndarray, np.ndarray]:
    """Means between 0 and 1, and variances between 0.05 and 1, where both matter for rho = 1."""
    return rng.uniform(0.0, 1.0, arms), rng.uniform(LOWEST_VARIANCE, 1.0, arms)


def changing(number: int, every: int | None, arms: int = ARMS, horizon: int = HORIZON) -> rb.Problem:
    """Gaussian arms that are drawn anew every so many steps; None: never.

    >>> [first for first, _ in changing(3, 4000).pieces]
    [1, 4001, 8001]
    """
    rng = np.random.default_rng([SEED, number, arms])
    starts = range(1, horizon + 1, horizon if every is None else every)
    return _problem([(first, rb.GaussianArms(*moments(rng, arms))) for first in starts])


def coins(number: int, every: int | None, arms: int = ARMS) -> rb.Problem:
    """The same with rewards 0 and 1."""
    rng = np.random.default_rng([SEED, number, arms, 1])
    starts = range(1, HORIZON + 1, HORIZON if every is None else every)
    return _problem([(first, rb.BernoulliArms(rng.uniform(0.02, 0.98, arms))) for first in starts])


def walking(number: int, size: float) -> rb.Problem:
    """Gaussian arms whose means move by N(0, size^2) every 100 steps, and whose variances by as many per cent."""
    first = moments(np.random.default_rng([SEED, number, 2]), ARMS)
    arms = rb.WalkingArms.random(*first, steps=HORIZON, every=100, mean_step=size, variance_step=size, seed=number)
    return rb.Problem(arms, rb.MeanVariance(RHO))


def staying(number: int) -> rb.Problem:
    """Gaussian arms that stay what they are."""
    return rb.Problem(
        rb.GaussianArms(*moments(np.random.default_rng([SEED, number, ARMS]), ARMS)), rb.MeanVariance(RHO)
    )


def _problem(pieces: list[tuple[int, object]]) -> rb.Problem:
    return rb.Problem(rb.PiecewiseArms(pieces), rb.MeanVariance(RHO))


class Size(NamedTuple):
    """How much is simulated, and where it is kept."""

    problems: int = 20
    runs: int = 10
    horizon: int = 10_000
    workers: int | None = None
    store: Any = None
    progress: bool = True


class RatioOverProblems(NamedTuple):
    """How many times as large one regret is as another, over a population of problems."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        digits = 2 if self.value < 9.995 else 1
        return f"{self.value:.{digits}f} [{self.low:.{digits}f}, {self.high:.{digits}f}]"


def regrets(
    make: Callable[[int], rb.Problem],
    policies: Mapping[str, Any],
    size: Size,
    metric: Callable[[Any], np.ndarray] = metrics.dynamic_regret,
    delay: rb.Delay | None = None,
) -> dict[str, np.ndarray]:
    """The mean regret at the horizon of each policy on each problem, (problems,)."""
    swept = rb.sweep(
        make,
        range(size.problems),
        policies,
        horizon=size.horizon,
        runs=size.runs,
        seed=1,
        checkpoints=[size.horizon],
        workers=size.workers,
        store=size.store,
        progress=size.progress,
        name="problem",
        delay=delay,
    )
    return {
        label: np.array([metric(result.trace(label))[:, -1].mean() for result in swept.results]) for label in policies
    }


def ratio(these: np.ndarray, those: np.ndarray) -> RatioOverProblems:
    """The ratio of the mean regrets over problems, with a 95 % bootstrap interval: other problems, other ratios.

    >>> ratio(np.array([1.0, 2.0]), np.array([2.0, 4.0]))
    RatioOverProblems(value=0.5, low=0.5, high=0.5)
    """
    picks = np.random.default_rng(0).integers(0, len(these), (RESAMPLES, len(these)))
    drawn = these[picks].mean(axis=1) / those[picks].mean(axis=1)
    low, high = np.quantile(drawn, [0.025, 0.975])
    return RatioOverProblems(float(these.mean() / those.mean()), float(low), float(high))
