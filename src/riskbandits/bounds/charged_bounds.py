"""Bounds for `SwitchingAware` that count its charge w (theta - xbar)^2, so that its runs can be played in batches.

The charge changes at every step. Over a batch w stays between its values at the ends, and the mean xbar of the stream
between two levels that it never passes while the leader is played, for the same reason as the leader's own mean
(`regions`). After another arm was played `stays` looks again.

*The leader.* Its floor is the policy's own less the largest charge that its usual draws can meet. What is unusual is
added to the mass below it.

*The others.* A convex charge lies above its tangents. With s the distance of an arm's mean m from the nearest xbar, it
is at least w s^2 + 2 w s (theta - m): so the charged value is at most that of a mean-variance with rho - 2 w s in place
of rho, and a constant, whose tail the policy's own bounds know. Without this an arm that the charge keeps from being
played would fire for ever at a rate that does not fall.

Where the policy's bounds know nothing of charges, `SwitchingAwareBounds` leave the charge out, and no batches
are played.

A policy's bounds can be charged if they have these methods:

    charge(state, k, risk, least, most, low, high, deviations, mass, cells, arms) -> floor, mass
    charged_dip(state, k, risk, cells, rng) -> score or NaN
    charged_tail(state, k, threshold, rho, weight, low, high, cells) -> mass
    draw_charged(state, k, threshold, risk, cells, rng) -> score or NaN
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.bounds import regions
from riskbandits.bounds.contract import region, sleep_mass, sure_level
from riskbandits.compiling.jit import jitable
from riskbandits.numerics.run_cells import HORIZON, REWARD_COUNT, REWARD_SUM, STEP
from riskbandits.risk.charged import weight_at

if TYPE_CHECKING:
    from riskbandits.risk.mean_variance import MeanVariance
    from riskbandits.types import Arms, Cells, RiskMeasure, Rng, Run, State

# Cells of all rows: the least weight (0: nothing is charged), and the levels between which the stream stays.
WEIGHT, LOW, HIGH = 8, 9, 10
LOW_EXPONENT, HIGH_EXPONENT, FLOOR, LIMIT = 11, 12, 13, 14  # cells of a leader
RHO, SHIFT = 11, 12  # cells of the others
SLACK = 0.7  # the stream is given room as if it were so much shorter: pulls of other arms take some of it

CHARGE_METHODS = ("charge", "charged_dip", "charged_tail", "draw_charged")


def can_be_charged(bounds: object) -> bool:
    """Whether a policy's bounds know what to do about a charge."""
    return all(hasattr(bounds, name) for name in CHARGE_METHODS)


