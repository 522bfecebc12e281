"""Bounds for `NGTS`, whose scores are the best of several draws (`ngts_upper`, `ngts_lower`) and of the estimates.

*The best of several draws.* Each of m draws reaches the threshold with at most the probability q of the envelope, and
one more, which is made with probability f, with f q: with one alarm for each, at least one fires with probability
1 - (1 - q)^m (1 - f q). When the arm's alarm fires it is drawn which of them did, each of those makes a proposal, and
the score is the best that is kept.

*The estimates.* A score is never below their value. An arm for which that is above the threshold is not small; and a
leader never falls below the lowest value that its estimates can have in the region: that is its floor.

*Rewards that were all equal.* The draws of such an arm have another shape than its estimates: no bound is known, so it
is drawn at every step and leads no batch.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.bounds import charged_bounds, mvts_lower, ngts_lower, ngts_upper, regions
from riskbandits.bounds.contract import SLEEP_MASS
from riskbandits.compiling.jit import always_inline
from riskbandits.numerics.moments import COUNT, MEAN
from riskbandits.numerics.tails import probability
from riskbandits.numerics.variates import geometric

if TYPE_CHECKING:
    from riskbandits.risk.mean_variance import MeanVariance
    from riskbandits.types import Arms, Cells, RiskMeasure, Rng, State

CHANCE = ngts_upper.SLOPE + 1  # a cell after those of the envelope: its mass
SURE_DEPTH = 0.25  # of the floor of a leader that is sure of its estimates: by so much they may move
MOST_SLEEP_MASS = 0.95  # with more, scores below a threshold would be hard to draw
TANGENTS = 6  # of a charge that are tried
REFINED = 3  # and once more at the likeliest point


class NGTSBounds(NamedTuple):
    """For scores rho theta - v with the draws of `NGTS`, or less; the methods are those of `bounds.contract`."""

    policy: Any

    def watch(self, state: State, k: int, risk: RiskMeasure, deviations: float, cells: Cells) -> tuple[float, float]:
        """A floor below which the arm's score seldom falls; how seldom is not bounded, so a leader is drawn."""
        alpha, beta = self.policy.posterior(state, k)
        # Where the leader is sure of its estimates, a floor above them would only have it drawn.
        depth = max(deviations, SURE_DEPTH) if self.policy.expected_draws(state, k) > 1.0 else deviations
        return ngts_upper.floor(state[k, MEAN], state[k, COUNT], alpha, beta, risk, depth), 1.0

    def sure_level(self, state: State, k: int, risk: RiskMeasure) -> float:
        """The value of the estimates, where a score is the best of several draws."""
        return self.policy.estimate(state, k, risk) if self.policy.expected_draws(state, k) > 1.0 else -math.inf

    def sleep_mass(self, state: State) -> float:
        """That of all draws, where each has the usual one."""
        return min(MOST_SLEEP_MASS, 1.0 - (1.0 - SLEEP_MASS) ** max(1.0, self.policy.expected_draws(state, 0)))

    def lasting_region(
        self, state: State, k: int, risk: MeanVariance, deviations: float, cells: Cells, arms: Arms
    ) -> tuple[float, float]:
        if self.policy.all_equal(state, k):
            return -math.inf, 1.0
        alpha, beta = self.policy.posterior(state, k)
        lowest = regions.mean_level(state[k, MEAN], state[k, COUNT], arms, k, -1.0)
        highest = regions.variance_level(state[k, MEAN], state[k, COUNT], alpha, beta, arms, k)
        if self.policy.optimism > 0.0:
            cells[k, mvts_lower.LOWEST_MEAN] = lowest
            cells[k, mvts_lower.HIGHEST_VARIANCE] = highest
            bounded = math.isfinite(lowest) and math.isfinite(highest)
            return (risk.rho * lowest - highest, 0.0) if bounded else (-math.inf, 1.0)
        mass = ngts_lower.mass_below(state[k, COUNT], alpha, risk.rho, deviations, lowest, highest, cells, k)
        return cells[k, mvts_lower.FLOOR], mass

    def steady(self, state: State, k: int, risk: RiskMeasure, cells: Cells) -> bool:
        alpha, beta = self.policy.posterior(state, k)
        return mvts_lower.still_valid(state[k, MEAN], alpha, beta, cells, k)

    def draw_dip(self, state: State, k: int, risk: MeanVariance, cells: Cells, rng: Rng) -> float:
        alpha, beta = self.policy.posterior(state, k)
        return ngts_lower.low_draw(state[k, MEAN], state[k, COUNT], alpha, beta, risk.rho, cells, k, rng)

    def charge(
        self,
        state: State,
        k: int,
        risk: MeanVariance,
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
        if self.policy.optimism > 0.0:
            lowest = cells[k, mvts_lower.LOWEST_MEAN]
            farthest = max(top - low, high - lowest)
            floor = risk.rho * lowest - cells[k, mvts_lower.HIGHEST_VARIANCE] - most * farthest * farthest
            return (floor, 0.0) if math.isfinite(floor) else (-math.inf, 1.0)
        more = ngts_lower.charged_floor(state[k, COUNT], alpha, most, low, high, top, deviations, cells, k)
        return cells[k, charged_bounds.FLOOR], min(1.0, mass + more)

    def charged_dip(self, state: State, k: int, risk: RiskMeasure, cells: Cells, rng: Rng) -> float:
        alpha, beta = self.policy.posterior(state, k)
        return ngts_lower.charged_low_draw(state[k, MEAN], state[k, COUNT], alpha, beta, risk, cells, k, rng)

    def charged_tail(
        self, state: State, k: int, threshold: float, rho: float, weight: float, low: float, high: float, cells: Cells
    ) -> float:
        m = state[k, MEAN]
        far = charged_bounds.away(m, low, high)
        estimate = rho * m - weight * far * far
        if self.policy.all_equal(state, k) or self.estimates_reach(state, k, estimate, threshold):
            return 1.0
        return self.mass_of_several(
            state, k, self.tail_of_one(state, k, threshold, rho, weight, low, high, cells), cells
        )

    def tail_of_one(
        self, state: State, k: int, threshold: float, rho: float, weight: float, low: float, high: float, cells: Cells
    ) -> float:
        """For one draw, with the best of some tangents of the charge."""
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
            deviation = math.sqrt(beta / (cells[k, ngts_upper.POINT] * state[k, COUNT]))
            there = m + math.copysign(cells[k, ngts_upper.DEPTH] * deviation, cells[k, charged_bounds.RHO])
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
        return probability(
            ngts_upper.log_mass(m, state[k, COUNT], alpha, beta, abs(tilted), threshold - shift, cells, k)
        )

    def tail(self, state: State, k: int, threshold: float, risk: MeanVariance, cells: Cells) -> float:
        alpha, beta = self.policy.posterior(state, k)
        m = state[k, MEAN]
        if self.policy.all_equal(state, k) or self.estimates_reach(state, k, risk.rho * m, threshold):
            return 1.0
        chance = probability(ngts_upper.log_mass(m, state[k, COUNT], alpha, beta, risk.rho, threshold, cells, k))
        return self.mass_of_several(state, k, chance, cells)

    def estimates_reach(self, state: State, k: int, worth: float, threshold: float) -> bool:
        """Whether the estimates, with a mean that is worth so much, are not below the threshold themselves."""
        if self.policy.optimism == 0.0:
            return False
        alpha, beta = self.policy.posterior(state, k)
        return not worth - beta / alpha < threshold or beta == math.inf

    def mass_of_several(self, state: State, k: int, chance: float, cells: Cells) -> float:
        """The probability that one of the arm's draws fires, if each does with that chance."""
        cells[k, CHANCE] = chance
        draws = self.policy.expected_draws(state, k)
        if draws == 1.0 or not chance < 1.0:
            return chance
        whole = math.floor(draws)
        return -math.expm1(whole * math.log1p(-chance) + math.log1p(-(draws - whole) * chance))

    def draw_above(self, state: State, k: int, threshold: float, risk: MeanVariance, cells: Cells, rng: Rng) -> float:
        if self.policy.expected_draws(state, k) <= 1.0:
            return self.proposed(state, k, threshold, risk.rho, 0.0, risk, cells, rng)
        return self.best_above(state, k, threshold, risk.rho, 0.0, risk, cells, rng)

    def draw_charged(self, state: State, k: int, threshold: float, risk: RiskMeasure, cells: Cells, rng: Rng) -> float:
        rho = cells[k, charged_bounds.RHO]
        shift = cells[k, charged_bounds.SHIFT]
        if self.policy.expected_draws(state, k) <= 1.0:
            return self.proposed(state, k, threshold, rho, shift, risk, cells, rng)
        return self.best_above(state, k, threshold, rho, shift, risk, cells, rng)

    def best_above(
        self,
        state: State,
        k: int,
        threshold: float,
        rho: float,
        shift: float,
        risk: RiskMeasure,
        cells: Cells,
        rng: Rng,
    ) -> float:
        """The best of the proposals of all draws that fire, of which there is at least one."""
        draws = self.policy.expected_draws(state, k)
        whole = math.floor(draws)
        rate = -math.log1p(-cells[k, CHANCE])
        of_whole = -math.expm1(-whole * rate)
        of_last = (draws - whole) * cells[k, CHANCE]
        best = math.nan
        also_last = True
        if of_last == 0.0 or rng.random() * (of_whole + (1.0 - of_whole) * of_last) < of_whole:
            # The first that fires is geometric, given that it is not beyond the whole number.
            firing = 1.0 + math.floor(-math.log1p(-rng.random() * of_whole) / rate)
            while firing <= whole:
                best = larger_kept(best, self.proposed(state, k, threshold, rho, shift, risk, cells, rng))
                firing += geometric(rng, rate)
            also_last = of_last > 0.0 and rng.random() < of_last
        if also_last:
            best = larger_kept(best, self.proposed(state, k, threshold, rho, shift, risk, cells, rng))
        return best

    def proposed(
        self,
        state: State,
        k: int,
        threshold: float,
        rho: float,
        shift: float,
        risk: RiskMeasure,
        cells: Cells,
        rng: Rng,
    ) -> float:
        """A score of one draw, or NaN, from the envelope in row k of `cells`, which is for that rho and a constant."""
        alpha, beta = self.policy.posterior(state, k)
        sign = math.copysign(1.0, rho)
        m = state[k, MEAN]
        count = state[k, COUNT]
        z, variance = ngts_upper.proposal(sign * m, count, alpha, beta, abs(rho), threshold - shift, cells, k, rng)
        score = risk.value(m + sign * z * math.sqrt(variance / count), variance)
        return score if score >= threshold else math.nan  # NaN compares as false


@always_inline
def larger_kept(best: float, score: float) -> float:
    """The larger of two scores, either of which may be NaN: not kept."""
    return score if not score <= best and score == score else best
