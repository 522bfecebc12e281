"""How seldom a leader of `MVTS` falls below its floor: a bound that stays valid while the leader is played and learns.

The score of a leader is rho (m + z/sqrt(T)) - beta/y with z standard normal and y ~ Gamma(alpha, rate 1). As
Marsaglia & Tsang (2000) write it, y = d (1 + c x)^3 with d = alpha - 1/3 and c = 1/sqrt(9 d), where the density of x is
at most K times the standard normal one, K near 1. So the chance of a set of points (x, z) is at most K times what it is
for two normals, and a score below the floor needs a point in one of three such sets:

    x < 0 and z < 0, beyond the line through (x0, 0) and (0, z0)
    x > 0 and z < z0
    z > 0 and x < x0

where (x0, 0) and (0, z0) score exactly the floor: between them the points that do lie on a convex curve, so beyond
the line. They are found for a mean somewhat lower and a variance somewhat higher than the sample's. When T and alpha
grow and the sample is no worse than that, points with x < 0 score more, points with z < 0 too, and K falls: the three
sets and their chance hold as long (`still_valid`). An alarm set by the chance fires a little too often; `low_draw`
draws a point of the sets and thins it to the current distribution.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskbandits.compiling.jit import jitable
from riskbandits.numerics.special import log_ratio_remainder, stirling_remainder
from riskbandits.numerics.tails import normal_above, normal_tail
from riskbandits.numerics.variates import exponential

if TYPE_CHECKING:
    from riskbandits.types import Cells, Rng

FLOOR, LOWEST_MEAN, HIGHEST_VARIANCE, X_BORDER, Z_BORDER, LOG_EXCESS = range(6)
LEAST_FOR_SERIES = 30.0  # shapes from which eight terms of the series of ln K in 1/alpha are exact to the last bits
EXCESS_SERIES = (
    11.0 / 2834352.0,
    2237.0 / 3674160.0,
    1.0 / 20412.0,
    -187.0 / 306180.0,
    7.0 / 9720.0,
    19.0 / 3240.0,
    5.0 / 324.0,
    1.0 / 36.0,
)
MARGIN = 0.5  # how far, in their own deviations, sample mean and variance may move before the bound must be renewed


@jitable
def log_excess(alpha: float) -> float:
    """Logarithm of K, the least number for which K times the normal density bounds that of x, for alpha >= 1."""
    if alpha >= LEAST_FOR_SERIES:
        y = 1.0 / alpha
        total = 0.0
        for coefficient in EXCESS_SERIES:
            total = (total + coefficient) * y
        return total
    return (alpha - 0.5) * math.log1p(-1.0 / (3.0 * alpha)) + 1.0 / 3.0 - stirling_remainder(alpha)


@jitable
def floor_and_mass(
    m: float, count: float, alpha: float, beta: float, rho: float, deep: float, cells: Cells, k: int
) -> float:
    """Choose a floor so many deviations down and bound the probability of a score below it. Fills row k of `cells`."""
    if not alpha >= 1.0 or not beta > 0.0:
        cells[k, FLOOR] = -math.inf
        return 1.0
    variance = beta / alpha
    root = math.sqrt(count)
    lowest = m - MARGIN * math.sqrt(variance) / root
    highest = variance * (1.0 + MARGIN * math.sqrt(2.0) / root)
    return mass_below(count, alpha, rho, 1.0, deep, lowest, highest, cells, k)


@jitable
def mass_below(
    count: float,
    alpha: float,
    rho: float,
    deviation: float,
    deep: float,
    lowest: float,
    highest: float,
    cells: Cells,
    k: int,
) -> float:
    """The same for a leader whose bound is valid while its mean is at least `lowest`, its variance at most `highest`.

    Its mean is drawn with so many deviations over the root of T.
    """
    cells[k, FLOOR] = -math.inf
    if not alpha >= 1.0 or not highest > 0.0 or not math.isfinite(lowest) or not math.isfinite(highest):
        return 1.0
    d = alpha - 1.0 / 3.0
    slope = 1.0 / math.sqrt(9.0 * d)
    centre = highest * alpha / d  # the variance at x = 0
    steepness = rho * deviation  # of the score in z, times the root of T
    # From there to the floor.
    room = deep * math.sqrt(steepness * steepness / count + 9.0 * slope * slope * centre * centre)
    cells[k, FLOOR] = rho * lowest - centre - room
    if not room > 0.0:
        return 1.0
    cells[k, LOWEST_MEAN] = lowest
    cells[k, HIGHEST_VARIANCE] = highest
    cells[k, X_BORDER] = (1.0 - (centre / (centre + room)) ** (1.0 / 3.0)) / slope
    cells[k, Z_BORDER] = math.sqrt(count) * room / steepness if rho > 0.0 else math.inf
    cells[k, LOG_EXCESS] = log_excess(alpha)
    return mass_of(cells, k)


@jitable
def mass_of(cells: Cells, k: int) -> float:
    """The chance of the three sets in row k of `cells`."""
    line, low_mean, high_variance = chances(cells[k, X_BORDER], cells[k, Z_BORDER])
    return min(1.0, math.exp(cells[k, LOG_EXCESS]) * (line + low_mean + high_variance))


@jitable
def distance(x_border: float, z_border: float) -> float:
    """How far the line through both borders is from the centre."""
    return 1.0 / math.sqrt(1.0 / (x_border * x_border) + 1.0 / (z_border * z_border))


@jitable
def chances(x_border: float, z_border: float) -> tuple[float, float, float]:
    """Normal probabilities of the three sets; the first with what lies beyond its line in other quadrants."""
    return normal_tail(distance(x_border, z_border)), 0.5 * normal_tail(z_border), 0.5 * normal_tail(x_border)


@jitable
def still_valid(m: float, alpha: float, beta: float, cells: Cells, k: int) -> bool:
    """Whether the bound in row k of `cells` still holds."""
    return m >= cells[k, LOWEST_MEAN] and beta <= cells[k, HIGHEST_VARIANCE] * alpha


@jitable
def low_draw(m: float, count: float, alpha: float, beta: float, rho: float, cells: Cells, k: int, rng: Rng) -> float:
    """One thinned draw of a score below the floor, or NaN, at a step at which the alarm of that mass fires."""
    x, z = point_below(cells, k, rng)
    variance = thinned_variance(x, alpha, beta, cells, k, rng)
    score = rho * (m + z / math.sqrt(count)) - variance
    return score if score < cells[k, FLOOR] else math.nan  # NaN compares as false


@jitable
def point_below(cells: Cells, k: int, rng: Rng) -> tuple[float, float]:
    """A point of the three sets, drawn by their normal chances; NaN if it is not of the set that it was drawn for."""
    x_border = cells[k, X_BORDER]
    z_border = cells[k, Z_BORDER]
    line, low_mean, high_variance = chances(x_border, z_border)
    which = rng.random() * (line + low_mean + high_variance)
    if which < line:
        near = distance(x_border, z_border)
        beyond = normal_above(rng, near)
        along = rng.standard_normal()
        x = along * near / z_border - beyond * near / x_border
        z = -along * near / x_border - beyond * near / z_border
        return (math.nan, math.nan) if x > 0.0 or z > 0.0 else (x, z)
    if which < line + low_mean:
        return abs(rng.standard_normal()), -normal_above(rng, z_border)
    return -normal_above(rng, x_border), abs(rng.standard_normal())


@jitable
def thinned_variance(x: float, alpha: float, beta: float, cells: Cells, k: int, rng: Rng) -> float:
    """The variance beta/y at x, or NaN if the point is not kept: the density of x is at most K times the normal one."""
    d = alpha - 1.0 / 3.0
    root = 1.0 + x / math.sqrt(9.0 * d)
    if not root > 0.0:
        return math.nan
    cube = root * root * root
    log_kept = d * log_ratio_remainder(cube, 1.0) + 0.5 * x * x + log_excess(alpha) - cells[k, LOG_EXCESS]
    return math.nan if exponential(rng) < -log_kept else beta / (d * cube)
