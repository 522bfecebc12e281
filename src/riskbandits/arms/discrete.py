"""Distributions on finitely many rewards: every risk measure of them is that of a weighted sample."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from riskbandits.arms.distribution import Distribution
from riskbandits.numerics.weighted_samples import ROUNDING


class Discrete(Distribution):
    """Rewards `values`, in any order, with probabilities proportional to `weights`.

    >>> Discrete([0.0, 1.0], [0.75, 0.25]).quantile(0.8)
    1.0
    """

    def __init__(self, values: Any, weights: Any) -> None:
        rewards, masses = np.asarray(values, dtype=float), np.asarray(weights, dtype=float)
        order = np.argsort(rewards, kind="stable")
        order = order[masses[order] > 0.0]
        self.values = rewards[order]
        self.weights = masses[order] / masses.sum()
        self.low, self.high = float(self.values[0]), float(self.values[-1])
        # Around a reward that occurs: the squares of large numbers would hide a small variance.
        self.mean = self.low + float(self.weights @ (self.values - self.low))
        self.variance = float(self.weights @ (self.values - self.mean) ** 2)

    def cdf(self, x: float | np.ndarray) -> Any:
        cumulative = np.concatenate([[0.0], np.cumsum(self.weights)])
        return np.minimum(cumulative[np.searchsorted(self.values, x, side="right")], 1.0)

    def quantile(self, u: float | np.ndarray) -> Any:
        """The smallest reward with P(X <= x) >= u."""
        levels = np.asarray(u, dtype=float) * (1.0 - ROUNDING)
        place = np.minimum(np.searchsorted(np.cumsum(self.weights), levels), len(self.values) - 1)
        found = self.values[place]
        return found if found.ndim else float(found)

    def shortfall(self, x: float, power: int) -> float:
        """A sum over the rewards below x."""
        return float(self.weights @ np.maximum(x - self.values, 0.0) ** power)

    def log_mgf(self, s: float) -> float:
        """A sum of exponentials, the largest of which is taken out."""
        exponents = s * self.values
        largest = float(exponents.max())
        return largest + math.log(float(self.weights @ np.exp(exponents - largest)))

    def sample(self) -> tuple[np.ndarray, np.ndarray]:
        """The distribution itself."""
        return self.values, self.weights
