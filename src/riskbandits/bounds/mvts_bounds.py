"""Bounds for `MVTS`: the tail of rho theta - beta/y for independent theta ~ N(m, 1/T) and y ~ Gamma(alpha, rate 1).

The event rho theta - beta/y >= c is a convex set of points (theta, y), since beta/y is convex, and the joint
density is log-concave when alpha >= 1. So there is one likeliest point (theta0, y0) on its border, and around
it two envelopes with a closed mass, exact in one variable and exponential in the other:

    MEAN_LEADS        theta bounded by an exponential beyond its smallest value (c + beta/y)/rho, y exact
    PRECISION_LEADS   y bounded by an exponential beyond its smallest value beta/(rho theta - c), theta exact

Both borders are convex and replaced by their tangents at the point; what is left to integrate is the moment
generating function of the variable kept exact. Proposals are thinned back to the density, so the envelope
decides only how often a proposal is made. With v = beta/y the point solves
v^3 - D v^2 + (rho^2/T) ((alpha - 1) v - beta) = 0, where D = rho m - c.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from riskbandits.bounds import mvts_lower, mvts_upper, regions
from riskbandits.compiling.jit import jitable
from riskbandits.numerics.moments import COUNT, MEAN
from riskbandits.numerics.posteriors import gamma_parameters
from riskbandits.numerics.special import HALF_LOG_TWO_PI, log_gamma_density
from riskbandits.numerics.tails import NOT_SMALL, probability
from riskbandits.numerics.variates import exponential, gamma

if TYPE_CHECKING:
    from riskbandits.risk.mean_variance import MeanVariance
    from riskbandits.types import Arms, Cells, RiskMeasure, Rng, State

MEAN_LEADS, PRECISION_LEADS, LINE = 0.0, 1.0, 2.0
FORM, POINT, SLOPE, TILT = range(4)  # cells of an envelope; POINT is v at the likeliest point
NEWTON_STEPS = 4  # any point gives a valid envelope: a better one is only tighter


class MVTSBounds(NamedTuple):
    """For scores rho theta - 1/tau with the draws of `MVTS`; the methods are those of `bounds.contract`."""

    shape: float
    rate: float

    def watch(self, state: State, k: int, risk: MeanVariance, deviations: float, cells: Cells) -> tuple[float, float]:
        alpha, beta = gamma_parameters(state, k, self.shape, self.rate)
        mass = mvts_lower.floor_and_mass(state[k, MEAN], state[k, COUNT], alpha, beta, risk.rho, deviations, cells, k)
        return cells[k, mvts_lower.FLOOR], mass

    def lasting_region(
        self, state: State, k: int, risk: MeanVariance, deviations: float, cells: Cells, arms: Arms
    ) -> tuple[float, float]:
        alpha, beta = gamma_parameters(state, k, self.shape, self.rate)
        m = state[k, MEAN]
        count = state[k, COUNT]
        lowest = regions.mean_level(m, count, arms, k, -1.0)
        highest = regions.variance_level(m, count, alpha, beta, arms, k)
        mass = mvts_lower.mass_below(count, alpha, risk.rho, 1.0, deviations, lowest, highest, cells, k)
        return cells[k, mvts_lower.FLOOR], mass

    def steady(self, state: State, k: int, risk: RiskMeasure, cells: Cells) -> bool:
        alpha, beta = gamma_parameters(state, k, self.shape, self.rate)
        return mvts_lower.still_valid(state[k, MEAN], alpha, beta, cells, k)

    def draw_dip(self, state: State, k: int, risk: MeanVariance, cells: Cells, rng: Rng) -> float:
        alpha, beta = gamma_parameters(state, k, self.shape, self.rate)
        return mvts_lower.low_draw(state[k, MEAN], state[k, COUNT], alpha, beta, risk.rho, cells, k, rng)

    def tail(self, state: State, k: int, threshold: float, risk: MeanVariance, cells: Cells) -> float:
        alpha, beta = gamma_parameters(state, k, self.shape, self.rate)
        return tail_mass(state[k, MEAN], state[k, COUNT], alpha, beta, risk.rho, threshold, cells, k)

    def draw_above(self, state: State, k: int, threshold: float, risk: MeanVariance, cells: Cells, rng: Rng) -> float:
        alpha, beta = gamma_parameters(state, k, self.shape, self.rate)
        if cells[k, FORM] == LINE:
            return mvts_upper.proposal(state[k, MEAN], state[k, COUNT], alpha, beta, risk.rho, threshold, cells, k, rng)
        return proposal(state[k, MEAN], state[k, COUNT], alpha, beta, risk.rho, threshold, cells, k, rng)


@jitable
def tail_mass(m: float, count: float, alpha: float, beta: float, rho: float, c: float, cells: Cells, k: int) -> float:
    """The mass of the envelope that is tighter; what draws from it need is written to row k of `cells`."""
    if not alpha >= 1.0 or not beta > 0.0 or not math.isfinite(rho * m - c):
        return 1.0
    near = mvts_upper.mass(m, count, alpha, beta, rho, c, cells, k)
    if near <= 1.0:
        cells[k, FORM] = LINE
        return near
    return probability(log_mass(m, count, alpha, beta, rho, c, cells, k))


@jitable
def likeliest_variance(reach: float, count: float, alpha: float, beta: float, rho: float) -> float:
    """About the root v > 0 of the cubic, for D = `reach` < beta/(alpha - 1)."""
    weight = rho * rho / count
    linear = weight * (alpha - 1.0)
    if alpha <= 1.0:
        v = max(reach, 0.0) + (weight * beta) ** (1.0 / 3.0)
    elif reach > 0.0:
        v = reach
    else:
        # Without the cubic term: an upper bound of the root, close to it when the arm is far behind.
        v = 2.0 * weight * beta / (linear + math.sqrt(linear * linear - 4.0 * reach * weight * beta))
    for _ in range(NEWTON_STEPS):
        # The cubic is convex here: after the first step v is above the root and stays there.
        slope = (3.0 * v - 2.0 * reach) * v + linear
        v -= (v * v * (v - reach) + weight * ((alpha - 1.0) * v - beta)) / slope
    return v


@jitable
def log_mass(m: float, count: float, alpha: float, beta: float, rho: float, c: float, cells: Cells, k: int) -> float:
    """Logarithm of the envelope's mass; what `proposal` needs is written to row k of `cells`."""
    reach = rho * m - c
    if reach * (alpha - 1.0) >= beta:
        return NOT_SMALL
    v = likeliest_variance(reach, count, alpha, beta, rho)
    if not v > 0.0:
        return NOT_SMALL
    y = beta / v
    shortfall = v - reach  # rho (theta0 - m)
    precision_slope = 1.0 - (alpha - 1.0) / y
    cells[k, POINT] = v
    # Which variable lies deeper in its own tail, in its own deviations: that one's exponential is tight.
    if count * shortfall * shortfall * (alpha - 1.0) > (precision_slope * y * rho) ** 2:
        mean_slope = count * shortfall / rho
        tilt = mean_slope * v / (y * rho)
        if tilt >= 1.0:
            return NOT_SMALL
        cells[k, FORM] = MEAN_LEADS
        cells[k, SLOPE] = mean_slope
        cells[k, TILT] = tilt
        depth = 0.5 * mean_slope * shortfall / rho + 0.5 * math.log(mean_slope * mean_slope / count)
        return -depth - HALF_LOG_TWO_PI - tilt * y - alpha * math.log1p(-tilt)
    if precision_slope <= 0.0:
        return NOT_SMALL
    tilt = precision_slope * y / v  # per unit of rho theta
    cells[k, FORM] = PRECISION_LEADS
    cells[k, SLOPE] = precision_slope
    cells[k, TILT] = tilt
    spread = tilt * rho
    return log_gamma_density(alpha, y) - math.log(precision_slope) - tilt * shortfall + 0.5 * spread * spread / count


