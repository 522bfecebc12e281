"""The mean-variance of Markowitz, as Sani et al. (2012) and Zhu & Tan (2020) use it for bandits."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from riskbandits.core.records import NonNegative
from riskbandits.numerics import weighted_samples

if TYPE_CHECKING:
    import numpy as np

    from riskbandits.types import Cells


class MeanVariance(NamedTuple):
    """rho times the mean, minus the variance.

    Use it when variability itself is undesirable. `rho` is the risk tolerance: 0 minimises the variance,
    large values approach the classical bandit.

    Formula: MV = rho mu - s^2, to be maximised (Sani et al. minimise its negative).

    >>> MeanVariance(rho=2.0).value(0.5, 0.25)
    0.75
    """

    rho: NonNegative = 1.0

    def value(self, mean: float, variance: float) -> float:
        return self.rho * mean - variance

    def sample_bounds(self, lows: Cells, highs: Cells, weights: Cells) -> tuple[float, float]:
        least, largest, calmest, wildest = weighted_samples.moment_box(lows, highs, weights)
        return self.rho * least - wildest, self.rho * largest - calmest

    def charges_switching(self) -> bool:
        """The regret compares the whole reward stream, whose variance grows when arms with other means are mixed in."""
        return True

    def influence(self, values: np.ndarray, weights: Cells) -> np.ndarray:
        return weighted_samples.moments_influence(values, weights, self.rho, -1.0)
