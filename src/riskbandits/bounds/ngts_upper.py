"""The upper tail of rho theta - v for y ~ Gamma(alpha, rate 1), v = beta/y and theta ~ N(m, v/T), the Normal-Gamma
posterior of `NGTS`: how much it weighs, and draws from it.

With theta = m + Z sqrt(v/T) and D = rho m - c the event rho theta - v >= c is Z >= g(y), where g = A - B,

    A = sqrt(T beta/y)/rho,    B = D sqrt(T y/beta)/rho.

In x = ln y the density's logarithm less g^2/2 is concave, and its highest point on the border solves a quadratic:
(1 + q) y^2 - alpha y - p = 0 with p = T beta/(2 rho^2), q = T D^2/(2 rho^2 beta). Around that point (y0, Z0) stand
four envelopes with a closed mass, three of them with one variable exact, and the other bounded by an exponential
beyond its smallest value:

    BEHIND            D < 0: Z bounded, g by its tangent in ln y, in which it is convex: y is Gamma of another shape
    MEAN_LEADS        D >= 0: Z bounded, g by its tangent in y: y is Gamma of another rate
    PRECISION_LEADS   D > 0: y bounded, its smallest value h(Z) by its tangent: Z is a shifted normal
    BETWEEN           D < 0: both bounded: ln y by a constant around the point and by tangents on both sides of it, Z as
                      a normal, or an exponential, beyond g(y)

The last is for an arm whose rewards were nearly equal. It is better by luck in its variance alone: y must be as small
as beta, but not much smaller, and only this envelope sees that.

Proposals are thinned back to the density, so the envelope decides only how often one is made.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskbandits.compiling.jit import jitable
from riskbandits.numerics.special import log_gamma_density, log_normal_density
from riskbandits.numerics.tails import NOT_SMALL, low_gamma_share
from riskbandits.numerics.variates import exponential, gamma

if TYPE_CHECKING:
    from riskbandits.types import Cells, RiskMeasure, Rng

BEHIND, MEAN_LEADS, PRECISION_LEADS, BETWEEN = 0.0, 1.0, 2.0, 3.0
FORM, POINT, DEPTH, TILT, SLOPE = range(5)  # cells of an envelope: y0, Z0, and the slopes of the bounds
LEAST_DEPTH = 0.5  # an exponential says little about a normal nearer to its centre than this
IMPOSSIBLE = -math.inf
WIDE = 0.25  # of the density's curvature: an envelope with less is not tried alone
TOUCHING = math.sqrt(2.0)  # deviations from the point at which tangents touch: best for a normal density
NORMAL_TAIL = math.sqrt(0.5 * math.pi)  # the integral of exp(-s^2/2) for s > 0


@jitable
def floor(m: float, count: float, alpha: float, beta: float, risk: RiskMeasure, z: float) -> float:
    """A score about z deviations below an arm's usual ones."""
    share = low_gamma_share(alpha, z)
    if not share > 0.0 or not beta >= 0.0:
        return -math.inf
    variance = beta / alpha
    return risk.value(m - z * math.sqrt(variance / count), variance / share)


@jitable
def log_mass(m: float, count: float, alpha: float, beta: float, rho: float, c: float, cells: Cells, k: int) -> float:
    """Logarithm of the envelope's mass; what `proposal` needs is written to row k of `cells`."""
    reach = rho * m - c  # D
    if not beta >= 0.0 or not alpha > 0.0 or not math.isfinite(reach):
        return NOT_SMALL
    if beta == 0.0:  # every draw is the mean, without a variance
        return IMPOSSIBLE if reach < 0.0 else NOT_SMALL
    if rho == 0.0 and reach <= 0.0:
        return IMPOSSIBLE
    square = rho * rho
    # The quadratic times rho^2, whose root stays where it is when rho is 0.
    leading = square + 0.5 * count * reach * reach / beta
    y = 0.5 * (alpha * square + math.hypot(alpha * square, math.sqrt(2.0 * leading * count * beta))) / leading
    if not (math.isfinite(y) and y > 0.0):
        return NOT_SMALL
    cells[k, POINT] = y
    deviation = math.sqrt(beta / y)
    if reach < 0.0:
        by_mean, curvature = _log_mass_behind(count, alpha, rho, reach, deviation, cells, k)
        if curvature < WIDE:
            between = _log_mass_between(count, alpha, beta, rho, reach, y)
            if between < by_mean:
                cells[k, FORM] = BETWEEN
                return between
        return by_mean
    if y <= alpha:  # the likeliest of all points is in the set
        return NOT_SMALL
    # A + B is this over rho. Z0 = A - B without cancellation: y - alpha = (A^2 - B^2)/2 at the point.
    width = math.sqrt(count) * (deviation + reach / deviation)
    depth = 2.0 * (y - alpha) * rho / width
    cells[k, DEPTH] = depth
    by_mean = NOT_SMALL
    if depth > LEAST_DEPTH:
        by_mean = log_normal_density(depth) - math.log(depth) + (alpha - y) - alpha * math.log(alpha / y)
    by_precision = NOT_SMALL
    slope = 1.0 - (alpha - 1.0) / y
    tilt = -2.0 * y * rho / width  # the slope of h at Z0
    if alpha >= 1.0 and slope > 0.0 and reach > 0.0:
        lean = slope * tilt
        by_precision = log_gamma_density(alpha, y) - math.log(slope) + lean * depth + 0.5 * lean * lean
    if by_mean < by_precision:
        cells[k, FORM] = MEAN_LEADS
        cells[k, TILT] = (alpha - y) / y
        return by_mean
    cells[k, FORM] = PRECISION_LEADS
    cells[k, TILT] = tilt
    cells[k, SLOPE] = slope
    return by_precision


