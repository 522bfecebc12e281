"""The value at risk: a quantile."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from riskbandits.core.records import Limits
from riskbandits.numerics import weighted_samples
from riskbandits.numerics.normal import normal_quantile

if TYPE_CHECKING:
    import numpy as np

    from riskbandits.types import Cells


class ValueAtRisk(NamedTuple):
    """The reward exceeded in all but the worst share `level` of cases: a quantile.

    Use it when you want a guarantee that holds with probability 1 - `level`. How bad the rest is does not count:
    use `CVaR` for that. `level` is in (0, 1).

    Formula: inf {x: P(X <= x) >= a} with a the level; for a Gaussian mu + s Phi^-1(a).

    >>> import numpy as np
    >>> float(ValueAtRisk(level=0.5).sample_value(np.array([0.0, 1.0, 2.0, 9.0]), np.ones(4)))
    1.0
    """

    level: Annotated[float, Limits(low=0.0, high=1.0, open_low=True, open_high=True)] = 0.05

    def value(self, mean: float, variance: float) -> float:
        return mean + math.sqrt(variance) * normal_quantile(self.level)

    def sample_value(self, values: np.ndarray, weights: Cells) -> float:
        return weighted_samples.quantile(values, weights, self.level)

    def sample_bounds(self, lows: Cells, highs: Cells, weights: Cells) -> tuple[float, float]:
        """Bounds when masses lie between lows and highs: larger rewards are never worse."""
        return self.sample_value(lows, weights), self.sample_value(highs, weights)

    def tail_share(self) -> float:
        """What lies above the quantile does not matter."""
        return self.level

    def exact_value(self, distribution: Any) -> float:
        return float(distribution.quantile(self.level))
