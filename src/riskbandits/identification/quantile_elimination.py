"""Elimination by order statistics: the arm with the largest quantile."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.core.records import NonNegative
from riskbandits.identification.contract import Decision
from riskbandits.identification.elimination import eliminate

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure


class QuantileElimination(NamedTuple):
    """Sample until the largest quantile is clear; for `ValueAtRisk`, whatever the distributions.

    Use it when the answer must be right with a given probability and nothing is known about the rewards: the bounds
    are order statistics, whose ranks follow from the binomial distribution alone. `within` >= 0 also accepts an arm
    whose quantile is at most that much below the largest; without it, equal arms are never separated, and the rule
    ends when its budget is spent.

    The error of each bound at the r-th look is (1 - confidence)/(2 K r (r + 1)).

    Reference: David & Shimkin, Pure Exploration for Max-Quantile Bandits, 2016, for the idea; ranks and looks are ours.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.GaussianArms(means=[0, 1], variances=[1, 1]), rb.ValueAtRisk(level=0.5))
    >>> rb.identify(problem, QuantileElimination(), confidence=0.9, runs=20, seed=1, progress=False).errors
    0
    """

    within: NonNegative = 0.0

    def choose(self, samples: object, risk: Any, budget: int, confidence: float | None) -> Decision:
        assert confidence is not None
        level = float(risk.level)
        return eliminate(samples, budget, confidence, self.within, lambda x, error: quantile_bounds(x, level, error))

    def fixed_confidence(self) -> bool:
        return True

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        """Order statistics bound quantiles only."""
        from riskbandits.risk import ValueAtRisk

        if isinstance(risk, ValueAtRisk):
            return None
        return f"QuantileElimination is defined for ValueAtRisk only. Got {type(risk).__name__} instead."


def quantile_bounds(rewards: np.ndarray, level: float, error: float) -> tuple[float, float]:
    """Order statistics below and above the quantile at a level, each wrong with probability at most `error`."""
    ordered = np.sort(rewards)
    below, above = ranks(len(ordered), level, error)
    low = ordered[below - 1] if below >= 1 else -math.inf
    high = ordered[above - 1] if above <= len(ordered) else math.inf
    return float(low), float(high)


@functools.lru_cache(maxsize=4096)  # every arm of every run is looked at after the same numbers of pulls
def ranks(size: int, level: float, error: float) -> tuple[int, int]:
    """The ranks of the two order statistics; 0 and size + 1 stand for minus and plus infinity.

    With N ~ Binomial(T, level) and q the smallest x with P(X <= x) >= level: the i-th smallest reward exceeds q only
    if fewer than i rewards are <= q, which has probability at most P(N < i); it lies below q only if at least i
    rewards are < q, at most P(N >= i).
    """
    from scipy.stats import binom

    # The largest i with P(N <= i - 1) <= error, and the smallest i with P(N >= i) <= error.
    below = int(binom.ppf(error, size, level))
    while below > 0 and binom.cdf(below - 1, size, level) > error:
        below -= 1
    above = int(binom.isf(error, size, level)) + 1
    while binom.sf(above - 1, size, level) > error:
        above += 1
    return below, min(above, size + 1)
