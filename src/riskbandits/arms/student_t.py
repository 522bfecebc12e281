"""Arms with Student's t rewards: heavy tails."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np

from riskbandits.arms.distribution import Distribution
from riskbandits.core.records import ArmNames, Limits, Numbers, PositiveNumbers, Vector, unequal_lengths
from riskbandits.numerics.variates import gamma

if TYPE_CHECKING:
    from riskbandits.types import Rng

Freedoms = Annotated[Any, Vector(Limits(low=1.0, open_low=True))]


class StudentT(Distribution):
    """Student's t, shifted and scaled. The variance is infinite for 2 degrees of freedom or fewer."""

    def __init__(self, location: float, scale: float, freedom: float) -> None:
        self.mean, self.scale, self.freedom = float(location), float(scale), float(freedom)
        self.variance = self.scale**2 * self.freedom / (self.freedom - 2.0) if self.freedom > 2.0 else math.inf

    def cdf(self, x: float | np.ndarray) -> Any:
        from scipy.special import stdtr

        return stdtr(self.freedom, (np.asarray(x) - self.mean) / self.scale)

    def quantile(self, u: float | np.ndarray) -> Any:
        from scipy.special import stdtrit

        found = self.mean + self.scale * stdtrit(self.freedom, u)
        return found if np.ndim(found) else float(found)

    def shortfall(self, x: float, power: int) -> float:
        """Closed forms; the second needs more than 2 degrees of freedom and is infinite otherwise."""
        from scipy.special import stdtr

        z, d = (x - self.mean) / self.scale, self.freedom
        below = float(stdtr(d, z))
        log_density = math.lgamma(0.5 * (d + 1.0)) - math.lgamma(0.5 * d) - 0.5 * math.log(d * math.pi)
        density = math.exp(log_density - 0.5 * (d + 1.0) * math.log1p(z * z / d))
        first = -density * (d + z * z) / (d - 1.0)  # E[Z; Z <= z]
        if power == 1:
            return self.scale * max(0.0, z * below - first)
        if d <= 2.0:
            return math.inf
        inner = float(stdtr(d - 2.0, z * math.sqrt((d - 2.0) / d)))
        second = d * (d - 1.0) / (d - 2.0) * inner - d * below  # E[Z^2; Z <= z]
        return self.scale**2 * max(0.0, z * z * below - 2.0 * z * first + second)

    def log_mgf(self, s: float) -> float:
        """Infinite: the tails are powers."""
        return 0.0 if s == 0.0 else math.inf


class StudentTArms(NamedTuple):
    """Arm k pays locations[k] + scales[k] t, with t from Student's t distribution with freedoms[k] degrees of freedom.

    Use it for heavy tails, such as daily returns. The mean needs more than 1 degree of freedom, a finite variance more
    than 2; the entropic risk is always minus infinity.

    >>> arms = StudentTArms(locations=[0.0, 1.0], scales=[1.0, 2.0], freedoms=[4.0, 1.5])
    >>> arms.mean(1), arms.variance(0), arms.variance(1)
    (1.0, 2.0, inf)
    """

    locations: Numbers
    scales: PositiveNumbers
    freedoms: Freedoms
    names: ArmNames = ""

    def draw(self, k: int, rng: Rng) -> float:
        half = 0.5 * self.freedoms[k]
        return self.locations[k] + self.scales[k] * rng.standard_normal() / math.sqrt(gamma(rng, half) / half)

    def mean(self, k: int) -> float:
        return self.locations[k]

    def variance(self, k: int) -> float:
        return self.distribution(k).variance

    def size(self) -> int:
        return len(self.locations)

    def distribution(self, k: int) -> StudentT:
        return StudentT(self.locations[k], self.scales[k], self.freedoms[k])

    def invalid(self) -> tuple[str, str, object] | None:
        return unequal_lengths(self)
