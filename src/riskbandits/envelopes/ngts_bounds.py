"""Bounds for `NGTS`: the tail of rho theta - v for y ~ Gamma(alpha, rate 1), v = beta/y and theta ~ N(m, v/T):
the Normal-Gamma posterior.

With theta = m + Z sqrt(v/T) and D = rho m - c the event rho theta - v >= c is Z >= g(y), where g = A - B,

    A = sqrt(T beta/y)/rho,    B = D sqrt(T y/beta)/rho.

In x = ln y the density's logarithm less g^2/2 is concave, and its highest point on the border solves a quadratic:
(1 + q) y^2 - alpha y - p = 0 with p = T beta/(2 rho^2), q = T D^2/(2 rho^2 beta). Around that point (y0, Z0) stand
three envelopes with a closed mass, one variable exact, the other bounded by an exponential beyond its smallest value:

    BEHIND            D < 0: Z bounded, g by its tangent in ln y, in which it is convex: y is Gamma of another shape
    MEAN_LEADS        D >= 0: Z bounded, g by its tangent in y: y is Gamma of another rate
    PRECISION_LEADS   D > 0: y bounded, its smallest value h(Z) by its tangent: Z is a shifted normal

Proposals are thinned back to the density, so the envelope decides only how often one is made.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.core.compiled import function
from riskbandits.envelopes import charged_bounds, mvts_dips, ngts_dips, regions
from riskbandits.numerics.moments import COUNT, MEAN
from riskbandits.numerics.special import log_gamma_density, log_normal_density
from riskbandits.numerics.tails import NOT_SMALL, low_gamma_share, probability
from riskbandits.numerics.variates import exponential, gamma

if TYPE_CHECKING:
    from riskbandits.risk.mean_variance import MeanVariance
    from riskbandits.types import Arms, Cells, RiskMeasure, Rng, State

BEHIND, MEAN_LEADS, PRECISION_LEADS = 0.0, 1.0, 2.0
FORM, POINT, DEPTH, TILT, SLOPE = range(5)  # cells of an envelope: y0, Z0, and the slopes of the bounds
LEAST_DEPTH = 0.5  # an exponential says little about a normal nearer to its centre than this
IMPOSSIBLE = -math.inf
TANGENTS = 6  # of a charge that are tried
REFINED = 3  # and once more at the likeliest point


class NGTSBounds(NamedTuple):
    """For scores rho theta - v with the draws of `NGTS`, or less; the methods are those of `envelopes.contract`."""

    policy: Any

    def watch(self, state: State, k: int, risk: RiskMeasure, deviations: float, cells: Cells) -> tuple[float, float]:
        """A floor below which the arm's score seldom falls; how seldom is not bounded, so a leader is drawn."""
        alpha, beta = self.policy.posterior(state, k)
        return floor(state[k, MEAN], state[k, COUNT], alpha, beta, risk, deviations), 1.0

    def lasting_region(
        self, state: State, k: int, risk: MeanVariance, deviations: float, cells: Cells, arms: Arms
    ) -> tuple[float, float]:
        alpha, beta = self.policy.posterior(state, k)
        lowest = regions.mean_level(state[k, MEAN], state[k, COUNT], arms, k, -1.0)
        highest = regions.variance_level(state[k, MEAN], state[k, COUNT], alpha, beta, arms, k)
        mass = ngts_dips.mass_below(state[k, COUNT], alpha, risk.rho, deviations, lowest, highest, cells, k)
        return cells[k, mvts_dips.FLOOR], mass

    def steady(self, state: State, k: int, risk: RiskMeasure, cells: Cells) -> bool:
        alpha, beta = self.policy.posterior(state, k)
        return mvts_dips.steady(state[k, MEAN], alpha, beta, cells, k)

    def draw_dip(self, state: State, k: int, risk: MeanVariance, cells: Cells, rng: Rng) -> float:
        alpha, beta = self.policy.posterior(state, k)
        return ngts_dips.dip(state[k, MEAN], state[k, COUNT], alpha, beta, risk.rho, cells, k, rng)

    def charge(
        self,
        state: State,
        k: int,
        risk: RiskMeasure,
        least: float,
        most: float,
        low: float,
        high: float,
        deviations: float,
        mass: float,
        cells: Cells,
        arms: Arms,
    ) -> tuple[float, float]:
        alpha, _ = self.policy.posterior(state, k)
        top = regions.mean_level(state[k, MEAN], state[k, COUNT], arms, k, 1.0)
        more = ngts_dips.charge(state[k, COUNT], alpha, most, low, high, top, deviations, cells, k)
        return cells[k, charged_bounds.FLOOR], min(1.0, mass + more)

    def charged_dip(self, state: State, k: int, risk: RiskMeasure, cells: Cells, rng: Rng) -> float:
        alpha, beta = self.policy.posterior(state, k)
        return ngts_dips.charged_dip(state[k, MEAN], state[k, COUNT], alpha, beta, risk, cells, k, rng)

    def charged_tail(
        self, state: State, k: int, threshold: float, rho: float, weight: float, low: float, high: float, cells: Cells
    ) -> float:
        # Any tangent will do: what counts is a small mass. Those between the arm's mean and the stream are tried first,
        # the last of which charges nothing, then those where the event is likeliest to happen.
        m = state[k, MEAN]
        far = charged_bounds.away(m, low, high)
        at = m - far
        mass = 1.0
        for i in range(TANGENTS if far != 0.0 else 1):
            there = m - far + far * (1.0 - i / (TANGENTS - 1.0))
            less = self.tail_with(state, k, threshold, rho, weight, there, low, high, cells)
            if less <= mass:
                at = there
                mass = less
        mass = self.tail_with(state, k, threshold, rho, weight, at, low, high, cells)
        for _ in range(REFINED):
            if not 0.0 < mass < 1.0:
                return mass
            _, beta = self.policy.posterior(state, k)
            deviation = math.sqrt(beta / (cells[k, POINT] * state[k, COUNT]))
            there = m + math.copysign(cells[k, DEPTH] * deviation, cells[k, charged_bounds.RHO])
            less = self.tail_with(state, k, threshold, rho, weight, there, low, high, cells)
            if not less < mass:
                return self.tail_with(state, k, threshold, rho, weight, at, low, high, cells)
            at = there
            mass = less
        return mass

    def tail_with(
        self,
        state: State,
        k: int,
        threshold: float,
        rho: float,
        weight: float,
        at: float,
        low: float,
        high: float,
        cells: Cells,
    ) -> float:
        """The tail with a charge of that weight, replaced by its tangent at a point."""
        alpha, beta = self.policy.posterior(state, k)
        tilted, shift = charged_bounds.tangent(at, rho, weight, low, high)
        cells[k, charged_bounds.RHO] = tilted
        cells[k, charged_bounds.SHIFT] = shift
        m = math.copysign(1.0, tilted) * state[k, MEAN]
        return probability(log_mass(m, state[k, COUNT], alpha, beta, abs(tilted), threshold - shift, cells, k))

    def draw_charged(self, state: State, k: int, threshold: float, risk: RiskMeasure, cells: Cells, rng: Rng) -> float:
        alpha, beta = self.policy.posterior(state, k)
        tilted = cells[k, charged_bounds.RHO]
        sign = math.copysign(1.0, tilted)
        count = state[k, COUNT]
        reach = threshold - cells[k, charged_bounds.SHIFT]
        z, variance = proposal(sign * state[k, MEAN], count, alpha, beta, abs(tilted), reach, cells, k, rng)
        score = risk.value(state[k, MEAN] + sign * z * math.sqrt(variance / count), variance)
        return score if score >= threshold else math.nan  # NaN compares as false

    def tail(self, state: State, k: int, threshold: float, risk: MeanVariance, cells: Cells) -> float:
        alpha, beta = self.policy.posterior(state, k)
        return probability(log_mass(state[k, MEAN], state[k, COUNT], alpha, beta, risk.rho, threshold, cells, k))

    def draw_above(self, state: State, k: int, threshold: float, risk: MeanVariance, cells: Cells, rng: Rng) -> float:
        alpha, beta = self.policy.posterior(state, k)
        m = state[k, MEAN]
        z, variance = proposal(m, state[k, COUNT], alpha, beta, risk.rho, threshold, cells, k, rng)
        score = risk.value(m + z * math.sqrt(variance / state[k, COUNT]), variance)
        return score if score >= threshold else math.nan  # NaN compares as false


