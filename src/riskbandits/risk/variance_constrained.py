"""The mean, of arms whose variance is small enough."""

from __future__ import annotations

from typing import NamedTuple

from riskbandits.core.records import Finite, NonNegative


class VarianceConstrained(NamedTuple):
    """The mean of an arm whose variance is at most `limit`; any other arm is worth less than all of these.

    Use it when risk is a constraint rather than a price: the best mean among the arms whose variance is small enough.

    Formula: mu if s^2 <= limit, else lowest - (s^2 - limit). `lowest` is a lower bound on all means: 0 for rewards
    between 0 and 1. If no arm satisfies the limit, the one with the smallest variance is best, and `identify` names
    none.

    >>> VarianceConstrained(limit=0.2).value(0.7, 0.1), round(VarianceConstrained(limit=0.2).value(0.9, 0.25), 3)
    (0.7, -0.05)
    """

    limit: NonNegative = 0.2
    lowest: Finite = 0.0

    def value(self, mean: float, variance: float) -> float:
        return mean if variance <= self.limit else self.lowest - (variance - self.limit)

    def admits(self, mean: float, variance: float) -> bool:
        """Whether such a distribution meets the condition."""
        return variance <= self.limit
