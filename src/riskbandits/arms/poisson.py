"""Arms with Poisson rewards: counts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskbandits.arms.discrete import Discrete
from riskbandits.core.records import ArmNames, NonNegativeNumbers
from riskbandits.numerics.variates import poisson

if TYPE_CHECKING:
    from riskbandits.types import Rng

DEVIATIONS = 12.0  # counts farther from the mean have no probability that a double would notice


class PoissonArms(NamedTuple):
    """Arm k pays a count with mean and variance rates[k] >= 0.

    Use it for numbers of events, such as clicks per day.

    >>> arms = PoissonArms(rates=[0.5, 30.0])
    >>> arms.mean(1) == arms.variance(1) == 30.0
    True
    """

    rates: NonNegativeNumbers
    names: ArmNames = ""

    def draw(self, k: int, rng: Rng) -> float:
        return poisson(rng, self.rates[k])

    def mean(self, k: int) -> float:
        return self.rates[k]

    def variance(self, k: int) -> float:
        return self.rates[k]

    def size(self) -> int:
        return len(self.rates)

    def distribution(self, k: int) -> Discrete:
        """All there is to know of arm k's rewards, except for counts too large ever to occur."""
        from scipy.special import gammaln, xlogy

        rate = float(self.rates[k])
        counts = np.arange(math.ceil(rate + DEVIATIONS * math.sqrt(rate)) + 40.0)
        found = Discrete(counts, np.exp(xlogy(counts, rate) - rate - gammaln(counts + 1.0)))
        found.high = math.inf if rate > 0.0 else 0.0
        return found
