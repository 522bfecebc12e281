"""Arms that pay 1 or 0."""

from __future__ import annotations

from typing import Any, NamedTuple

from riskbandits.arms.discrete import Discrete
from riskbandits.core.records import ArmNames, Probabilities


class BernoulliArms(NamedTuple):
    """Arm k pays 1 with probability `probabilities[k]` and 0 otherwise.

    >>> arms = BernoulliArms(probabilities=[0.1, 0.5])
    >>> arms.mean(1), arms.variance(1), arms.size()
    (0.5, 0.25, 2)
    """

    probabilities: Probabilities
    names: ArmNames = ""

    def draw(self, k: int, rng: Any) -> float:
        """One reward of arm k."""
        return 1.0 if rng.random() < self.probabilities[k] else 0.0

    def mean(self, k: int) -> float:
        """The true mean of arm k."""
        return self.probabilities[k]

    def variance(self, k: int) -> float:
        """The true variance of arm k."""
        return self.probabilities[k] * (1.0 - self.probabilities[k])

    def size(self) -> int:
        """The number of arms."""
        return len(self.probabilities)

    def distribution(self, k: int) -> Discrete:
        """All there is to know of arm k's rewards."""
        return Discrete([0.0, 1.0], [1.0 - self.probabilities[k], self.probabilities[k]])

    def binary(self) -> bool:
        """Rewards are 0 or 1: policies for Bernoulli arms may be used."""
        return True
