"""How hard arms are to tell apart: K, the least Kullback-Leibler divergence to an arm that meets a target.

One definition of each formula, on scalars and with `math` alone, so that the theory can lay it over
arrays and policies (IMED, KL-UCB) can compile it.
"""

from __future__ import annotations

import math

from riskbandits.compiling.jit import jitable

# Below this the difference x - ln(1 + x) would lose digits, and its series does not.
SERIES_BELOW = 0.1
# Between these, squares neither overflow nor vanish, in single precision either.
SMALL, LARGE = 1e-17, 1e17


@jitable
def log_excess(x: float) -> float:
    """The excess x - ln(1 + x) for x >= -1: positive, about x^2/2 near 0, with full relative accuracy everywhere."""
    if x <= -1.0:
        return math.inf
    if abs(x) > SERIES_BELOW:
        return x - log_one_plus(x)
    # ln(1 + x) = 2 artanh(r) with r = x/(2 + x), and x - 2 r = x r.
    r = x / (2.0 + x)
    q = r * r
    tail = 1.0 / 3.0 + q * (1.0 / 5.0 + q * (1.0 / 7.0 + q * (1.0 / 9.0 + q * (1.0 / 11.0 + q / 13.0))))
    return r * (x - 2.0 * q * tail)


@jitable
def log_one_plus(x: float) -> float:
    """The logarithm of 1 + x for x > -1, like log1p and faster: the rounding of the sum is made good."""
    rounded = 1.0 + x
    return math.log(rounded) + (x - (rounded - 1.0)) / rounded


@jitable
def h(ratio: float) -> float:
    """Theorem 2's function of a ratio x of variances, (x - 1 - ln x)/2: the divergence from N(m, x v) to N(m, v)."""
    if ratio <= 0.0 or ratio == math.inf:
        return math.inf
    if abs(ratio - 1.0) < 0.5:
        return 0.5 * log_excess(ratio - 1.0)
    return 0.5 * (ratio - 1.0 - math.log(ratio))


@jitable
def bernoulli_divergence(p: float, q: float) -> float:
    """d(p, q) = p ln(p/q) + (1 - p) ln((1 - p)/(1 - q)), written as two terms that are never negative."""
    return _scaled_log_excess(p, q - p) + _scaled_log_excess(1.0 - p, p - q)


@jitable
def _scaled_log_excess(weight: float, shift: float) -> float:
    """The product weight * log_excess(shift/weight), with its limits where weight or weight + shift is 0."""
    if weight <= 0.0:
        return shift
    if weight + shift <= 0.0:
        return math.inf
    if abs(shift) <= 0.5 * weight:
        return weight * log_excess(shift / weight)
    if shift > 1e30 * weight:
        return shift
    return shift - weight * math.log((weight + shift) / weight)


@jitable
def gaussian_k_inf(mean: float, variance: float, target: float, rho: float) -> float:
    """K(m, v; c): the least divergence from N(m, v) to a Gaussian with rho m' - v' >= c; 0 if the target is met."""
    threshold = rho * mean - target
    return gaussian_k_inf_from_gap(variance, threshold, variance - threshold, rho)


@jitable
def gaussian_k_inf_from_gap(variance: float, threshold: float, gap: float, rho: float) -> float:
    """K for an arm `gap` short of its target; `threshold` is the variance at which its own mean would do.

    The two say the same (gap = variance - threshold) and are both asked for, because either may be the
    small difference of large numbers. Moving the mean by x allows the variance v0 + rho x, v0 the threshold;
    at the nearest such Gaussian, with D = sqrt(rho^4 + 4 rho^2 s^2 + 4 v0^2) and b = rho^2 + 2 v0,

        v* = 2 (rho^2 s^2 + v0^2)/(rho^2 + D),   x = 2 rho gap/(b + D),   K = h(s^2/v*) + x^2/(2 v*),

    which holds from rho = 0 on, where v* = v0 and x = 0.
    """
    if gap <= 0.0:
        return 0.0
    if variance <= 0.0:
        return math.inf
    # K is the same in any unit of reward; here the unit is s.
    square = (rho / variance) * rho if variance > SMALL and rho < LARGE else math.inf
    if not (SMALL < square < LARGE and abs(threshold) < LARGE * variance):
        return _gaussian_k_inf_of_any_size(variance, threshold, gap, rho)
    v0 = threshold / variance
    gap = gap / variance
    root = math.sqrt(square * (square + 4.0) + 4.0 * v0 * v0)  # D
    b = square + 2.0 * v0
    twice_precision = (square + root) / (square + v0 * v0)  # 2/v*
    if b >= 0.0:
        move = gap / (b + root)
        displacement = square * move * move * twice_precision
    else:
        displacement = (root - b) * (root - b) * twice_precision / (16.0 * square)
    # s^2/v* - 1 is not computed by subtraction: near a tie the two agree to many digits.
    excess = gap * (1.0 + v0) * twice_precision / (square + 2.0 + root)
    if abs(excess) < 0.5:
        return 0.5 * log_excess(excess) + displacement
    return h(0.5 * twice_precision) + displacement


