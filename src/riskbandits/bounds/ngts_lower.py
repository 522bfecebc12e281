"""How seldom a leader of `NGTS` falls below its floor: as in `mvts_lower`, with a mean whose spread is the drawn one.

The score is rho (m + z sqrt(v/T)) - v with v = beta/y. With w = 1 + c x (y = d w^3) and V the variance at x = 0, points
of score rho m - C on the side x < 0, z < 0 have

    |z| = (C - v) sqrt(T/v)/rho,    that is, but for a factor, g(w) = C w^(3/2)/V - w^(-3/2).

In w, and so in x, g is concave where C w^3 <= 5 V and convex beyond. For C <= 5 V scores below the floor lie beyond the
line through the two ends of the curve, just as for `MVTS`. Otherwise g is convex near w = 1, and a line from g(1) down
to 0 that is at least as steep as g is there lies below g: below its tangent first, and then below a concave curve at
whose two ends it is below.

With x >= 0 the variance is at most V, and a score below the floor needs z below the end z0 of the curve; with z >= 0 it
needs x below the other end. When T and alpha grow and the sample is no worse, v falls at every x and so does sqrt(v/T):
the three sets hold as long.

A charge w (theta - xbar)^2 takes more away. Where z is at most a limit in size, and the variance at most what it is at
the end x0 of the curve, theta is not farther from xbar than |m - xbar| + limit sqrt(v/T): all other points with a large
charge are in the sets already, or have an unusual z. That is a fourth set; what it has in common with the others is
theirs.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskbandits.bounds import charged_bounds, mvts_lower
from riskbandits.compiling.jit import jitable
from riskbandits.numerics.tails import normal_above, normal_tail

if TYPE_CHECKING:
    from riskbandits.types import Cells, RiskMeasure, Rng

EXTRA_DEVIATIONS = 1.0  # of the cutoff for draws of the mean, beyond the depth of the floor
MAX_CONCAVE_RATIO = 5.0  # the largest C/V for which g is concave everywhere


@jitable
def mass_below(
    count: float, alpha: float, rho: float, deep: float, lowest: float, highest: float, cells: Cells, k: int
) -> float:
    """Choose a floor so many deviations down and bound the probability of a score below it. Fills row k of `cells`."""
    cells[k, mvts_lower.FLOOR] = -math.inf
    if not alpha >= 1.0 or not math.isfinite(highest):
        return 1.0
    if highest == 0.0:  # equal rewards, now and ever, and no prior variance: every draw is the mean
        cells[k, mvts_lower.FLOOR] = rho * lowest
        cells[k, mvts_lower.LOWEST_MEAN] = lowest
        cells[k, mvts_lower.HIGHEST_VARIANCE] = 0.0
        cells[k, mvts_lower.X_BORDER] = 0.0
        cells[k, mvts_lower.LOG_EXCESS] = -math.inf
        return 0.0
    centre = highest * alpha / (alpha - 1.0 / 3.0)
    mass = mvts_lower.mass_below(count, alpha, rho, math.sqrt(centre), deep, lowest, highest, cells, k)
    depth_ratio = (rho * lowest - cells[k, mvts_lower.FLOOR]) / centre  # C/V
    if mass == 1.0 or depth_ratio <= MAX_CONCAVE_RATIO:
        return mass
    tangent_length = (depth_ratio - 1.0) / (1.5 * (depth_ratio + 1.0))  # g/g' at w = 1
    cells[k, mvts_lower.X_BORDER] = min(cells[k, mvts_lower.X_BORDER], tangent_length * math.sqrt(9.0 * alpha - 3.0))
    return mvts_lower.mass_of(cells, k)


@jitable
def low_draw(m: float, count: float, alpha: float, beta: float, rho: float, cells: Cells, k: int, rng: Rng) -> float:
    """One thinned draw of a score below the floor, or NaN, at a step at which the alarm of that mass fires."""
    x, z = mvts_lower.point_below(cells, k, rng)
    variance = mvts_lower.thinned_variance(x, alpha, beta, cells, k, rng)
    score = rho * (m + z * math.sqrt(variance / count)) - variance
    return score if score < cells[k, mvts_lower.FLOOR] else math.nan  # NaN compares as false


@jitable
def charged_floor(
    count: float,
    alpha: float,
    weight: float,
    low: float,
    high: float,
    top: float,
    deviations: float,
    cells: Cells,
    k: int,
) -> float:
    """Lower the floor in row k of `cells` by a charge for streams between `low` and `high`; the mass to be added."""
    usual = deviations + EXTRA_DEVIATIONS
    root = 1.0 - cells[k, mvts_lower.X_BORDER] / math.sqrt(9.0 * alpha - 3.0)
    cells[k, charged_bounds.FLOOR] = -math.inf
    if not math.isfinite(top) or not root > 0.0:
        return 1.0
    centre = cells[k, mvts_lower.HIGHEST_VARIANCE] * alpha / (alpha - 1.0 / 3.0)
    away = max(top - low, high - cells[k, mvts_lower.LOWEST_MEAN])
    farthest = away + usual * math.sqrt(centre / (root * root * root * count))
    cells[k, charged_bounds.FLOOR] = cells[k, mvts_lower.FLOOR] - weight * farthest * farthest
    cells[k, charged_bounds.LIMIT] = usual
    return math.exp(cells[k, mvts_lower.LOG_EXCESS]) * 2.0 * normal_tail(usual)


@jitable
def charged_low_draw(
    m: float, count: float, alpha: float, beta: float, risk: RiskMeasure, cells: Cells, k: int, rng: Rng
) -> float:
    """As `low_draw`, below the charged floor."""
    x_border = cells[k, mvts_lower.X_BORDER]
    z_border = cells[k, mvts_lower.Z_BORDER]
    line, low_mean, high_variance = mvts_lower.chances(x_border, z_border)
    total = line + low_mean + high_variance
    if rng.random() * (total + 2.0 * normal_tail(cells[k, charged_bounds.LIMIT])) < total:
        x, z = mvts_lower.point_below(cells, k, rng)
    else:
        x = rng.standard_normal()
        z = normal_above(rng, cells[k, charged_bounds.LIMIT])
        if rng.random() < 0.5:
            z = -z
        beyond = -x / x_border - z / z_border > 1.0 if x <= 0.0 and z <= 0.0 else x < -x_border or z < -z_border
        if beyond:
            return math.nan
    variance = mvts_lower.thinned_variance(x, alpha, beta, cells, k, rng)
    score = risk.value(m + z * math.sqrt(variance / count), variance)
    return score if score < cells[k, charged_bounds.FLOOR] else math.nan  # NaN compares as false
