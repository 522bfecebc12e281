"""Regret relative to the best policy of each problem, without the bias of picking the best by the same numbers.

The smallest of several noisy means is too small: measured against it, equal policies would all look worse than the
best. So the best policy is picked by the even runs and the ratio to it measured on the odd ones, and the other way
round; the two ratios are averaged (their logarithms are). A ratio can then come out a little under 1, which is noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from riskbandits.results.resampled import Resampled, logs


def relative(means: Resampled) -> np.ndarray:
    """Logarithms of the ratios to the best policy of one problem, (policies, 1 + replicates)."""
    even, odd = (logs(half) for half in means.halves)
    return 0.5 * ((odd - _picked(odd, by=even)) + (even - _picked(even, by=odd)))


def _picked(values: np.ndarray, by: np.ndarray) -> np.ndarray:
    """Per replicate, the value of the policy that is best by other values."""
    return np.take_along_axis(values, by.argmin(axis=0)[None, :], axis=0)


def average(log_ratios: np.ndarray, draws: Sequence[str], rng: Any) -> np.ndarray:
    """The average over problems of log ratios (problems, replicates), with the uncertainty that goes with each problem.

    A problem of its own is what it is: its replicates are those of its runs. Problems that share a `draw` are a sample
    of a population: problems are drawn again instead of runs, whose noise is part of what makes the problems differ.
    From m problems m - 1 are drawn, which makes the variance of the average unbiased (Rao & Wu 1988), and deviations
    are stretched by Student's quantile over the normal one, since that variance is known from few problems.
    """
    problems, replicates = log_ratios.shape
    fixed, drawn, freedom = np.zeros(replicates), np.zeros(replicates), 0
    for draw in dict.fromkeys(draws):
        members = np.array([one == draw for one in draws])
        size = int(members.sum())
        values = log_ratios[members]
        if draw and size > 1:
            again = values[rng.integers(size, size=(size - 1, replicates - 1)), 0]
            drawn += np.concatenate([[values[:, 0].sum()], size * again.mean(axis=0)])
            freedom += size - 1
        else:
            fixed += values.sum(axis=0)
    if freedom:
        drawn = drawn[0] + _stretch(freedom) * (drawn - drawn[0])
    return (fixed + drawn) / problems


def _stretch(freedom: int) -> float:
    from scipy.stats import norm, t

    return float(t.ppf(0.975, freedom) / norm.ppf(0.975))
