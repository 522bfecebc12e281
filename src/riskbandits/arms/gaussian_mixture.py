"""Arms whose rewards are a mixture of Gaussians: mostly calm, occasionally extreme."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.arms.distribution import Distribution
from riskbandits.arms.gaussian import Normal
from riskbandits.compiling.jit import jitable
from riskbandits.core.records import ArmNames, NonNegativeTable, NumberTable, unequal_lengths

if TYPE_CHECKING:
    from riskbandits.types import Cells, Rng


class Mixture(Distribution):
    """One of several distributions, chosen with probabilities proportional to `weights`."""

    def __init__(self, parts: Sequence[Distribution], weights: Any) -> None:
        kept = [k for k, weight in enumerate(weights) if weight > 0.0]
        self.parts = [parts[k] for k in kept]
        self.low, self.high = min(part.low for part in self.parts), max(part.high for part in self.parts)
        self.weights = np.array([weights[k] for k in kept]) / sum(weights[k] for k in kept)
        origin = self.parts[0].mean
        means = np.array([part.mean - origin for part in self.parts])
        shift = float(self.weights @ means)
        self.mean = origin + shift
        within = float(self.weights @ np.array([part.variance for part in self.parts]))
        self.variance = within + float(self.weights @ (means - shift) ** 2)

    def cdf(self, x: float | np.ndarray) -> Any:
        return sum(weight * part.cdf(x) for weight, part in zip(self.weights, self.parts, strict=True))

    def shortfall(self, x: float, power: int) -> float:
        parts = zip(self.weights, self.parts, strict=True)
        return float(sum(weight * part.shortfall(x, power) for weight, part in parts))

    def log_mgf(self, s: float) -> float:
        """The logarithm of the parts' average, the largest taken out."""
        logs = [part.log_mgf(s) for part in self.parts]
        largest = max(logs)
        return largest + math.log(float(self.weights @ np.exp(np.array(logs) - largest)))


@jitable
def drawn_part(weights: Cells, k: int, rng: Rng) -> int:
    """A column of row k, with probability proportional to its weight."""
    parts = weights.shape[1]
    total = 0.0
    for j in range(parts):
        total += weights[k, j]
    left = total * rng.random()
    part = -1
    for j in range(parts):
        if weights[k, j] > 0.0 and left >= 0.0:
            part = j
            left -= weights[k, j]
    return part


class GaussianMixtureArms(NamedTuple):
    """Arm k pays N(means[k][j], variances[k][j]) with probability proportional to weights[k][j].

    Use it for rewards with several modes, or with rare large losses. Every arm has the same number of parts; a weight
    of 0 leaves one out.

    >>> arms = GaussianMixtureArms(weights=[[0.9, 0.1]], means=[[1.0, -4.0]], variances=[[0.1, 1.0]])
    >>> arms.mean(0), round(arms.variance(0), 3)
    (0.5, 2.44)
    """

    weights: NonNegativeTable
    means: NumberTable
    variances: NonNegativeTable
    names: ArmNames = ""

    def draw(self, k: int, rng: Rng) -> float:
        part = drawn_part(self.weights, k, rng)
        return self.means[k, part] + math.sqrt(self.variances[k, part]) * rng.standard_normal()

    def mean(self, k: int) -> float:
        return self.distribution(k).mean

    def variance(self, k: int) -> float:
        return self.distribution(k).variance

    def size(self) -> int:
        return len(self.weights)

    def distribution(self, k: int) -> Mixture:
        pairs = zip(self.means[k], self.variances[k], strict=True)
        return Mixture([Normal(mean, variance) for mean, variance in pairs], [float(w) for w in self.weights[k]])

    def invalid(self) -> tuple[str, str, object] | None:
        """Tables of one shape, and some weight in every row."""
        return unequal_lengths(self) or unfit_tables(self, ("means", "variances"))


def unfit_tables(arms: Any, fields: Sequence[str]) -> tuple[str, str, object] | None:
    """What is wrong with a mixture's tables, which must have the shape of its weights, and some weight in every row."""
    name, parts = type(arms).__name__, arms.weights.shape[1]
    widths = tuple(getattr(arms, field).shape[1] for field in fields)
    if any(width != parts for width in widths):
        return (name, f"given as many {' and '.join(fields)} as weights per arm ({parts})", widths)
    for k in range(len(arms.weights)):
        if not arms.weights[k].sum() > 0.0:
            return (f"{name}, arm {k},", "given a positive weight", arms.weights[k].tolist())
    return None