@jitable
def _log_mass_behind(
    count: float, alpha: float, rho: float, reach: float, deviation: float, cells: Cells, k: int
) -> tuple[float, float]:
    """And how many times the curvature in ln y, at the point, of this envelope is that of the density."""
    y = cells[k, POINT]
    root = math.sqrt(count) / rho
    depth = root * (deviation - reach / deviation)
    slope = -0.5 * root * (deviation + reach / deviation)
    shape = alpha - depth * slope
    cells[k, DEPTH] = depth
    if not (depth > LEAST_DEPTH and shape > 0.0 and math.isfinite(depth)):
        return NOT_SMALL, 0.0
    cells[k, FORM] = BEHIND
    cells[k, TILT] = alpha - shape
    gammas = math.lgamma(shape) - math.lgamma(alpha)
    mass = log_normal_density(depth) - math.log(depth) + (alpha - shape) * math.log(y) + gammas
    return mass, shape / (y + slope * slope + 0.25 * depth * depth)


@jitable
def _log_mass_between(count: float, alpha: float, beta: float, rho: float, reach: float, y: float) -> float:
    first, rise = _side(count, alpha, beta, rho, reach, y, -1.0)
    last, fall = _side(count, alpha, beta, rho, reach, y, 1.0)
    width = last - first + 1.0 / rise + 1.0 / fall
    if not (rise > 0.0 and fall > 0.0 and math.isfinite(width)):
        return NOT_SMALL
    depth = _border(count, beta, rho, reach, y)
    beyond = min(NORMAL_TAIL, 1.0 / _least_border(count, rho, reach))
    density = alpha * math.log(y) - y - math.lgamma(alpha)
    return log_normal_density(depth) + math.log(beyond) + density + math.log(width)


@jitable
def _border(count: float, beta: float, rho: float, reach: float, y: float) -> float:
    """g(y)"""
    deviation = math.sqrt(beta / y)
    return math.sqrt(count) / rho * (deviation - reach / deviation)


@jitable
def _least_border(count: float, rho: float, reach: float) -> float:
    """The least g(y) of all y, for D < 0."""
    return 2.0 * math.sqrt(-reach * count) / rho


@jitable
def _side(
    count: float, alpha: float, beta: float, rho: float, reach: float, y: float, side: float
) -> tuple[float, float]:
    """The tangent, on one side of the point, to the logarithm of the density on the border, as a function of ln y/y0:
    where it is as high as the point, and how fast it falls from there on.
    """
    above = math.sqrt(count * beta / y) / rho
    below = -reach * math.sqrt(count * y / beta) / rho
    slope = 0.5 * (below - above)
    depth = above + below
    x = side * TOUCHING / math.sqrt(y + slope * slope + 0.25 * depth * depth)
    there_above = above * math.exp(-0.5 * x)
    there_below = below * math.exp(0.5 * x)
    there = there_above + there_below
    height = alpha * x - y * math.expm1(x) - 0.5 * (there - depth) * (there + depth)
    falls = side * (y * math.exp(x) - alpha + 0.5 * there * (there_below - there_above))
    return x + side * height / falls, falls


@jitable
def proposal(
    m: float, count: float, alpha: float, beta: float, rho: float, c: float, cells: Cells, k: int, rng: Rng
) -> tuple[float, float]:
    """One thinned draw of Z and v, from the envelope in row k of `cells`; NaN if not kept."""
    reach = rho * m - c
    y0 = cells[k, POINT]
    z0 = cells[k, DEPTH]
    tilt = cells[k, TILT]
    root = math.sqrt(count)
    if cells[k, FORM] == PRECISION_LEADS:
        slope = cells[k, SLOPE]
        z = rng.standard_normal() - slope * tilt
        shift = rho * z / root  # h(Z) is beta over the square of the larger root s of s^2 - shift s - D
        width = math.sqrt(shift * shift + 4.0 * reach)
        larger = 0.5 * (width + shift) if shift >= 0.0 else 2.0 * reach / (width - shift)
        lowest = beta / (larger * larger)
        y = lowest + exponential(rng) / slope
        log_kept = (alpha - 1.0) * math.log(y / y0) - (y - y0) + slope * (y - lowest) + slope * tilt * (z - z0)
    elif cells[k, FORM] == BETWEEN:
        first, rise = _side(count, alpha, beta, rho, reach, y0, -1.0)
        last, fall = _side(count, alpha, beta, rho, reach, y0, 1.0)
        x = first + rng.random() * (last - first + 1.0 / rise + 1.0 / fall) - 1.0 / rise
        bound = 0.0
        if x < first:
            bound = -exponential(rng)
            x = first + bound / rise
        elif x > last:
            bound = -exponential(rng)
            x = last - bound / fall
        y = y0 * math.exp(x)
        least = _border(count, beta, rho, reach, y)
        rate = _least_border(count, rho, reach)
        log_kept = alpha * x - y0 * math.expm1(x) - 0.5 * (least - z0) * (least + z0) - bound
        if rate * NORMAL_TAIL > 1.0:
            beyond = exponential(rng) / rate
            log_kept -= (least - rate) * beyond + 0.5 * beyond * beyond
        else:
            beyond = abs(rng.standard_normal())
            log_kept -= least * beyond
        z = least + beyond
    else:
        if cells[k, FORM] == BEHIND:
            y = gamma(rng, alpha - tilt)
            bound = tilt * math.log(y / y0)
        else:
            y = gamma(rng, alpha) / (1.0 + tilt)
            bound = tilt * (y - y0)
        least = _border(count, beta, rho, reach, y)
        z = least + exponential(rng) / z0
        log_kept = 0.5 * (z0 * z0 - z * z) + z0 * (z - least) + bound
    return (math.nan, math.nan) if exponential(rng) < -log_kept else (z, beta / y)
