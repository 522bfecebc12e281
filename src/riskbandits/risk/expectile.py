"""The expectile: the amount at which weighted gains and losses balance."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np

from riskbandits.core.records import Limits
from riskbandits.numerics import weighted_samples
from riskbandits.numerics.normal import normal_expectile

if TYPE_CHECKING:
    from riskbandits.types import Cells

STEPS = 1000  # of Newton's method: far more than it needs


class Expectile(NamedTuple):
    """The amount m at which the mean gain above m is (1 - a)/a times the mean loss below it.

    Use it when gains should make up for losses, but each loss counts as several gains of its size: nine at the default
    level a = 0.1. `level` is in (0, 1/2]; at 1/2 it is the mean. It is the only coherent measure that is also
    elicitable: forecasts of it can be compared by a mean score.

    Formula: the root m of a E[(X - m)^+] = (1 - a) E[(m - X)^+]; for a Gaussian mu + z s, with z the root for N(0, 1).
    References: Newey & Powell, Asymmetric Least Squares Estimation and Testing, 1987; Bellini, Klar, Mueller & Rosazza
    Gianin, Generalized Quantiles as Risk Measures, 2014.

    >>> import numpy as np
    >>> float(Expectile(level=0.25).sample_value(np.array([0.0, 1.0, 2.0, 9.0]), np.ones(4)))
    1.75
    """

    level: Annotated[float, Limits(low=0.0, high=0.5, open_low=True)] = 0.1

    def value(self, mean: float, variance: float) -> float:
        return mean + normal_expectile(self.level) * math.sqrt(variance)

    def sample_value(self, values: np.ndarray, weights: Cells) -> float:
        return weighted_samples.expectile(values, weights, self.level)

    def sample_bounds(self, lows: Cells, highs: Cells, weights: Cells) -> tuple[float, float]:
        """Bounds when masses lie between lows and highs: larger rewards are never worse."""
        return self.sample_value(lows, weights), self.sample_value(highs, weights)

    def lipschitz_constant(self) -> float:
        """(1 - a)/a: at worst one side of the equation moves at 1 - a and its slope is a."""
        return (1.0 - self.level) / self.level

    def exact_value(self, distribution: Any) -> float:
        """Newton's method from the mean down: (1 - 2a) E[(m - X)^+] + a (m - mu) is convex and increasing in m."""
        mean = found = float(distribution.mean)
        for _ in range(STEPS):
            short = (1.0 - 2.0 * self.level) * float(distribution.shortfall(found, 1))
            slope = (1.0 - 2.0 * self.level) * float(distribution.cdf(found)) + self.level
            lower = found - (short + self.level * (found - mean)) / slope
            if not lower < found:
                break
            found = lower
        return found

    def influence(self, values: np.ndarray, weights: Cells) -> np.ndarray:
        away = values - self.sample_value(values, weights)
        slopes = np.where(away > 0.0, self.level, 1.0 - self.level)
        return slopes * away / np.average(slopes, weights=weights)
