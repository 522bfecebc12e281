"""Bounds for `MTS`: tails of rho theta - v for theta ~ N(m, 1/T) and a known v.

A normal distribution around rho m - v with deviation rho/sqrt(T).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.bounds import regions
from riskbandits.compiling.jit import jitable
from riskbandits.numerics import moments
from riskbandits.numerics.moments import COUNT, MEAN, SQUARES
from riskbandits.numerics.tails import normal_above, normal_tail

if TYPE_CHECKING:
    from riskbandits.risk.mean_variance import MeanVariance
    from riskbandits.types import Arms, Cells, Rng, State

FLOOR, LOWEST_CENTRE, MASS = range(3)
MARGIN = 0.5  # how far, in their own deviations, m and v may move before the bound must be renewed


class MTSBounds(NamedTuple):
    """For scores rho theta - v with the draws of `MTS`; the methods are those of `bounds.contract`."""

    def watch(self, state: State, k: int, risk: MeanVariance, deviations: float, cells: Cells) -> tuple[float, float]:
        """The bound holds while the centre rho m - v is above LOWEST_CENTRE: the deviation only falls with T."""
        cells[k, FLOOR] = -math.inf
        if not risk.rho > 0.0:
            return cells[k, FLOOR], 1.0
        variance = moments.variance(state, k)
        root = math.sqrt(state[k, COUNT])
        moves = MARGIN * (risk.rho * math.sqrt(variance) + math.sqrt(2.0) * variance) / root
        return floor_and_mass(risk.rho * state[k, MEAN] - variance - moves, risk.rho / root, deviations, cells, k)

    def lasting_region(
        self, state: State, k: int, risk: MeanVariance, deviations: float, cells: Cells, arms: Arms
    ) -> tuple[float, float]:
        count = state[k, COUNT]
        lowest = regions.mean_level(state[k, MEAN], count, arms, k, -1.0)
        highest = regions.variance_level(state[k, MEAN], count, 0.5 * count, 0.5 * state[k, SQUARES], arms, k)
        return floor_and_mass(risk.rho * lowest - highest, risk.rho / math.sqrt(count), deviations, cells, k)

    def steady(self, state: State, k: int, risk: Any, cells: Cells) -> bool:
        return centre_of(state, k, risk) >= cells[k, LOWEST_CENTRE]

    def draw_dip(self, state: State, k: int, risk: MeanVariance, cells: Cells, rng: Rng) -> float:
        return low_draw(centre_of(state, k, risk), risk.rho / math.sqrt(state[k, COUNT]), cells, k, rng)

    def tail(self, state: State, k: int, threshold: float, risk: MeanVariance, cells: Cells) -> float:
        if not risk.rho > 0.0:
            return 1.0
        return normal_tail((threshold - centre_of(state, k, risk)) * math.sqrt(state[k, COUNT]) / risk.rho)

    def draw_above(self, state: State, k: int, threshold: float, risk: MeanVariance, cells: Cells, rng: Rng) -> float:
        centre = centre_of(state, k, risk)
        deviation = risk.rho / math.sqrt(state[k, COUNT])
        return centre + deviation * normal_above(rng, (threshold - centre) / deviation)


@jitable
def floor_and_mass(lowest: float, deviation: float, deviations: float, cells: Cells, k: int) -> tuple[float, float]:
    """Floor and mass for a normal score whose centre stays above `lowest` while its deviation falls."""
    cells[k, FLOOR] = -math.inf
    if not math.isfinite(lowest) or not deviation > 0.0:
        return cells[k, FLOOR], 1.0
    cells[k, LOWEST_CENTRE] = lowest
    cells[k, FLOOR] = lowest - deviations * deviation
    # Above the centre the chance would not fall with T.
    cells[k, MASS] = normal_tail(deviations) if deviations > 0.0 else 1.0
    return cells[k, FLOOR], cells[k, MASS]


@jitable
def low_draw(centre: float, deviation: float, cells: Cells, k: int, rng: Rng) -> float:
    """One thinned draw of a normal score below the floor, or NaN."""
    z = (centre - cells[k, FLOOR]) / deviation
    if rng.random() * cells[k, MASS] >= normal_tail(z):
        return math.nan
    return centre - deviation * normal_above(rng, z)


@jitable
def centre_of(state: State, k: int, risk: MeanVariance) -> float:
    """The value of the sample: the centre of the scores."""
    return risk.rho * state[k, MEAN] - moments.variance(state, k)
