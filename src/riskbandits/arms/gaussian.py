"""Arms with Gaussian rewards."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.arms.distribution import Distribution
from riskbandits.core.records import ArmNames, NonNegativeNumbers, Numbers, unequal_lengths
from riskbandits.numerics import lundberg
from riskbandits.numerics.batch_sums import chi_square
from riskbandits.numerics.normal import normal_density

if TYPE_CHECKING:
    from riskbandits.types import Rng


class Normal(Distribution):
    """A Gaussian; a variance of 0 is a constant."""

    def __init__(self, mean: float, variance: float) -> None:
        self.mean, self.variance = float(mean), float(variance)
        self.deviation = math.sqrt(self.variance)

    def cdf(self, x: float | np.ndarray) -> Any:
        from scipy.special import ndtr

        if self.deviation == 0.0:
            return np.where(np.asarray(x) >= self.mean, 1.0, 0.0)
        return ndtr((np.asarray(x) - self.mean) / self.deviation)

    def quantile(self, u: float | np.ndarray) -> Any:
        from scipy.special import ndtri

        found = self.mean + self.deviation * ndtri(u) if self.deviation > 0.0 else self.mean + 0.0 * np.asarray(u)
        return found if np.ndim(found) else float(found)

    def shortfall(self, x: float, power: int) -> float:
        """Closed forms, with z the standardised x: z Phi(z) + phi(z), and (z^2 + 1) Phi(z) + z phi(z)."""
        if self.deviation == 0.0:
            return max(0.0, x - self.mean) ** power
        z = (x - self.mean) / self.deviation
        below, density = float(self.cdf(x)), normal_density(z)
        standard = z * below + density if power == 1 else (z * z + 1.0) * below + z * density
        return self.deviation**power * max(0.0, standard)

    def log_mgf(self, s: float) -> float:
        """S mu + s^2 sigma^2/2."""
        return s * self.mean + 0.5 * s * s * self.variance

    def value_of(self, risk: Any) -> float:
        """Every risk measure knows its value for a Gaussian."""
        return float(risk.value(self.mean, self.variance))


class GaussianArms(NamedTuple):
    """Arm k pays N(means[k], variances[k]); a variance of 0 is a constant reward.

    >>> arms = GaussianArms(means=[0.1, 0.7], variances=[0.05, 0.5])
    >>> arms.mean(1), arms.variance(1), arms.size()
    (0.7, 0.5, 2)
    """

    means: Numbers
    variances: NonNegativeNumbers
    names: ArmNames = ""

    def draw(self, k: int, rng: Rng) -> float:
        return self.means[k] + math.sqrt(self.variances[k]) * rng.standard_normal()

    def draw_many(self, k: int, count: float, rng: Rng) -> tuple[float, float]:
        """Mean and sum of squared deviations of so many rewards, which are independent of each other."""
        mean = self.means[k] + math.sqrt(self.variances[k] / count) * rng.standard_normal()
        return mean, self.variances[k] * chi_square(rng, count - 1.0)

    def mean_exponent(self, k: int, slack: float, side: float) -> float:
        """For lines below and above the mean alike."""
        return lundberg.normal_below(self.variances[k], slack)

    def square_exponent(self, k: int, level: float) -> float:
        """For chi-square steps."""
        return lundberg.normal_squares(self.variances[k], level)

    def mean(self, k: int) -> float:
        return self.means[k]

    def variance(self, k: int) -> float:
        return self.variances[k]

    def size(self) -> int:
        return len(self.means)

    def distribution(self, k: int) -> Normal:
        return Normal(self.means[k], self.variances[k])

    def invalid(self) -> tuple[str, str, object] | None:
        """Means and variances must go together."""
        return unequal_lengths(self)
