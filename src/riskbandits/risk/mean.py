"""The mean: the ordinary bandit."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from riskbandits.numerics import weighted_samples

if TYPE_CHECKING:
    from riskbandits.types import Cells


class Mean(NamedTuple):
    """The mean, whatever the spread.

    Use it for the ordinary bandit, or to see what minding the risk costs.

    Formula: mu.

    >>> Mean().value(0.5, 0.25)
    0.5
    """

    def value(self, mean: float, variance: float) -> float:
        """The value of a distribution with this mean and variance."""
        return mean

    def sample_bounds(self, lows: Cells, highs: Cells, weights: Cells) -> tuple[float, float]:
        """Bounds when masses lie between lows and highs."""
        return weighted_samples.mean(lows, weights), weighted_samples.mean(highs, weights)
