"""Arms with uniform rewards."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.arms.distribution import Distribution
from riskbandits.core.records import ArmNames, Numbers, unequal_lengths

if TYPE_CHECKING:
    from riskbandits.types import Rng


class Uniform(Distribution):
    """Uniform between `low` and `high`."""

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = float(low), float(high)
        self.width = self.high - self.low
        self.mean = self.low + 0.5 * self.width
        self.variance = self.width**2 / 12.0

    def cdf(self, x: float | np.ndarray) -> Any:
        return np.clip((np.asarray(x) - self.low) / self.width, 0.0, 1.0)

    def quantile(self, u: float | np.ndarray) -> Any:
        found = self.low + self.width * np.asarray(u, dtype=float)
        return found if np.ndim(found) else float(found)

    def shortfall(self, x: float, power: int) -> float:
        """The integral of a power."""
        deepest, least = max(0.0, x - self.low), max(0.0, x - self.high)
        return (deepest ** (power + 1) - least ** (power + 1)) / ((power + 1) * self.width)

    def log_mgf(self, s: float) -> float:
        """Ln of (exp(s high) - exp(s low))/(s width), with the larger of the two taken out."""
        largest = max(s * self.low, s * self.high)
        spread = abs(s) * self.width
        return largest + math.log(-math.expm1(-spread) / spread)


class UniformArms(NamedTuple):
    """Arm k pays a uniform reward between `lows[k]` and `highs[k]`; highs must exceed lows.

    Use it for bounded rewards of which only the range is known.

    >>> arms = UniformArms(lows=[0.0, -1.0], highs=[1.0, 2.0])
    >>> arms.mean(1), arms.variance(1)
    (0.5, 0.75)
    """

    lows: Numbers
    highs: Numbers
    names: ArmNames = ""

    def draw(self, k: int, rng: Rng) -> float:
        return self.lows[k] + (self.highs[k] - self.lows[k]) * rng.random()

    def mean(self, k: int) -> float:
        return self.distribution(k).mean

    def variance(self, k: int) -> float:
        return self.distribution(k).variance

    def size(self) -> int:
        return len(self.lows)

    def distribution(self, k: int) -> Uniform:
        return Uniform(self.lows[k], self.highs[k])

    def invalid(self) -> tuple[str, str, object] | None:
        """One number per arm in every field, and an interval per arm."""
        if refusal := unequal_lengths(self):
            return refusal
        for k in range(len(self.lows)):
            if not self.lows[k] < self.highs[k]:
                return (f"UniformArms, arm {k},", f"given a high above its low ({self.lows[k]:g})", self.highs[k])
        return None
