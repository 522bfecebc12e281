"""Regret relative to the best policy of each problem, without the bias of picking the best by the same numbers.

The smallest of several noisy means is too small: measured against it, equal policies would all look worse than the
best. So the best policy is picked by the even runs and the ratio to it measured on the odd ones, and the other way
round; the two ratios are averaged (their logarithms are). A ratio can then come out a little under 1, which is noise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from riskbandits.inference.bootstrap import interval
from riskbandits.inference.intervals import mean_interval
from riskbandits.results.run_samples import PARTS, ResampledMeans, log_regrets


def relative(means: ResampledMeans) -> np.ndarray:
    """Logarithms of the ratios to the best policy of one problem, (policies, 1 + replicates)."""
    even, odd = (log_regrets(half) for half in means.halves)
    return 0.5 * ((odd - _picked(odd, by=even)) + (even - _picked(even, by=odd)))


def _picked(values: np.ndarray, by: np.ndarray) -> np.ndarray:
    """Per replicate, the value of the policy that is best by other values."""
    return np.take_along_axis(values, by.argmin(axis=0)[None, :], axis=0)


def average(
    log_ratios: np.ndarray,
    draws: Sequence[str],
    runs: int,
    up: np.ndarray | None = None,
    down: np.ndarray | None = None,
) -> tuple[float, float, float]:
    """The average over problems of log ratios (problems, replicates) and its 95 % interval.

    A problem of its own is what it is: its replicates are those of its runs, of which there are `runs`. Problems that
    share a `draw` are a sample of a population: their interval is over problems, since the noise of runs is part of
    what makes the problems differ. What is independent is put together by the squares of the distances from the
    estimate to the ends (Zou & Donner 2008). `up` and `down` are how far, per problem, rare disasters of which the
    runs hold too few may move its ratio (`inference.rare`). These add up: most problems lack them, in one direction,
    where each has few runs.
    """
    problems = len(log_ratios)
    total = float(log_ratios[:, 0].sum())
    alone = np.array([not draw or draws.count(draw) < 2 for draw in draws])
    estimate, low, high = interval(log_ratios[alone].sum(axis=0), runs, PARTS) if alone.any() else (0.0, 0.0, 0.0)
    below, above = (estimate - low) ** 2, (high - estimate) ** 2
    for draw in dict.fromkeys(draw for draw, single in zip(draws, alone, strict=True) if not single):
        members = log_ratios[[one == draw for one in draws], 0]
        middle, low, high = mean_interval(members)
        below += (len(members) * (middle - low)) ** 2
        above += (len(members) * (high - middle)) ** 2
    lower = math.sqrt(below) + (0.0 if down is None else float(np.sum(down)))
    upper = math.sqrt(above) + (0.0 if up is None else float(np.sum(up)))
    return total / problems, (total - lower) / problems, (total + upper) / problems
