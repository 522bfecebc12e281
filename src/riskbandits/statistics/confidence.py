"""The largest value that an arm may have within a given divergence of its sample: the inverse of K."""

from __future__ import annotations

import math

from riskbandits.compiled import function
from riskbandits.statistics.divergences import bernoulli_divergence

MAXIMUM_STEPS = 100
# The optimum is flat: an error of this size in its place is squared in the value.
TOLERANCE = 1e-9


@function
def gaussian_value_bound(mean: float, variance: float, rho: float, divergence: float) -> float:
    """Max rho m' - v' over Gaussians N(m', v') with KL(N(m, s^2), N(m', v')) <= divergence.

    For v' = s^2 e^y the best mean is m + s sqrt(q), q(y) = e^y (1 + 2d - y) - 1, and the value is concave in v'. Its
    derivative vanishes where 4 q = (rho/s)^2 (2d - y)^2; the difference of the two sides increases from
    y = -2 sqrt(d), where q <= 0, to y = 2d, so Newton's steps are kept between the two.
    """
    if variance <= 0.0 or divergence <= 0.0:
        return rho * mean - variance
    deviation = math.sqrt(variance)
    ratio = (rho / deviation) * (rho / deviation)
    low = -2.0 * math.sqrt(divergence)
    high = 2.0 * divergence
    y = -math.sqrt(8.0 * divergence / (ratio + 2.0))
    for _ in range(MAXIMUM_STEPS):
        left = 2.0 * divergence - y
        scale = math.exp(y)
        excess = 4.0 * (scale * (1.0 + left) - 1.0) - ratio * left * left
        if excess > 0.0:
            high = y
        else:
            low = y
        step = excess / (left * (4.0 * scale + 2.0 * ratio))
        nearer = y - step
        if not low < nearer < high:
            nearer = 0.5 * (low + high)
        moved = abs(nearer - y)
        y = nearer
        if moved <= TOLERANCE * (1.0 + abs(y)):
            break
    q = math.exp(y) * (1.0 + 2.0 * divergence - y) - 1.0
    return rho * (mean + deviation * math.sqrt(max(q, 0.0))) - variance * math.exp(y)


@function
def bernoulli_value_bound(p: float, rho: float, divergence: float) -> float:
    """Max rho q - q (1 - q) over q with d(p, q) <= divergence: a convex function has it at an end of the interval."""
    low = _interval_end(p, 0.0, divergence)
    high = _interval_end(p, 1.0, divergence)
    return max(rho * low - low * (1.0 - low), rho * high - high * (1.0 - high))


@function
def _interval_end(p: float, side: float, divergence: float) -> float:
    """The q between p and `side` (0 or 1) that is furthest from p with d(p, q) <= divergence; by bisection."""
    inside = p
    outside = side
    for _ in range(MAXIMUM_STEPS):
        middle = 0.5 * (inside + outside)
        if abs(outside - inside) <= 1e-12:
            break
        if bernoulli_divergence(p, middle) <= divergence:
            inside = middle
        else:
            outside = middle
    return inside
