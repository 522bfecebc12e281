"""Arms with Gaussian rewards that are limited to an interval."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.arms.distribution import Distribution
from riskbandits.compiling.jit import jitable
from riskbandits.core.records import ArmNames, Numbers, PositiveNumbers, unequal_lengths
from riskbandits.numerics.normal import normal_cdf, normal_density, normal_quantile

if TYPE_CHECKING:
    from riskbandits.types import Rng


@jitable
def truncated_normal(low: float, high: float, u: float) -> float:
    """The quantile at u of a standard normal limited to [low, high], accurate in both tails."""
    if low > 0.0:  # there the distribution function is all nines: reflect
        below = normal_cdf(-high)
        z = -normal_quantile(below + (1.0 - u) * (normal_cdf(-low) - below))
    else:
        below = normal_cdf(low)
        z = normal_quantile(below + u * (normal_cdf(high) - below))
    return min(max(z, low), high)


class TruncatedNormal(Distribution):
    """N(location, scale^2) given that it lies in [low, high]."""

    def __init__(self, location: float, scale: float, low: float, high: float) -> None:
        # Reflected if the interval is above the location, so that probabilities are small numbers, not nines.
        self.sign = -1.0 if low > location else 1.0
        self.location, self.scale, self.low, self.high = float(location), float(scale), float(low), float(high)
        a, b = (self.low - self.location) / self.scale, (self.high - self.location) / self.scale
        self.a, self.b = (a, b) if self.sign > 0.0 else (-b, -a)
        self.mass = normal_cdf(self.b) - normal_cdf(self.a)
        shift = (normal_density(self.a) - normal_density(self.b)) / self.mass
        spread = (self.a * normal_density(self.a) - self.b * normal_density(self.b)) / self.mass
        self.mean = self.location + self.sign * self.scale * shift
        self.variance = self.scale**2 * (1.0 + spread - shift**2)

    def cdf(self, x: float | np.ndarray) -> Any:
        from scipy.special import ndtr

        z = np.clip(self.sign * (np.asarray(x) - self.location) / self.scale, self.a, self.b)
        edge = self.a if self.sign > 0.0 else self.b
        return np.clip(self.sign * (ndtr(z) - ndtr(edge)) / self.mass, 0.0, 1.0)

    def quantile(self, u: float | np.ndarray) -> Any:
        a, b = (self.low - self.location) / self.scale, (self.high - self.location) / self.scale
        shares = np.asarray(u, dtype=float)
        found = np.array([truncated_normal(a, b, one) for one in shares.ravel().tolist()]).reshape(shares.shape)
        found = self.location + self.scale * found
        return found if np.ndim(found) else float(found)

    def log_mgf(self, s: float) -> float:
        """An exponential tilt moves the location by s scale^2."""
        tilted = TruncatedNormal(self.location + s * self.scale**2, self.scale, self.low, self.high)
        return s * self.location + 0.5 * (s * self.scale) ** 2 + math.log(tilted.mass / self.mass)


class TruncatedGaussianArms(NamedTuple):
    """Arm k pays N(locations[k], scales[k]^2), given that it lies between `lows[k]` and `highs[k]`.

    Use it for Gaussian-like rewards that have bounds. For a bound on one side only, put the other 40 scales away.

    >>> arms = TruncatedGaussianArms(locations=[0.0], scales=[1.0], lows=[0.0], highs=[40.0])
    >>> round(arms.mean(0), 4), round(arms.variance(0), 4)
    (0.7979, 0.3634)
    """

    locations: Numbers
    scales: PositiveNumbers
    lows: Numbers
    highs: Numbers
    names: ArmNames = ""

    def draw(self, k: int, rng: Rng) -> float:
        location, scale = self.locations[k], self.scales[k]
        z = truncated_normal((self.lows[k] - location) / scale, (self.highs[k] - location) / scale, rng.random())
        return location + scale * z

    def mean(self, k: int) -> float:
        return self.distribution(k).mean

    def variance(self, k: int) -> float:
        return self.distribution(k).variance

    def size(self) -> int:
        return len(self.locations)

    def distribution(self, k: int) -> TruncatedNormal:
        return TruncatedNormal(self.locations[k], self.scales[k], self.lows[k], self.highs[k])

    def invalid(self) -> tuple[str, str, object] | None:
        """One number per arm in every field, and an interval per arm within reach of the Gaussian."""
        if refusal := unequal_lengths(self):
            return refusal
        for k in range(len(self.lows)):
            if refusal := unfit_interval(self, k, self.locations[k], self.scales[k]):
                return refusal
        return None


def unfit_interval(arms: Any, k: int, location: float, scale: float) -> tuple[str, str, object] | None:
    """What is wrong with arm k's interval, which must be one, and within reach of the Gaussian."""
    name, low, high = f"{type(arms).__name__}, arm {k},", arms.lows[k], arms.highs[k]
    if not low < high:
        return (name, f"given a high above its low ({low:g})", high)
    distance = max(low - location, location - high) / scale
    if distance > 30.0:
        return (name, "given an interval at most 30 scales from its location", f"one at a distance of {distance:g}")
    return None
