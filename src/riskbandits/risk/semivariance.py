"""The lower semivariance: only rewards below a target are risk."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.core.records import Finite
from riskbandits.numerics.normal import normal_cdf, normal_density

if TYPE_CHECKING:
    from riskbandits.types import Cells


class Semivariance(NamedTuple):
    """Minus the mean squared shortfall below a target.

    Use it when falling short of a target hurts and exceeding it is neither good nor bad. `target` is any number.

    Formula: -E[((c - X)^+)^2] with c the target; for a Gaussian -s^2 ((z^2 + 1) Phi(z) + z phi(z)), z = (c - mu)/s.

    >>> import numpy as np
    >>> float(Semivariance(target=1.0).sample_value(np.array([-1.0, 0.0, 2.0, 9.0]), np.ones(4)))
    -1.25
    """

    target: Finite = 0.0

    def value(self, mean: float, variance: float) -> float:
        if variance == 0.0:
            short = max(0.0, self.target - mean)
            return -short * short
        z = (self.target - mean) / math.sqrt(variance)
        return -variance * max(0.0, (z * z + 1.0) * normal_cdf(z) + z * normal_density(z))

    def sample_value(self, values: np.ndarray, weights: Cells) -> float:
        mass = 0.0
        squares = 0.0
        for i in range(values.shape[0]):
            mass += weights[i]
            short = max(0.0, self.target - values[i])
            squares += weights[i] * short * short
        return -squares / mass

    def sample_bounds(self, lows: Cells, highs: Cells, weights: Cells) -> tuple[float, float]:
        """Bounds when masses lie between lows and highs: larger rewards are never worse."""
        return self.sample_value(lows, weights), self.sample_value(highs, weights)

    def exact_value(self, distribution: Any) -> float:
        return -float(distribution.shortfall(self.target, 2))

    def influence(self, values: np.ndarray, weights: Cells) -> np.ndarray:
        squares = np.maximum(0.0, self.target - values) ** 2
        return np.average(squares, weights=weights) - squares
