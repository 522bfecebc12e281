"""Policies on the problems of a population as one job, and ratios of their regrets with intervals over problems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

import riskbandits as rb
from riskbandits import metrics

RESAMPLES = 2000


class Size(NamedTuple):
    """How much is simulated, and where it is kept."""

    problems: int = 20
    runs: int = 10
    horizon: int = 10_000
    workers: int | None = None
    store: Any = None
    progress: bool = True


class Ratio(NamedTuple):
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


def ratio(these: np.ndarray, those: np.ndarray) -> Ratio:
    """The ratio of the mean regrets over problems, with a 95 % bootstrap interval: other problems, other ratios.

    >>> ratio(np.array([1.0, 2.0]), np.array([2.0, 4.0]))
    Ratio(value=0.5, low=0.5, high=0.5)
    """
    picks = np.random.default_rng(0).integers(0, len(these), (RESAMPLES, len(these)))
    drawn = these[picks].mean(axis=1) / those[picks].mean(axis=1)
    low, high = np.quantile(drawn, [0.025, 0.975])
    return Ratio(float(these.mean() / those.mean()), float(low), float(high))
