"""Arms with Gaussian rewards."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from riskbandits.records import NonNegativeNumbers, Numbers


class GaussianArms(NamedTuple):
    """Arm k pays N(means[k], variances[k]); a variance of 0 is a constant reward.

    >>> arms = GaussianArms(means=[0.1, 0.7], variances=[0.05, 0.5])
    >>> arms.mean(1), arms.variance(1), arms.size()
    (0.7, 0.5, 2)
    """

    means: Numbers
    variances: NonNegativeNumbers

    def draw(self, k: int, rng: Any) -> float:
        """One reward of arm k."""
        return self.means[k] + math.sqrt(self.variances[k]) * rng.standard_normal()

    def mean(self, k: int) -> float:
        """The true mean of arm k."""
        return self.means[k]

    def variance(self, k: int) -> float:
        """The true variance of arm k."""
        return self.variances[k]

    def size(self) -> int:
        """The number of arms."""
        return len(self.means)

    def invalid(self) -> tuple[str, str, object] | None:
        """Means and variances must go together."""
        if len(self.means) == len(self.variances):
            return None
        return ("GaussianArms", f"given as many variances as means ({len(self.means)})", len(self.variances))
