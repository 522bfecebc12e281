"""Arms with Beta rewards: anything between 0 and 1."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.arms.distribution import Distribution
from riskbandits.core.records import ArmNames, PositiveNumbers, unequal_lengths
from riskbandits.numerics import variates

if TYPE_CHECKING:
    from riskbandits.types import Rng


class Beta(Distribution):
    """Beta(a, b)."""

    low, high = 0.0, 1.0

    def __init__(self, a: float, b: float) -> None:
        self.a, self.b = float(a), float(b)
        self.mean = self.a / (self.a + self.b)
        self.variance = self.mean * (1.0 - self.mean) / (self.a + self.b + 1.0)

    def cdf(self, x: float | np.ndarray) -> Any:
        from scipy.special import betainc

        return betainc(self.a, self.b, np.clip(x, 0.0, 1.0))

    def quantile(self, u: float | np.ndarray) -> Any:
        from scipy.special import betaincinv

        found = betaincinv(self.a, self.b, u)
        return found if np.ndim(found) else float(found)

    def shortfall(self, x: float, power: int) -> float:
        """Closed forms: moments below x are those of other Beta distributions."""
        from scipy.special import betainc

        if x <= 0.0:
            return 0.0
        inside = min(x, 1.0)
        below = float(betainc(self.a, self.b, inside))
        first = self.mean * float(betainc(self.a + 1.0, self.b, inside))
        if power == 1:
            return max(0.0, x * below - first)
        second = (self.mean**2 + self.variance) * float(betainc(self.a + 2.0, self.b, inside))
        return max(0.0, x * x * below - 2.0 * x * first + second)

    def log_mgf(self, s: float) -> float:
        """Kummer's function, written so that all terms of its series are positive."""
        from scipy.special import hyp1f1

        if s < 0.0:
            series = s, float(hyp1f1(self.b, self.a + self.b, -s))
        else:
            series = 0.0, float(hyp1f1(self.a, self.a + self.b, s))
        # The series overflows from about 700 on.
        return series[0] + math.log(series[1]) if math.isfinite(series[1]) else super().log_mgf(s)


class BetaArms(NamedTuple):
    """Arm k pays Beta(alphas[k], betas[k]), a number between 0 and 1.

    Use it for bounded rewards, such as shares and rates.

    >>> arms = BetaArms(alphas=[1.0, 2.0], betas=[1.0, 6.0])
    >>> arms.mean(1), round(arms.variance(0), 4)
    (0.25, 0.0833)
    """

    alphas: PositiveNumbers
    betas: PositiveNumbers
    names: ArmNames = ""

    def draw(self, k: int, rng: Rng) -> float:
        return variates.beta(rng, self.alphas[k], self.betas[k])

    def mean(self, k: int) -> float:
        return self.distribution(k).mean

    def variance(self, k: int) -> float:
        return self.distribution(k).variance

    def size(self) -> int:
        return len(self.alphas)

    def distribution(self, k: int) -> Beta:
        return Beta(self.alphas[k], self.betas[k])

    def invalid(self) -> tuple[str, str, object] | None:
        return unequal_lengths(self)
