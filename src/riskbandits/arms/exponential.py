"""Arms with exponential rewards."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.arms.distribution import Distribution
from riskbandits.core.records import ArmNames, PositiveNumbers
from riskbandits.numerics import variates

if TYPE_CHECKING:
    from riskbandits.types import Rng


class Exponential(Distribution):
    """Exponential with the given mean."""

    low = 0.0

    def __init__(self, mean: float) -> None:
        self.mean = float(mean)
        self.variance = self.mean**2

    def cdf(self, x: float | np.ndarray) -> Any:
        return -np.expm1(-np.maximum(x, 0.0) / self.mean)

    def quantile(self, u: float | np.ndarray) -> Any:
        with np.errstate(divide="ignore"):
            found = -self.mean * np.log1p(-np.asarray(u, dtype=float))
        return found if np.ndim(found) else float(found)

    def shortfall(self, x: float, power: int) -> float:
        """Z + expm1(-z), and z^2 - 2 times that, with z = x/mean."""
        z = max(0.0, x / self.mean)
        if power == 2 and z < 1e-2:  # the differences below lose their digits
            return self.mean**2 * z**3 * (1.0 / 3.0 - z * (1.0 / 12.0 - z * (1.0 / 60.0 - z / 360.0)))
        if z < 1e-3:
            return self.mean * z**2 * (0.5 - z * (1.0 / 6.0 - z * (1.0 / 24.0 - z / 120.0)))
        first = z + math.expm1(-z)
        return self.mean * first if power == 1 else self.mean**2 * (z * z - 2.0 * first)

    def log_mgf(self, s: float) -> float:
        """-ln(1 - s mean), infinite from s = 1/mean on."""
        return -math.log1p(-s * self.mean) if s * self.mean < 1.0 else math.inf


class ExponentialArms(NamedTuple):
    """Arm k pays an exponential reward with mean means[k] > 0, that is with variance means[k]^2.

    Use it for waiting times, for example.

    >>> arms = ExponentialArms(means=[0.5, 2.0])
    >>> arms.mean(1), arms.variance(1)
    (2.0, 4.0)
    """

    means: PositiveNumbers
    names: ArmNames = ""

    def draw(self, k: int, rng: Rng) -> float:
        return self.means[k] * variates.exponential(rng)

    def mean(self, k: int) -> float:
        return self.distribution(k).mean

    def variance(self, k: int) -> float:
        return self.distribution(k).variance

    def size(self) -> int:
        return len(self.means)

    def distribution(self, k: int) -> Exponential:
        return Exponential(self.means[k])
