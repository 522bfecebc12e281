"""The entropic risk measure: the certainty equivalent of exponential utility."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.core.records import Positive

if TYPE_CHECKING:
    from riskbandits.types import Cells


class Entropic(NamedTuple):
    """The certainty equivalent of a reward under exponential utility.

    Use it for a smooth aversion to losses that grows with their size. `aversion` is l > 0: it tends to the mean for l
    -> 0 and to the worst case for l -> infinity. Minus infinity for rewards with a heavy lower tail.

    Formula: -(1/l) ln E exp(-l X); for a Gaussian mu - l s^2/2, which orders arms as `MeanVariance(rho=2/l)` does.

    >>> Entropic(aversion=2.0).value(0.5, 0.25)
    0.25
    """

    aversion: Positive = 1.0

    def value(self, mean: float, variance: float) -> float:
        return mean - 0.5 * self.aversion * variance

    def sample_value(self, values: np.ndarray, weights: Cells) -> float:
        origin = values[0]  # the largest exponential is then 1
        mass = 0.0
        lost = 0.0
        for i in range(values.shape[0]):
            mass += weights[i]
            # 1 - exp rather than exp, or a small aversion would lose its digits.
            lost -= weights[i] * math.expm1(-self.aversion * (values[i] - origin))
        return origin - math.log1p(-lost / mass) / self.aversion

    def sample_bounds(self, lows: Cells, highs: Cells, weights: Cells) -> tuple[float, float]:
        """Bounds when masses lie between lows and highs: larger rewards are never worse."""
        return self.sample_value(lows, weights), self.sample_value(highs, weights)

    def exact_value(self, distribution: Any) -> float:
        return -float(distribution.log_mgf(-self.aversion)) / self.aversion

    def influence(self, values: np.ndarray, weights: Cells) -> np.ndarray:
        return -np.expm1(-self.aversion * (values - self.sample_value(values, weights))) / self.aversion
