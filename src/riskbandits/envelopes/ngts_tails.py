"""The upper tail of rho theta - v for y ~ Gamma(alpha, rate 1), v = beta/y and theta ~ N(m, v/T), the Normal-Gamma
posterior of `NGTS`: how much it weighs, and draws from it.

With theta = m + Z sqrt(v/T) and D = rho m - c the event rho theta - v >= c is Z >= g(y), where g = A - B,

    A = sqrt(T beta/y)/rho,    B = D sqrt(T y/beta)/rho.

In x = ln y the density's logarithm less g^2/2 is concave, and its highest point on the border solves a quadratic:
(1 + q) y^2 - alpha y - p = 0 with p = T beta/(2 rho^2), q = T D^2/(2 rho^2 beta). Around that point (y0, Z0) stand
three envelopes with a closed mass, one variable exact, the other bounded by an exponential beyond its smallest value:

    BEHIND            D < 0: Z bounded, g by its tangent in ln y, in which it is convex: y is Gamma of another shape
    MEAN_LEADS        D >= 0: Z bounded, g by its tangent in y: y is Gamma of another rate
    PRECISION_LEADS   D > 0: y bounded, its smallest value h(Z) by its tangent: Z is a shifted normal

Proposals are thinned back to the density, so the envelope decides only how often one is made.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskbandits.core.compiled import function
from riskbandits.numerics.special import log_gamma_density, log_normal_density
from riskbandits.numerics.tails import NOT_SMALL, low_gamma_share
from riskbandits.numerics.variates import exponential, gamma

if TYPE_CHECKING:
    from riskbandits.types import Cells, RiskMeasure, Rng

BEHIND, MEAN_LEADS, PRECISION_LEADS = 0.0, 1.0, 2.0
FORM, POINT, DEPTH, TILT, SLOPE = range(5)  # cells of an envelope: y0, Z0, and the slopes of the bounds
LEAST_DEPTH = 0.5  # an exponential says little about a normal nearer to its centre than this
IMPOSSIBLE = -math.inf


@function
def floor(m: float, count: float, alpha: float, beta: float, risk: RiskMeasure, z: float) -> float:
    """A score about z deviations below an arm's usual ones."""
    share = low_gamma_share(alpha, z)
    if not share > 0.0 or not beta > 0.0:
        return -math.inf
    variance = beta / alpha
    return risk.value(m - z * math.sqrt(variance / count), variance / share)


@function
def log_mass(m: float, count: float, alpha: float, beta: float, rho: float, c: float, cells: Cells, k: int) -> float:
    """Logarithm of the envelope's mass; what `proposal` needs is written to row k of `cells`."""
    reach = rho * m - c  # D
    if not beta > 0.0 or not alpha > 0.0 or not math.isfinite(reach):
        return NOT_SMALL
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
        return _log_mass_behind(count, alpha, rho, reach, deviation, cells, k)
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


@function
def _log_mass_behind(
    count: float, alpha: float, rho: float, reach: float, deviation: float, cells: Cells, k: int
) -> float:
    y = cells[k, POINT]
    root = math.sqrt(count) / rho
    depth = root * (deviation - reach / deviation)
    shape = alpha + 0.5 * depth * root * (deviation + reach / deviation)
    if not (depth > LEAST_DEPTH and shape > 0.0 and math.isfinite(depth)):
        return NOT_SMALL
    cells[k, FORM] = BEHIND
    cells[k, DEPTH] = depth
    cells[k, TILT] = alpha - shape
    gammas = math.lgamma(shape) - math.lgamma(alpha)
    return log_normal_density(depth) - math.log(depth) + (alpha - shape) * math.log(y) + gammas


@function
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
    else:
        if cells[k, FORM] == BEHIND:
            y = gamma(rng, alpha - tilt)
            bound = tilt * math.log(y / y0)
        else:
            y = gamma(rng, alpha) / (1.0 + tilt)
            bound = tilt * (y - y0)
        deviation = math.sqrt(beta / y)
        least = root / rho * (deviation - reach / deviation)
        z = least + exponential(rng) / z0
        log_kept = 0.5 * (z0 * z0 - z * z) + z0 * (z - least) + bound
    return (math.nan, math.nan) if exponential(rng) < -log_kept else (z, beta / y)
