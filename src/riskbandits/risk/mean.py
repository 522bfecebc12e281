"""The mean: the classical bandit."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from riskbandits.numerics import weighted_samples

if TYPE_CHECKING:
    import numpy as np

    from riskbandits.types import Cells


class Mean(NamedTuple):
    """The mean, regardless of the spread.

    Use it for the classical bandit, or to see what risk aversion costs.

    Formula: mu.

    >>> Mean().value(0.5, 0.25)
    0.5
    """

    def value(self, mean: float, variance: float) -> float:
        return mean

    def sample_bounds(self, lows: Cells, highs: Cells, weights: Cells) -> tuple[float, float]:
        return weighted_samples.mean(lows, weights), weighted_samples.mean(highs, weights)

    def influence(self, values: np.ndarray, weights: Cells) -> np.ndarray:
        return weighted_samples.moments_influence(values, weights, 1.0, 0.0)
