"""The largest value that an arm may have within a given divergence of its sample: the inverse of K."""

from __future__ import annotations

import math

from riskbandits.compiled import function

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
    """The largest rho q - q (1 - q) over q with d(p, q) <= divergence; being convex in q, it is at an end."""
    high = _upper_end(p, divergence)
    value = rho * high - high * (1.0 - high)
    if rho >= 1.0:  # increasing in q
        return value
    low = bernoulli_lower_end(p, divergence)
    return max(value, rho * low - low * (1.0 - low))


@function
def bernoulli_lower_end(p: float, divergence: float) -> float:
    """The smallest q with d(p, q) <= divergence."""
    return 1.0 - _upper_end(1.0 - p, divergence)


@function
def _upper_end(p: float, divergence: float) -> float:
    """The largest q with d(p, q) <= divergence.

    With q = 1/(1 + e^-z) the divergence is ln(1 + e^z) - p z less the entropy of p: convex in z, with slope q - p. It
    is at least 2 (q - p)^2 and (1 - p) z - ln 2, so Newton's steps from either place approach the end from above.
    """
    if divergence <= 0.0 or p >= 1.0:
        return p
    z = (divergence + math.log(2.0)) / (1.0 - p)
    reach = p + math.sqrt(0.5 * divergence)
    if reach < 1.0:
        z = min(z, math.log(reach / (1.0 - reach)))
    entropy = -(1.0 - p) * math.log1p(-p)
    if p > 0.0:
        entropy -= p * math.log(p)
    q = 1.0
    for _ in range(MAXIMUM_STEPS):
        small = math.exp(-abs(z))
        rest = small / (1.0 + small)
        # Near p = 1 z is huge: z - p z and q - p as they stand would be nothing but rounding.
        if z > 0.0:
            q, slope, linear = 1.0 / (1.0 + small), (1.0 - p) - rest, (1.0 - p) * z
        else:
            q, slope, linear = rest, rest - p, -p * z
        excess = linear + math.log1p(small) - entropy - divergence
        if excess <= TOLERANCE * divergence:
            break
        z -= excess / slope
    return q