class ChargedBounds(NamedTuple):
    """Around the bounds of a policy; the methods are those of `bounds.contract`."""

    inner: Any
    anytime: bool
    power: float

    def watch(self, state: State, k: int, risk: RiskMeasure, deviations: float, cells: Cells) -> tuple[float, float]:
        """The policy's own floor. How seldom a score falls below it changes with the charge: a leader is drawn."""
        if cells[k, WEIGHT] != 0.0:
            for j in range(cells.shape[0]):
                cells[j, WEIGHT] = 0.0
        floor, _ = self.inner.watch(state, k, risk, deviations, cells)
        return floor, 1.0

    def region(
        self,
        state: State,
        k: int,
        risk: RiskMeasure,
        deviations: float,
        cells: Cells,
        arms: Arms,
        run: Run,
        until: float,
    ) -> tuple[float, float]:
        _, mass = region(self.inner, state, k, risk, deviations, cells, arms, run, until)
        if not mass < 1.0 or not run[REWARD_COUNT] > 0.0:
            return -math.inf, 1.0
        stream = run[REWARD_SUM] / run[REWARD_COUNT]
        low = regions.mean_level(stream, SLACK * run[REWARD_COUNT], arms, k, -1.0)
        high = regions.mean_level(stream, SLACK * run[REWARD_COUNT], arms, k, 1.0)
        if not math.isfinite(low) or not math.isfinite(high):
            return -math.inf, 1.0
        now = weight_at(run[STEP], run[HORIZON], state.shape[0], self.anytime, self.power)
        then = weight_at(min(until, run[HORIZON]), run[HORIZON], state.shape[0], self.anytime, self.power)
        for j in range(cells.shape[0]):
            cells[j, WEIGHT] = min(now, then)
            cells[j, LOW] = low
            cells[j, HIGH] = high
        cells[k, LOW_EXPONENT] = regions.exponent(low, arms, k, -1.0)
        cells[k, HIGH_EXPONENT] = regions.exponent(high, arms, k, 1.0)
        weights = (min(now, then), max(now, then))
        return self.inner.charge(state, k, risk, *weights, low, high, deviations, mass, cells, arms)

    def sure_level(self, state: State, k: int, risk: RiskMeasure) -> float:
        return sure_level(self.inner, state, k, risk)

    def sleep_mass(self, state: State) -> float:
        return sleep_mass(self.inner, state)

    def lasting(self) -> bool:
        """Tails hold for the weights and streams of a region."""
        return False

    def stays(self, state: State, k: int, run: Run, cells: Cells) -> bool:
        """Whether the stream still never passes its levels."""
        rewards = run[REWARD_COUNT]
        stream = run[REWARD_SUM] / rewards
        if not regions.stays_beyond(stream, rewards, cells[k, LOW], cells[k, LOW_EXPONENT], -1.0):
            return False
        return regions.stays_beyond(stream, rewards, cells[k, HIGH], cells[k, HIGH_EXPONENT], 1.0)

    def steady(self, state: State, k: int, risk: RiskMeasure, cells: Cells) -> bool:
        return self.inner.steady(state, k, risk, cells)

    def draw_dip(self, state: State, k: int, risk: RiskMeasure, cells: Cells, rng: Rng) -> float:
        return self.inner.charged_dip(state, k, risk, cells, rng)

    def tail(self, state: State, k: int, threshold: float, risk: MeanVariance, cells: Cells) -> float:
        if cells[k, WEIGHT] == 0.0:
            return self.inner.tail(state, k, threshold, risk, cells)
        levels = (cells[k, WEIGHT], cells[k, LOW], cells[k, HIGH])
        return self.inner.charged_tail(state, k, threshold, risk.rho, *levels, cells)

    def draw_above(self, state: State, k: int, threshold: float, risk: RiskMeasure, cells: Cells, rng: Rng) -> float:
        if cells[k, WEIGHT] == 0.0:
            return self.inner.draw_above(state, k, threshold, risk, cells, rng)
        return self.inner.draw_charged(state, k, threshold, risk, cells, rng)


class SwitchingAwareBounds(NamedTuple):
    """The policy's own bounds, which do not count the charge: it only takes away, so they hold whatever it becomes."""

    inner: Any

    def watch(self, state: State, k: int, risk: RiskMeasure, deviations: float, cells: Cells) -> tuple[float, float]:
        """The policy's own floor. How seldom a score falls below it changes with the charge: a leader is drawn."""
        floor, _ = self.inner.watch(state, k, risk, deviations, cells)
        return floor, 1.0

    def tail(self, state: State, k: int, threshold: float, risk: RiskMeasure, cells: Cells) -> float:
        return self.inner.tail(state, k, threshold, risk, cells)

    def draw_above(self, state: State, k: int, threshold: float, risk: RiskMeasure, cells: Cells, rng: Rng) -> float:
        return self.inner.draw_above(state, k, threshold, risk, cells, rng)


@jitable
def away(at: float, low: float, high: float) -> float:
    """How far a mean is from the nearest stream, below 0 where that is higher."""
    return at - high if at > high else min(0.0, at - low)


@jitable
def tangent(at: float, rho: float, weight: float, low: float, high: float) -> tuple[float, float]:
    """Rho and a constant: for every theta and every stream between `low` and `high`

    rho theta - weight (theta - stream)^2 <= (the rho) theta + (the constant).
    """
    far = away(at, low, high)
    return rho - 2.0 * weight * far, weight * far * (2.0 * at - far)
