"""Arms with lognormal rewards: positive, with a heavy upper tail."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.arms.distribution import Distribution, integral
from riskbandits.core.records import ArmNames, Numbers, PositiveNumbers, unequal_lengths
from riskbandits.numerics.normal import normal_density

if TYPE_CHECKING:
    from riskbandits.types import Rng

FAR = 40.0  # standard deviations beyond which a Gaussian has no mass that a double can hold


class Lognormal(Distribution):
    """exp(m + d Z) with Z standard normal."""

    low = 0.0

    def __init__(self, log_mean: float, log_deviation: float) -> None:
        self.log_mean, self.log_deviation = float(log_mean), float(log_deviation)
        self.mean = math.exp(self.log_mean + 0.5 * self.log_deviation**2)
        self.variance = self.mean**2 * math.expm1(self.log_deviation**2)

    def _standard(self, x: float) -> Any:
        with np.errstate(divide="ignore"):
            return (np.log(np.maximum(x, 0.0)) - self.log_mean) / self.log_deviation

    def cdf(self, x: Any) -> Any:
        from scipy.special import ndtr

        return ndtr(self._standard(x))

    def quantile(self, u: float | np.ndarray) -> Any:
        from scipy.special import ndtri

        found = np.exp(self.log_mean + self.log_deviation * ndtri(u))
        return found if np.ndim(found) else float(found)

    def shortfall(self, x: float, power: int) -> float:
        """Closed forms: moments below x are those of shifted Gaussians."""
        from scipy.special import ndtr

        if x <= 0.0:
            return 0.0
        z, d = float(self._standard(x)), self.log_deviation
        below, first = float(ndtr(z)), self.mean * float(ndtr(z - d))
        if power == 1:
            return max(0.0, x * below - first)
        second = (self.mean**2 + self.variance) * float(ndtr(z - 2.0 * d))
        return max(0.0, x * x * below - 2.0 * x * first + second)

    def log_mgf(self, s: float) -> float:
        """Infinite for s > 0; otherwise an integral over Z, to about ten digits."""
        if s >= 0.0:
            return 0.0 if s == 0.0 else math.inf

        def part(z: float) -> float:
            return math.expm1(s * math.exp(self.log_mean + self.log_deviation * z)) * normal_density(z)

        # 1 - exp rather than exp: for small rewards the logarithm is close to 0.
        return math.log1p(integral(part, -FAR, 0.0) + integral(part, 0.0, FAR))


class LognormalArms(NamedTuple):
    """Arm k pays exp(log_means[k] + log_deviations[k] Z) with Z standard normal.

    Use it for positive rewards whose size varies by factors, such as revenues.

    >>> arms = LognormalArms(log_means=[0.0], log_deviations=[1.0])
    >>> round(arms.mean(0), 4), round(arms.variance(0), 4)
    (1.6487, 4.6708)
    """

    log_means: Numbers
    log_deviations: PositiveNumbers
    names: ArmNames = ""

    def draw(self, k: int, rng: Rng) -> float:
        return math.exp(self.log_means[k] + self.log_deviations[k] * rng.standard_normal())

    def mean(self, k: int) -> float:
        return self.distribution(k).mean

    def variance(self, k: int) -> float:
        return self.distribution(k).variance

    def size(self) -> int:
        return len(self.log_means)

    def distribution(self, k: int) -> Lognormal:
        return Lognormal(self.log_means[k], self.log_deviations[k])

    def invalid(self) -> tuple[str, str, object] | None:
        return unequal_lengths(self)