@function
def floor(m: float, count: float, alpha: float, beta: float, risk: RiskMeasure, z: float) -> float:
    """A score about z deviations below an arm's usual ones."""
    share = low_gamma_share(alpha, z)
    if not share > 0.0 or not beta > 0.0:
        return -math.inf
    variance = beta / alpha
    return risk.value(m - z * math.sqrt(variance / count), variance / share)


@function
def log_mass(m: float, count: float, alpha: float, beta: float, rho: float, c: float, cells: Cells, k: int) -> float:
    """Logarithm of the envelope's mass; what `proposal` needs is written to row k of `cells`."""
    reach = rho * m - c  # D
    if not beta > 0.0 or not alpha > 0.0 or not math.isfinite(reach):
        return NOT_SMALL
    if rho == 0.0 and reach <= 0.0:
        return IMPOSSIBLE
    square = rho * rho
    # The quadratic times rho^2, whose root stays where it is when rho is 0.
    leading = square + 0.5 * count * reach * reach / beta
    y = 0.5 * (alpha * square + math.hypot(alpha * square, math.sqrt(2.0 * leading * count * beta))) / leading
    if not (math.isfinite(y) and y > 0.0):
        return NOT_SMALL
    cells[k, POINT] = y
    deviation = math.sqrt(beta / y)
    if reach < 0.0:
        return _log_mass_behind(count, alpha, rho, reach, deviation, cells, k)
    if y <= alpha:  # the likeliest of all points is in the set
        return NOT_SMALL
    # A + B is this over rho. Z0 = A - B without cancellation: y - alpha = (A^2 - B^2)/2 at the point.
    width = math.sqrt(count) * (deviation + reach / deviation)
    depth = 2.0 * (y - alpha) * rho / width
    cells[k, DEPTH] = depth
    by_mean = NOT_SMALL
    if depth > LEAST_DEPTH:
        by_mean = log_normal_density(depth) - math.log(depth) + (alpha - y) - alpha * math.log(alpha / y)
    by_precision = NOT_SMALL
    slope = 1.0 - (alpha - 1.0) / y
    tilt = -2.0 * y * rho / width  # the slope of h at Z0
    if alpha >= 1.0 and slope > 0.0 and reach > 0.0:
        lean = slope * tilt
        by_precision = log_gamma_density(alpha, y) - math.log(slope) + lean * depth + 0.5 * lean * lean
    if by_mean < by_precision:
        cells[k, FORM] = MEAN_LEADS
        cells[k, TILT] = (alpha - y) / y
        return by_mean
    cells[k, FORM] = PRECISION_LEADS
    cells[k, TILT] = tilt
    cells[k, SLOPE] = slope
    return by_precision


