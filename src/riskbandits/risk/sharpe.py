"""Sharpe ratios, regularised so that an arm without variance does not have an infinite one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from riskbandits.core.records import Positive
from riskbandits.numerics import weighted_samples

if TYPE_CHECKING:
    import numpy as np

    from riskbandits.types import Cells


class Sharpe(NamedTuple):
    """The mean per unit of risk: mean over variance, or squared mean over variance.

    Use it to compare arms of different scales by reward per unit of risk. With a negative mean the ratio improves
    with *larger* variance, and the squared form ignores the sign of the mean: use it for arms with positive means.

    Formula: mu/(L + rho s^2), or mu^2/(L + s^2) in the preset `squared()`; `regularisation` is L > 0 and `weight` is
    rho > 0.

    >>> Sharpe(regularisation=0.5, weight=2.0).value(1.0, 0.25), Sharpe(0.5, squares_mean=True).value(2.0, 0.5)
    (1.0, 4.0)
    """

    regularisation: Positive = 1.0
    weight: Positive = 1.0
    squares_mean: bool = False

    def value(self, mean: float, variance: float) -> float:
        reward = mean * mean if self.squares_mean else mean
        return reward / (self.regularisation + self.weight * variance)

    def sample_bounds(self, lows: Cells, highs: Cells, weights: Cells) -> tuple[float, float]:
        least, largest, calmest, wildest = weighted_samples.moment_box(lows, highs, weights)
        low = min(self.value(least, calmest), self.value(least, wildest))
        high = max(self.value(largest, calmest), self.value(largest, wildest))
        if self.squares_mean:
            # The square falls and then rises in the mean.
            low = 0.0 if least <= 0.0 <= largest else min(low, self.value(largest, wildest))
            high = max(high, self.value(least, calmest))
        return low, high

    def influence(self, values: np.ndarray, weights: Cells) -> np.ndarray:
        mean = weighted_samples.mean(values, weights)
        risk = self.regularisation + self.weight * weighted_samples.variance(values, weights, mean)
        reward, slope = (mean * mean, 2.0 * mean) if self.squares_mean else (mean, 1.0)
        by_variance = -reward * self.weight / (risk * risk)
        return weighted_samples.moments_influence(values, weights, slope / risk, by_variance)

    @classmethod
    def squared(cls) -> Sharpe:
        """The squared mean over the variance."""
        return cls(squares_mean=True)
