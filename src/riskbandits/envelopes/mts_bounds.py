"""Bounds for `MTS`: tails of rho theta - v for theta ~ N(m, 1/T) and a known v.

A normal law around rho m - v with deviation rho/sqrt(T).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from riskbandits.compiled import function
from riskbandits.statistics import moments
from riskbandits.statistics.moments import COUNT, MEAN
from riskbandits.statistics.tails import normal_above, normal_tail

FLOOR, LOWEST_CENTRE, MASS = range(3)
MARGIN = 0.5  # how far, in their own deviations, m and v may move before the bound must be renewed


class MTSBounds(NamedTuple):
    """For scores rho theta - v with the draws of `MTS`; its methods are those of `envelopes.contract`."""

    def watch(self, state: Any, k: int, risk: Any, deviations: float, cells: Any) -> tuple[float, float]:
        """A floor below which the arm's score seldom falls, and a bound on how often."""
        bound = watch(state[k, MEAN], moments.variance(state, k), state[k, COUNT], risk.rho, deviations, cells, k)
        return cells[k, FLOOR], bound

    def steady(self, state: Any, k: int, risk: Any, cells: Any) -> bool:
        """Whether that bound holds after what was learnt since."""
        return centre_of(state, k, risk) >= cells[k, LOWEST_CENTRE]

    def draw_dip(self, state: Any, k: int, risk: Any, cells: Any, rng: Any) -> float:
        """A score below the floor, or NaN."""
        return dip(centre_of(state, k, risk), state[k, COUNT], risk.rho, cells, k, rng)

    def tail(self, state: Any, k: int, threshold: float, risk: Any, cells: Any) -> float:
        """The probability that the arm's score reaches the threshold."""
        return mass(threshold - centre_of(state, k, risk), state[k, COUNT], risk.rho)

    def draw_above(self, state: Any, k: int, threshold: float, risk: Any, cells: Any, rng: Any) -> float:
        """A score that reaches the threshold."""
        centre = centre_of(state, k, risk)
        deviation = risk.rho / math.sqrt(state[k, COUNT])
        return centre + deviation * normal_above(rng, (threshold - centre) / deviation)


@function
def centre_of(state: Any, k: int, risk: Any) -> float:
    """The value of the sample: the centre of the scores."""
    return risk.rho * state[k, MEAN] - moments.variance(state, k)


@function
def mass(distance: float, count: float, rho: float) -> float:
    """The probability that the value lies so far above its centre; 1.0 if the value is known."""
    if not rho > 0.0:
        return 1.0
    return normal_tail(distance * math.sqrt(count) / rho)


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
    cells[k, MASS] = normal_tail(z) if z > 0.0 else 1.0  # above the centre it would not fall with T
    return cells[k, MASS]


@function
def dip(centre: float, count: float, rho: float, cells: Any, k: int, rng: Any) -> float:
    """One thinned draw of a value below the floor, or NaN, at a step at which the clock of mass `watch` rings."""
    deviation = rho / math.sqrt(count)
    z = (centre - cells[k, FLOOR]) / deviation
    if rng.random() * cells[k, MASS] >= normal_tail(z):
        return math.nan
    return centre - deviation * normal_above(rng, z)
