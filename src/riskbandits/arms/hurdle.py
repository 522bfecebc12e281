"""Arms that pay an amount now and then, and otherwise nothing."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from riskbandits.arms.gaussian import Normal
from riskbandits.arms.gaussian_mixture import Mixture
from riskbandits.core.records import ArmNames, NonNegativeNumbers, Numbers, Probabilities, unequal_lengths

if TYPE_CHECKING:
    from riskbandits.types import Rng


class HurdleArms(NamedTuple):
    """Arm k pays N(means[k], variances[k]) with probability `probabilities[k]` and 0 otherwise.

    Use it for a sale or nothing, a click with an amount, a claim: most rewards are exactly 0. With amounts of mean m
    and variance v that come with probability p, the mean is p m and the variance p v + p (1 - p) m^2.

    >>> arms = HurdleArms(probabilities=[0.2, 0.05], means=[10, 100], variances=[0, 25])
    >>> arms.mean(1), arms.variance(1), arms.size()
    (5.0, 476.25, 2)
    """

    probabilities: Probabilities
    means: Numbers
    variances: NonNegativeNumbers
    names: ArmNames = ""

    def draw(self, k: int, rng: Rng) -> float:
        if rng.random() < self.probabilities[k]:
            return self.means[k] + math.sqrt(self.variances[k]) * rng.standard_normal()
        return 0.0

    def mean(self, k: int) -> float:
        return float(self.probabilities[k] * self.means[k])

    def variance(self, k: int) -> float:
        p = self.probabilities[k]
        return float(p * self.variances[k] + p * (1.0 - p) * self.means[k] ** 2)

    def size(self) -> int:
        return len(self.probabilities)

    def distribution(self, k: int) -> Mixture:
        p = float(self.probabilities[k])
        return Mixture([Normal(0.0, 0.0), Normal(self.means[k], self.variances[k])], [1.0 - p, p])

    def invalid(self) -> tuple[str, str, object] | None:
        return unequal_lengths(self)
