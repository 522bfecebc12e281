"""How seldom a leader of `NGTS` falls below its floor: as in `mvts_dips`, with a mean whose spread is the drawn one.

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
"""

from __future__ import annotations

import math
from typing import Any

from riskbandits.core.compiled import function
from riskbandits.envelopes import mvts_dips

CONCAVE = 5.0  # C/V up to which the whole curve is


@function
def mass_below(
    count: float, alpha: float, rho: float, deep: float, lowest: float, highest: float, cells: Any, k: int
) -> float:
    """Choose a floor so many deviations down and bound the probability of a score below it. Fills row k of `cells`."""
    cells[k, mvts_dips.FLOOR] = -math.inf
    if not alpha >= 1.0 or not math.isfinite(highest):
        return 1.0
    centre = highest * alpha / (alpha - 1.0 / 3.0)
    mass = mvts_dips.mass_below(count, alpha, rho, math.sqrt(centre), deep, lowest, highest, cells, k)
    deepest = (rho * lowest - cells[k, mvts_dips.FLOOR]) / centre  # C/V
    if mass == 1.0 or deepest <= CONCAVE:
        return mass
    steepest = (deepest - 1.0) / (1.5 * (deepest + 1.0))  # g/g' at w = 1
    cells[k, mvts_dips.X_BORDER] = min(cells[k, mvts_dips.X_BORDER], steepest * math.sqrt(9.0 * alpha - 3.0))
    return mvts_dips.mass_of(cells, k)


@function
def dip(m: float, count: float, alpha: float, beta: float, rho: float, cells: Any, k: int, rng: Any) -> float:
    """One thinned draw of a score below the floor, or NaN, at a step at which the clock of that mass rings."""
    x, z = mvts_dips.point_below(cells, k, rng)
    variance = mvts_dips.thinned_variance(x, alpha, beta, cells, k, rng)
    score = rho * (m + z * math.sqrt(variance / count)) - variance
    return score if score < cells[k, mvts_dips.FLOOR] else math.nan  # NaN compares as false