@jitable
def proposal(
    m: float, count: float, alpha: float, beta: float, rho: float, c: float, cells: Cells, k: int, rng: Rng
) -> float:
    """One thinned draw of rho theta - beta/y beyond c, from the envelope in row k of `cells`; NaN if not kept."""
    v = cells[k, POINT]
    slope = cells[k, SLOPE]
    tilt = cells[k, TILT]
    y0 = beta / v
    if cells[k, FORM] == MEAN_LEADS:
        y = gamma(rng, alpha) / (1.0 - tilt)
        lowest = (beta / y - v) / rho  # of theta - theta0
        beyond = lowest + exponential(rng) / slope
        log_kept = -slope * (lowest + v / (y0 * rho) * (y - y0)) - 0.5 * count * beyond * beyond
        value = rho * beyond + c + v - beta / y
    else:
        drawn = rho * m + rho * (tilt * rho / count + rng.standard_normal() / math.sqrt(count))
        room = drawn - c
        if room <= 0.0:
            return math.nan
        lowest = beta / room
        y = lowest + exponential(rng) / slope
        relative = (y - y0) / y0
        log_kept = -slope * (lowest - y0 + y0 / v * (room - v)) + (alpha - 1.0) * (math.log1p(relative) - relative)
        value = drawn - beta / y
    return value if exponential(rng) >= -log_kept else math.nan
