"""A weighted sum of the mean and the conditional value at risk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.core.records import NonNegative
from riskbandits.numerics import weighted_samples
from riskbandits.numerics.normal import gaussian_lower_mean
from riskbandits.risk.cvar import CVaR, Level

if TYPE_CHECKING:
    import numpy as np

    from riskbandits.types import Cells


class MeanCVaR(NamedTuple):
    """The average reward and the average of the worst rewards, combined in one number.

    Use it when both matter: `Mean` ignores the bad days, `CVaR` the good ones. `mean_weight` and `tail_weight` are >=
    0, not both 0; `level` is in (0, 1] and says how much of the lower tail counts, as in `CVaR`.

    Formula: a E[X] + b CVaR_l(X), with a and b the weights and l the level; for a Gaussian
    (a + b) mu - b s phi(Phi^-1(l))/l.
    Reference: Kagrecha, Nair & Jagannathan, Statistically Robust, Risk-Averse Best Arm Identification in Multi-Armed
    Bandits, 2020 (arXiv 2008.13629), who minimise the same quantity for losses.

    >>> import numpy as np
    >>> float(MeanCVaR(1.0, 2.0, level=0.5).sample_value(np.array([0.0, 1.0, 2.0, 9.0]), np.ones(4)))
    4.0
    """

    mean_weight: NonNegative = 1.0
    tail_weight: NonNegative = 1.0
    level: Level = 0.05

    def value(self, mean: float, variance: float) -> float:
        return self.mean_weight * mean + self.tail_weight * gaussian_lower_mean(mean, variance, self.level)

    def sample_value(self, values: np.ndarray, weights: Cells) -> float:
        tail = weighted_samples.lower_mean(values, weights, self.level)
        return self.mean_weight * weighted_samples.mean(values, weights) + self.tail_weight * tail

    def sample_bounds(self, lows: Cells, highs: Cells, weights: Cells) -> tuple[float, float]:
        """Bounds when masses lie between lows and highs: larger rewards are never worse."""
        return self.sample_value(lows, weights), self.sample_value(highs, weights)

    def exact_value(self, distribution: Any) -> float:
        tail = CVaR(self.level).exact_value(distribution) if self.tail_weight > 0.0 else 0.0
        return self.mean_weight * float(distribution.mean) + self.tail_weight * tail

    def influence(self, values: np.ndarray, weights: Cells) -> np.ndarray:
        tail = weighted_samples.lower_mean_influence(values, weights, self.level)
        whole = weighted_samples.moments_influence(values, weights, 1.0, 0.0)
        return self.mean_weight * whole + self.tail_weight * tail

    def invalid(self) -> tuple[str, str, object] | None:
        """Something must count."""
        if self.mean_weight + self.tail_weight > 0.0:
            return None
        return ("MeanCVaR", "given a positive mean_weight or tail_weight", "mean_weight=0, tail_weight=0")
