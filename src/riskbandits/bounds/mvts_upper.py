"""The upper tail of a score of `MVTS` whose threshold is not far from its centre: the points beyond a line.

As in `mvts_lower`, a score is rho m + b z - V/(1 + c x)^3 with b = rho/sqrt(T), V = beta/d, d = alpha - 1/3 and
c = 1/sqrt(9 d), where z is standard normal and the density of x is at most K times the standard normal one
(Marsaglia & Tsang 2000). The score is concave in (x, z), so it is nowhere above its tangent plane at any point, and
the points that reach a threshold lie beyond the line at which that plane reaches it. The chance of two normals to lie
there is one error function. Points beyond the line are drawn exactly, and kept if they reach the threshold and as
Marsaglia & Tsang keep x: 95 in 100, where the envelopes of `mvts_bounds` keep 50 to 70.

Any tangent serves. The best is the one at the point of the border that is closest to the centre; the one used is at the
point that is closest if the score is linear. Far out, where the density of x falls faster than a normal one, the
envelopes of `mvts_bounds` are tighter.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskbandits.bounds.mvts_lower import log_excess
from riskbandits.compiling.jit import jitable
from riskbandits.numerics.special import log_ratio_remainder
from riskbandits.numerics.tails import normal_above, normal_tail

if TYPE_CHECKING:
    from riskbandits.types import Cells, Rng

# Cells of a line, behind the one that tells envelopes apart: how far from the centre it is, its normal of length 1, and
# the c and b of its arm.
DISTANCE, NORMAL_X, NORMAL_Z, SPREAD, SLOPE = range(1, 6)
FARTHEST = 2.5  # from the centre, in deviations: beyond, other envelopes are tighter
MOST_BEND = 0.2  # of c x: where the border is bent more, the tangent at a point that is only nearly the closest is poor
TOO_FAR = 2.0  # no probability


@jitable
def mass(m: float, count: float, alpha: float, beta: float, rho: float, c: float, cells: Cells, k: int) -> float:
    """A bound on P(score >= c), for alpha >= 1 and beta > 0; fills row k of `cells`. 1.0: not small."""
    d = alpha - 1.0 / 3.0
    centre = beta / d
    short = centre - rho * m + c  # of the score at (0, 0)
    if not short > 0.0:
        return 1.0
    # Squares of slopes, in x (times d) and in z: few roots and divisions, for every play of an arm asleep costs this.
    flat = rho * rho / count
    square = centre * centre + d * flat
    bend = centre * short  # of c x at the closest point, times 3 square
    if d * short * short > FARTHEST * FARTHEST * square or bend > 3.0 * MOST_BEND * square:
        return TOO_FAR
    inverse = 3.0 * square / (3.0 * square + bend)  # 1/(1 + c x)
    variance = centre * inverse * inverse * inverse
    steep = variance * inverse
    steep_squared = steep * steep / d
    length = math.sqrt(steep_squared + flat)
    cells[k, DISTANCE] = (variance + 3.0 * variance * (1.0 - inverse) - rho * m + c) / length
    cells[k, SPREAD] = 1.0 / math.sqrt(9.0 * d)
    cells[k, SLOPE] = math.sqrt(flat)
    cells[k, NORMAL_X] = math.sqrt(steep_squared) / length
    cells[k, NORMAL_Z] = cells[k, SLOPE] / length
    return min(1.0, math.exp(log_excess(alpha)) * normal_tail(cells[k, DISTANCE]))


@jitable
def proposal(
    m: float, count: float, alpha: float, beta: float, rho: float, c: float, cells: Cells, k: int, rng: Rng
) -> float:
    """One thinned draw of a score of at least c, from the line in row k of `cells`; NaN if not kept."""
    beyond = normal_above(rng, cells[k, DISTANCE])
    along = rng.standard_normal()
    u = 1.0 - rng.random()
    x = cells[k, NORMAL_X] * beyond - cells[k, NORMAL_Z] * along
    z = cells[k, NORMAL_Z] * beyond + cells[k, NORMAL_X] * along
    d = alpha - 1.0 / 3.0
    root = 1.0 + cells[k, SPREAD] * x
    if root <= 0.0:
        return math.nan
    cube = root * root * root
    score = rho * m + cells[k, SLOPE] * z - beta / (d * cube)
    if score < c:
        return math.nan
    squared = x * x
    if u < 1.0 - 0.0331 * squared * squared:  # as in `variates.gamma`
        return score
    return score if math.log(u) < 0.5 * squared + d * log_ratio_remainder(cube, 1.0) else math.nan
