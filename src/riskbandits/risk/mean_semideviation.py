"""The mean less a share of the mean shortfall below it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np

from riskbandits.core.records import Limits
from riskbandits.numerics import weighted_samples
from riskbandits.numerics.normal import INVERSE_SQRT_TWO_PI

if TYPE_CHECKING:
    from riskbandits.types import Cells


class MeanSemideviation(NamedTuple):
    """The mean, less a share of what rewards fall short of it on average.

    Use it when only deviations below the mean are risk, in the unit of the rewards. `weight` is in [0, 1]: at 0 it is
    the mean; above 1 a larger reward could be worth less, so it is refused. It is coherent.

    Formula: E[X] - c E[(E[X] - X)^+] with c the weight; for a Gaussian mu - c s/sqrt(2 pi).
    Reference: Ogryczak & Ruszczynski, From Stochastic Dominance to Mean-Risk Models: Semideviations as Risk Measures,
    1999.

    >>> import numpy as np
    >>> float(MeanSemideviation(weight=0.5).sample_value(np.array([0.0, 1.0, 2.0, 9.0]), np.ones(4)))
    2.25
    """

    weight: Annotated[float, Limits(low=0.0, high=1.0)] = 1.0

    def value(self, mean: float, variance: float) -> float:
        return mean - self.weight * INVERSE_SQRT_TWO_PI * math.sqrt(variance)

    def sample_value(self, values: np.ndarray, weights: Cells) -> float:
        mean = weighted_samples.mean(values, weights)
        return mean - self.weight * weighted_samples.shortfall(values, weights, mean)

    def sample_bounds(self, lows: Cells, highs: Cells, weights: Cells) -> tuple[float, float]:
        """Bounds when masses lie between lows and highs: larger rewards are never worse."""
        return self.sample_value(lows, weights), self.sample_value(highs, weights)

    def lipschitz_constant(self) -> float:
        """1 + c: a shift of the mean is a shift of the border of the shortfall too."""
        return 1.0 + self.weight

    def exact_value(self, distribution: Any) -> float:
        mean = float(distribution.mean)
        return mean - self.weight * float(distribution.shortfall(mean, 1))

    def influence(self, values: np.ndarray, weights: Cells) -> np.ndarray:
        away = values - np.average(values, weights=weights)
        short = np.maximum(0.0, -away)
        share_below = np.average(away < 0.0, weights=weights)
        below = short - np.average(short, weights=weights)
        return (1.0 - self.weight * share_below) * away - self.weight * below