@function
def _log_mass_behind(
    count: float, alpha: float, rho: float, reach: float, deviation: float, cells: Cells, k: int
) -> float:
    y = cells[k, POINT]
    root = math.sqrt(count) / rho
    depth = root * (deviation - reach / deviation)
    shape = alpha + 0.5 * depth * root * (deviation + reach / deviation)
    if not (depth > LEAST_DEPTH and shape > 0.0 and math.isfinite(depth)):
        return NOT_SMALL
    cells[k, FORM] = BEHIND
    cells[k, DEPTH] = depth
    cells[k, TILT] = alpha - shape
    gammas = math.lgamma(shape) - math.lgamma(alpha)
    return log_normal_density(depth) - math.log(depth) + (alpha - shape) * math.log(y) + gammas


@function
def proposal(
    m: float, count: float, alpha: float, beta: float, rho: float, c: float, cells: Cells, k: int, rng: Rng
) -> tuple[float, float]:
    """One thinned draw of Z and v, from the envelope in row k of `cells`; NaN if not kept."""
    reach = rho * m - c
    y0 = cells[k, POINT]
    z0 = cells[k, DEPTH]
    tilt = cells[k, TILT]
    root = math.sqrt(count)
    if cells[k, FORM] == PRECISION_LEADS:
        slope = cells[k, SLOPE]
        z = rng.standard_normal() - slope * tilt
        shift = rho * z / root  # h(Z) is beta over the square of the larger root s of s^2 - shift s - D
        width = math.sqrt(shift * shift + 4.0 * reach)
        larger = 0.5 * (width + shift) if shift >= 0.0 else 2.0 * reach / (width - shift)
        lowest = beta / (larger * larger)
        y = lowest + exponential(rng) / slope
        log_kept = (alpha - 1.0) * math.log(y / y0) - (y - y0) + slope * (y - lowest) + slope * tilt * (z - z0)
    else:
        if cells[k, FORM] == BEHIND:
            y = gamma(rng, alpha - tilt)
            bound = tilt * math.log(y / y0)
        else:
            y = gamma(rng, alpha) / (1.0 + tilt)
            bound = tilt * (y - y0)
        deviation = math.sqrt(beta / y)
        least = root / rho * (deviation - reach / deviation)
        z = least + exponential(rng) / z0
        log_kept = 0.5 * (z0 * z0 - z * z) + z0 * (z - least) + bound
    return (math.nan, math.nan) if exponential(rng) < -log_kept else (z, beta / y)
