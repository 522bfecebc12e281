"""The largest value that an arm may have within a given divergence of its sample: the inverse of K.

Both forms look for the root of a function by Halley's steps, which triple the number of right digits, kept between
bounds. The last step is small, so what it changes is had from a few terms of a series rather than from `exp` again.
"""

from __future__ import annotations

import math

from riskbandits.compiling.jit import jitable
from riskbandits.numerics.divergences import log_one_plus

MAXIMUM_STEPS = 100
LAST_STEP = 1e-3  # of the scale on which the function bends: what remains after it is below 1e-9 of that
LARGEST_EXPONENT, LEAST_SHARE = 80.0, 1e-30  # beyond them single precision overflows, and zero will do
LEAST_DIFFERENCE = 1e-5  # of logits: below it two terms of a series are as good as double precision allows


@jitable
def gaussian_value_bound(mean: float, variance: float, rho: float, divergence: float) -> float:
    """Max rho m' - v' over Gaussians N(m', v') with KL(N(m, s^2), N(m', v')) <= divergence.

    For v' = s^2 e^y the best mean is m + s sqrt(q), q(y) = e^y (1 + 2d - y) - 1, and the value is concave in v'. Its
    derivative vanishes where 4 q = (rho/s)^2 (2d - y)^2; the difference of the two sides increases from
    y = -2 sqrt(d), where q <= 0, to y = 2d. The value being flat at its optimum, the error in its place is squared.
    """
    if variance <= 0.0 or divergence <= 0.0:
        return rho * mean - variance
    deviation = math.sqrt(variance)
    ratio = (rho / deviation) * (rho / deviation)
    low = -2.0 * math.sqrt(divergence)
    high = 2.0 * divergence
    y = _first_guess(ratio, high)
    if not low < y < high:
        y = -math.sqrt(8.0 * divergence / (ratio + 2.0))
    scale = 1.0
    step = 0.0
    for _ in range(MAXIMUM_STEPS):
        left = 2.0 * divergence - y
        scale = math.exp(y)
        excess = 4.0 * (scale * (1.0 + left) - 1.0) - ratio * left * left
        if excess > 0.0:
            high = y
        else:
            low = y
        bend = 4.0 * scale + 2.0 * ratio
        newton = excess / (left * bend)
        step = newton / (1.0 - 0.5 * newton * (4.0 * scale / bend - 1.0 / left))
        if not low <= y - step <= high:
            step = y - 0.5 * (low + high)
        y -= step
        if abs(step) <= LAST_STEP * min(1.0, left):
            break
    scale *= _exp_of_little(-step)
    q = scale * (1.0 + 2.0 * divergence - y) - 1.0
    return rho * (mean + deviation * math.sqrt(max(q, 0.0))) - variance * scale


@jitable
def _exp_of_little(x: float) -> float:
    """The exponential of a number as small as a last step."""
    return 1.0 + x * (1.0 + x * (0.5 + x * (1.0 / 6.0 + x / 24.0)))


@jitable
def _first_guess(ratio: float, high: float) -> float:
    """Where the excess of `gaussian_value_bound` vanishes if e^y is replaced by its terms up to the square."""
    bend = ratio + 2.0 - 2.0 * high
    square = high * (4.0 * (ratio + 2.0) + high * (2.0 * ratio - 4.0 + 2.0 * ratio * high))
    if bend < 0.5 * (ratio + 2.0) or square < 0.0:
        return math.nan
    return (high * (2.0 + ratio) - math.sqrt(square)) / bend


@jitable
def bernoulli_value_bound(p: float, rho: float, divergence: float) -> float:
    """The largest rho q - q (1 - q) over q with d(p, q) <= divergence.

    It is a parabola, lowest in the middle (1 - rho)/2, so the best q is the end that is further from there. The end on
    the other side of the middle than p is looked for only if it may be: d(p, q) >= 2 (p - q)^2.
    """
    middle = 0.5 * (1.0 - rho)
    furthest = math.sqrt(0.5 * max(divergence, 0.0))
    if p >= middle:
        end = _upper_end(p, divergence)
        if middle - max(0.0, p - furthest) > end - middle:
            other = bernoulli_lower_end(p, divergence)
            end = other if middle - other > end - middle else end
    else:
        end = bernoulli_lower_end(p, divergence)
        if min(1.0, p + furthest) - middle > middle - end:
            other = _upper_end(p, divergence)
            end = other if other - middle > middle - end else end
    return rho * end - end * (1.0 - end)


@jitable
def bernoulli_lower_end(p: float, divergence: float) -> float:
    """The smallest q with d(p, q) <= divergence."""
    return 1.0 - _upper_end(1.0 - p, divergence)


@jitable
def _upper_end(p: float, divergence: float) -> float:
    """The largest q with d(p, q) <= divergence.

    With x > 0 the difference of the logits of q and p, w = e^-x and r = 1 - p, q = p/(p + r w) and
    d(p, q) = r x + ln(p + r w), which has the derivatives q - p and q (1 - q). The root is looked for on the scale of
    u = sqrt(2 d), which is nearly a line in x.
    """
    if divergence <= 0.0 or p >= 1.0:
        return p
    if p <= LEAST_SHARE:
        return -math.expm1(-divergence)
    rest = 1.0 - p
    goal = math.sqrt(2.0 * divergence)
    # Near x = 0, u = x sqrt(p r) (1 + (1 - 2 p) x/6 + ...).
    x = goal / math.sqrt(p * rest)
    skew = (rest - p) * x / 6.0
    if skew > 1.0:  # few successes, q far above p: d(p, q) is nearly, and at most, ln(r + p e^x)
        x = math.log1p(math.expm1(min(divergence, LARGEST_EXPONENT)) / p)
    elif skew > 0.0:
        x = x / (1.0 + skew)
    else:
        x = x * (1.0 - skew)
    if x < LEAST_DIFFERENCE:
        return p / (p + rest * math.exp(-x))
    low, high = 0.0, math.inf
    w = 1.0
    step = 0.0
    for _ in range(MAXIMUM_STEPS):
        w = math.exp(-x)
        share = p + rest * w
        found = rest * x + (math.log(share) if share < 0.5 else log_one_plus(-rest * (1.0 - w)))
        if found > divergence:
            high = x
        else:
            low = x
        if not found > 0.0:  # lost in rounding
            x = 2.0 * x
            continue
        slope = rest * (1.0 - w) * p / share  # q - p
        u = math.sqrt(2.0 * found)
        newton = u * (u - goal) / slope
        bend = w / ((1.0 - w) * share) - slope / (u * u)
        step = newton / max(0.5, 1.0 - 0.5 * newton * bend)
        if not low <= x - step <= high:
            step = x - 0.5 * (low + high) if high < math.inf else -x
        x -= step
        if abs(step) <= LAST_STEP * min(1.0, x):
            break
    return p / (p + rest * w * _exp_of_little(step))
