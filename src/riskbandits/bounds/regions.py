"""Regions in which the moments of a leader stay for good, except with a negligible probability.

A batch draws many rewards at once and looks at the moments only when it ends. The bound of the leader holds while they
are in a region, so the region must be one that they do not leave in between. The simulation knows the arms and may use
what it knows: how a run is computed is not what it chooses by. All levels below hold from the moment at which they are
made until the end of time, so that neither the length of batches nor their number matters; what they rest on are the
exponents of `riskbandits.arms.contract`, and the proof is in docs/decisions/0025.
"""

from __future__ import annotations

import math
from typing import Any

from riskbandits.compiling.jit import jitable

LEAVING = 1e-18  # the chance of ever leaving a region, far below the grain of the uniform numbers, 1.1e-16
LOG_EACH = -math.log(LEAVING / 5.0)  # a region has at most five borders
WIDER = 1.15  # the first margins are for normal rewards; others may need more
MOST_TRIES = 24


@jitable
def margin(off: float, count: float, variance: float) -> float:
    """The margin at which a normal walk's exponent 2 (margin) count (margin + off)/variance is LOG_EACH."""
    return 0.5 * (math.sqrt(off * off + 2.0001 * LOG_EACH * variance / count) - off)


@jitable
def mean_level(mean: float, count: float, arms: Any, k: int, side: float) -> float:
    """A level which the mean of `count` rewards of arm k, `mean` by now, never passes: below it (side -1) or above.

    With further rewards x the mean is at level - side or beyond it just when the sum of side (x - mu) - slack over them
    reaches count (slack + off), slack being the distance from the true mean mu to the level.
    """
    mu = arms.mean(k)
    variance = arms.variance(k)
    off = side * (mu - mean)  # how far the mean is on the safe side of mu
    if variance == 0.0:  # all further rewards are mu, and the mean stays between where it is and mu
        return mu + side * max(0.0, -off)
    slack = margin(off, count, variance)
    for _ in range(MOST_TRIES):
        if count * (slack + off) * arms.mean_exponent(k, slack, side) >= LOG_EACH:
            return mu + side * slack
        slack *= WIDER
    return side * math.inf


@jitable
def exponent(level: float, arms: Any, k: int, side: float) -> float:
    """The exponent with which a level of `mean_level` is not passed."""
    return math.inf if arms.variance(k) == 0.0 else arms.mean_exponent(k, side * (level - arms.mean(k)), side)


@jitable
def stays_beyond(mean: float, count: float, level: float, rate: float, side: float) -> bool:
    """Whether a level with that exponent is never passed from now on, where the mean has moved by other rewards."""
    return count * side * (level - mean) * rate >= LOG_EACH


@jitable
def variance_level(mean: float, count: float, alpha: float, beta: float, arms: Any, k: int) -> float:
    """A level which beta/alpha never exceeds, where a reward adds 1/2 to alpha and half its squared deviation to beta.

    Squared deviations from the sample mean are at most those from mu. So after u more rewards x, 2 beta is at most
    2 beta + count (mean - mu)^2 + sum of (x - mu)^2, which must stay below (2 alpha + u) level.
    """
    mu = arms.mean(k)
    variance = arms.variance(k)
    now = 2.0 * beta + count * (mean - mu) * (mean - mu)
    if variance == 0.0:
        return 0.5 * now / alpha
    # The squares of normal rewards are as uncertain as a mean with variance 2 s^4.
    over = margin(variance - 0.5 * now / alpha, 2.0 * alpha, 2.0 * variance * variance)
    for _ in range(MOST_TRIES):
        level = variance + over
        if (2.0 * alpha * level - now) * arms.square_exponent(k, level) >= LOG_EACH:
            return level
        over *= WIDER
    return math.inf
