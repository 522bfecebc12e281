"""Arms that pay 1 or 0."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from riskbandits.arms.discrete import Discrete
from riskbandits.core.records import ArmNames, Probabilities
from riskbandits.numerics import lundberg
from riskbandits.numerics.batch_sums import binomial

if TYPE_CHECKING:
    from riskbandits.types import Rng


class BernoulliArms(NamedTuple):
    """Arm k pays 1 with probability `probabilities[k]` and 0 otherwise.

    >>> arms = BernoulliArms(probabilities=[0.1, 0.5])
    >>> arms.mean(1), arms.variance(1), arms.size()
    (0.5, 0.25, 2)
    """

    probabilities: Probabilities
    names: ArmNames = ""

    def draw(self, k: int, rng: Rng) -> float:
        return 1.0 if rng.random() < self.probabilities[k] else 0.0

    def draw_many(self, k: int, count: float, rng: Rng) -> tuple[float, float]:
        """Mean and sum of squared deviations of so many rewards: a binomial number of them are 1."""
        mean = binomial(rng, count, self.probabilities[k]) / count
        return mean, count * mean * (1.0 - mean)

    def mean_exponent(self, k: int, slack: float, side: float) -> float:
        """A walk that falls is one that rises for the other outcome."""
        p = self.probabilities[k] if side < 0.0 else 1.0 - self.probabilities[k]
        return lundberg.two_point(1.0 - p, p - slack, 1.0 - p + slack)

    def square_exponent(self, k: int, level: float) -> float:
        """The rarer outcome is the one farther from the mean."""
        rare = min(self.probabilities[k], 1.0 - self.probabilities[k])
        return lundberg.two_point(rare, (1.0 - rare) ** 2 - level, level - rare * rare)

    def mean(self, k: int) -> float:
        return self.probabilities[k]

    def variance(self, k: int) -> float:
        return self.probabilities[k] * (1.0 - self.probabilities[k])

    def size(self) -> int:
        return len(self.probabilities)

    def distribution(self, k: int) -> Discrete:
        return Discrete([0.0, 1.0], [1.0 - self.probabilities[k], self.probabilities[k]])

    def binary(self) -> bool:
        """Rewards are 0 or 1: policies for Bernoulli arms may be used."""
        return True
