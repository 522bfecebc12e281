"""The conditional value at risk (expected shortfall) of the lower tail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from riskbandits.core.records import Limits
from riskbandits.numerics import weighted_samples
from riskbandits.numerics.normal import gaussian_lower_mean

if TYPE_CHECKING:
    import numpy as np

    from riskbandits.types import Cells

Level = Annotated[float, Limits(low=0.0, high=1.0, open_low=True)]


class CVaR(NamedTuple):
    """The mean of the worst rewards, that is of the lowest share `level` of them.

    Use it when losses must stay bearable and gains do not make up for them. `level` is in (0, 1]; at 1 it is the
    mean.

    Formula: sup_x {x - E[(x - X)^+]/a} with a the level, attained at x = VaR_a; for a Gaussian mu - s phi(Phi^-1(a))/a.
    Reference: Rockafellar & Uryasev, Optimization of Conditional Value-at-Risk, 2000.

    >>> import numpy as np
    >>> float(CVaR(level=0.5).sample_value(np.array([0.0, 1.0, 2.0, 9.0]), np.ones(4)))
    0.5
    """

    level: Level = 0.05

    def value(self, mean: float, variance: float) -> float:
        return gaussian_lower_mean(mean, variance, self.level)

    def sample_value(self, values: np.ndarray, weights: Cells) -> float:
        return weighted_samples.lower_mean(values, weights, self.level)

    def sample_bounds(self, lows: Cells, highs: Cells, weights: Cells) -> tuple[float, float]:
        """Bounds when masses lie between lows and highs: larger rewards are never worse."""
        return self.sample_value(lows, weights), self.sample_value(highs, weights)

    def tail_share(self) -> float:
        """What lies above the quantile does not matter."""
        return self.level

    def lipschitz_constant(self) -> float:
        """1/a: what is lost below the quantile is divided by the level."""
        return 1.0 / self.level

    def exact_value(self, distribution: Any) -> float:
        if self.level == 1.0:
            return float(distribution.mean)
        border = float(distribution.quantile(self.level))
        return border - float(distribution.shortfall(border, 1)) / self.level

    def influence(self, values: np.ndarray, weights: Cells) -> np.ndarray:
        return weighted_samples.lower_mean_influence(values, weights, self.level)
