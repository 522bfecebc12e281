"""The variance, to be minimised."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from riskbandits.numerics import weighted_samples

if TYPE_CHECKING:
    import numpy as np

    from riskbandits.types import Cells


class Variance(NamedTuple):
    """Minus the variance: the arm with the smallest variance is the best, whatever its mean.

    Use it to minimise the variance; it is `MeanVariance(rho=0)`, regret included.

    Formula: -s^2.

    >>> Variance().value(0.5, 0.25)
    -0.25
    """

    def value(self, mean: float, variance: float) -> float:
        return -variance

    def sample_bounds(self, lows: Cells, highs: Cells, weights: Cells) -> tuple[float, float]:
        _, _, calmest, wildest = weighted_samples.moment_box(lows, highs, weights)
        return -wildest, -calmest

    def charges_switching(self) -> bool:
        """As for `MeanVariance`: the regret compares the variance of the whole reward stream."""
        return True

    def influence(self, values: np.ndarray, weights: Cells) -> np.ndarray:
        return weighted_samples.moments_influence(values, weights, 0.0, -1.0)
