"""How unlikely it is that a random walk with a drift ever crosses a line: Lundberg's bound.

Let Y_1, Y_2, ... be independent and identically distributed, with E exp(r Y) <= 1 for some r > 0. Then exp(r (Y_1 + ...
+ Y_u)) is a supermartingale, and by Ville's inequality P(Y_1 + ... + Y_u >= a for some u) <= exp(-r a). The larger r,
the better; each function here gives one that is at most the largest, which is the root of a convex function, by
Newton's steps from above and then a little less: rounding makes the root uncertain in its last digits, and a smaller r
is always right.
"""

from __future__ import annotations

import math

from riskbandits.compiling.jit import jitable

NEWTON_STEPS = 60
CLOSE = 1e-9  # relative: Newton's steps end when they are smaller than this
LESS = 1.0 - 1e-6  # how much below the root we stay; far more than rounding moves it
FAR_OVER = 30.0  # from here on the root is nearer to 1 than LESS
CERTAIN = math.inf  # the line is never crossed


@jitable
def normal_below(variance: float, slack: float) -> float:
    """For Y = -X - slack, X ~ N(0, variance): E exp(r Y) = 1 at r = 2 slack/variance."""
    return 2.0 * LESS * slack / variance


@jitable
def normal_squares(variance: float, level: float) -> float:
    """For Y = X^2 - level, X ~ N(0, variance), level > variance: with y = 2 r variance the root of -ln(1 - y) = y w."""
    over = (level - variance) / variance  # w - 1
    if not over > 0.0:
        return 0.0
    if over > FAR_OVER:
        return 0.5 * LESS / variance
    y = min(2.0 * over, -math.expm1(-1.0 - over))  # both are above the root
    for _ in range(NEWTON_STEPS):
        step = (-math.log1p(-y) - y - y * over) / (y / (1.0 - y) - over)
        y -= step
        if abs(step) < CLOSE * y:
            break
    return 0.5 * LESS * y / variance if 0.0 < y < 1.0 else 0.0


@jitable
def two_point(chance: float, up: float, down: float) -> float:
    """For Y = `up` > 0 with that chance and else -`down` < 0, of a negative mean."""
    drift = chance * up - (1.0 - chance) * down
    if not drift < 0.0 or not down > 0.0:
        return 0.0
    if not up > 0.0:
        return CERTAIN
    # Beyond the root: where chance exp(r up) alone is 1 or more.
    r = -math.log(chance) / up
    for _ in range(NEWTON_STEPS):
        high = chance * math.expm1(r * up)
        low = (1.0 - chance) * math.expm1(-r * down)
        slope = up * (high + chance) - down * (low + 1.0 - chance)
        step = (high + low) / slope
        r -= step
        if abs(step) < CLOSE * r:
            break
    return LESS * r if r > 0.0 else 0.0
