"""Tails of rho theta - v for theta ~ N(m, 1/T) and a known v.

A normal law around rho m - v with deviation rho/sqrt(T).
"""

from __future__ import annotations

import math
from typing import Any

from riskbandits.compiled import function
from riskbandits.statistics.tails import log_normal_mass, normal_proposal, probability
from riskbandits.statistics.variates import exponential

FLOOR, LOWEST_CENTRE, LOG_MASS = range(3)
MARGIN = 0.5  # how far, in their own deviations, m and v may move before the bound must be renewed


@function
def mass(distance: float, count: float, rho: float) -> float:
    """A bound on the probability that the value lies so far above its centre."""
    if not rho > 0.0:
        return 1.0
    return probability(log_normal_mass(distance * math.sqrt(count) / rho))


@function
def watch(m: float, variance: float, count: float, rho: float, z: float, cells: Any, k: int) -> float:
    """Choose a floor about z deviations down and bound the probability of a value below it. Fills row k of `cells`.

    The bound holds while the centre rho m - v is above LOWEST_CENTRE: the deviation only falls with T.
    """
    cells[k, FLOOR] = -math.inf
    if not rho > 0.0:
        return 1.0
    root = math.sqrt(count)
    moves = MARGIN * (rho * math.sqrt(variance) + math.sqrt(2.0) * variance) / root
    cells[k, LOWEST_CENTRE] = rho * m - variance - moves
    cells[k, FLOOR] = cells[k, LOWEST_CENTRE] - z * rho / root
    cells[k, LOG_MASS] = log_normal_mass(z)
    return probability(cells[k, LOG_MASS])


@function
def steady(centre: float, cells: Any, k: int) -> bool:
    """Whether the bound in row k of `cells` still holds."""
    return centre >= cells[k, LOWEST_CENTRE]


@function
def dip(centre: float, count: float, rho: float, cells: Any, k: int, rng: Any) -> float:
    """One thinned draw of a value below the floor, or NaN, at a step at which the clock of mass `watch` rings."""
    deviation = rho / math.sqrt(count)
    z = (centre - cells[k, FLOOR]) / deviation
    if exponential(rng) < cells[k, LOG_MASS] - log_normal_mass(z):
        return math.nan
    return centre - deviation * normal_proposal(rng, z)
