"""The variance, to be made large."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from riskbandits.numerics import weighted_samples

if TYPE_CHECKING:
    import numpy as np

    from riskbandits.types import Cells


class LargestVariance(NamedTuple):
    """The variance: the arm that varies most is the best, whatever its mean.

    Use it to find what moves most, such as the stock whose options are worth most. Regret is the sum of the gaps of the
    arms played: what counts is the variance of each arm, not that of the stream of rewards, which would be larger for a
    mixture of arms with distant means than for any of them (`riskbandits.theory.mixtures`).

    Formula: s^2.
    Reference: Variance-Optimal Arm Selection: Regret Minimization and Best Arm Identification, 2025 (arXiv 2505.11985),
    for the problem.

    >>> LargestVariance().value(0.5, 0.25)
    0.25
    """

    def value(self, mean: float, variance: float) -> float:
        return variance

    def sample_bounds(self, lows: Cells, highs: Cells, weights: Cells) -> tuple[float, float]:
        _, _, calmest, wildest = weighted_samples.moment_box(lows, highs, weights)
        return calmest, wildest

    def influence(self, values: np.ndarray, weights: Cells) -> np.ndarray:
        return weighted_samples.moments_influence(values, weights, 0.0, 1.0)