@jitable
def _gaussian_k_inf_of_any_size(variance: float, threshold: float, gap: float, rho: float) -> float:
    """The same without squares of huge or tiny numbers, and slower."""
    deviation = math.sqrt(variance)
    r = rho / deviation
    v0 = threshold / variance
    # In units of rho these are of a size where gap and threshold in units of the variance are not.
    w = threshold / rho / deviation if r >= 1.0 else 0.0
    step = gap / rho / deviation if r >= 1.0 else 0.0
    gap = gap / variance
    too_large = gap == math.inf or v0 == -math.inf or r == math.inf
    if (too_large and r < 1.0) or (r == 0.0 and v0 <= 0.0):
        return math.inf
    if r < 1.0:
        square = r * r
        root = math.hypot(r * math.hypot(r, 2.0), 2.0 * v0)  # D
        b = square + 2.0 * v0
        nearest = 2.0 * math.hypot(r, v0) * (math.hypot(r, v0) / (square + root))
        move = 2.0 * r * gap / (b + root) if b >= 0.0 else (root - b) / (2.0 * r)
        narrowing = 2.0 * gap * (1.0 + v0) / (square + 2.0 + root)
    else:  # the same, all divided by powers of rho
        if not too_large:
            w = v0 / r
            step = gap / r
        shift = 1.0 / r + w if too_large else (1.0 + v0) / r
        root = math.hypot(math.hypot(1.0, 2.0 / r), 2.0 * w / r)
        b = 1.0 + 2.0 * w / r
        nearest = 2.0 * (1.0 + w * w) / (1.0 + root)
        move = 2.0 * step / (b + root) if b >= 0.0 else 0.5 * r * (root - b)
        narrowing = 2.0 * step * shift / (1.0 + 2.0 / r / r + root)
    if nearest <= 0.0 or nearest == math.inf or move == math.inf:
        return math.inf
    excess = narrowing / nearest
    spread = 0.5 * log_excess(excess) if abs(excess) < 0.5 else h(1.0 / nearest)
    return spread + 0.5 * (move / nearest) * move


@jitable
def bernoulli_k_inf(p: float, target: float, rho: float) -> float:
    """K(p; c): the least divergence from Bernoulli(p) to one with rho q - q (1 - q) >= c; 0 if the target is met."""
    if rho * p - p * (1.0 - p) >= target:
        return 0.0
    # An unmet target lies above the parabola's lowest point, so the root is real up to rounding.
    half = math.sqrt(max(0.0, (1.0 - rho) * (1.0 - rho) + 4.0 * target))
    return bernoulli_k_inf_from_roots(p, 0.5 * (1.0 - rho - half), 0.5 * (1.0 - rho + half))


@jitable
def bernoulli_k_inf_from_roots(p: float, low: float, high: float) -> float:
    """K for p between the two success probabilities that meet the target exactly; one outside (0, 1) is no arm."""
    near, far = (high, low) if abs(high - p) <= abs(low - p) else (low, high)
    least = bernoulli_divergence(p, near) if 0.0 < near < 1.0 else math.inf
    # Further away may still be nearer in divergence, but not beyond Pinsker's d >= 2 (p - q)^2.
    if 0.0 < far < 1.0 and 2.0 * (far - p) * (far - p) < least:
        least = min(least, bernoulli_divergence(p, far))
    return least
