"""The choice of an arm with the help of alarm clocks: exactly the same distribution as scoring all arms.

While an arm is not played its scores at successive steps are independent and identically distributed. So an arm that
seldom matters sleeps: it has a threshold c, and a clock that rings after a geometric number of steps, with a
probability q >= P(score >= c) per step. When it rings the policy proposes a score from an envelope of mass q, thinned
to the true distribution: the arm's score reaches c exactly as often as it should. As long as the best other score
reaches c, a sleeper that did not ring cannot win and is not drawn. When it does not, its score is drawn given that it
stays below c: drawn until it does.

The leader is watched in the same way from below: it has a floor, and a clock that rings with a probability
p >= P(score < floor), also while it learns, as long as it is steady. If its clock does not ring, its score is at least
the floor, and if no other score reaches the floor, nothing is drawn at all.

Thresholds, floors and clocks may be renewed at any time chosen from the past alone. So only `choose` and what
it calls affect the distribution of a run; the rest decides how fast it goes.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from riskbandits.bounds.contract import draw_dip, sure_level
from riskbandits.compiling.jit import always_inline, jitable
from riskbandits.numerics.variates import geometric
from riskbandits.policies.support.play import NO_CHOICE
from riskbandits.simulation.selection.alarms import (
    ALARMS,
    AWAKE,
    AWAKE_LIST,
    BLOCK,
    COUNTS,
    DIP_ALARM,
    DIP_RATE,
    DIPS,
    DUE,
    DUE_LIST,
    FLOOR,
    HIGHEST,
    LEADER,
    NEXT_ALARM,
    RINGS,
    THRESHOLD,
    WATCHED,
    Clocks,
)

if TYPE_CHECKING:
    from riskbandits.types import Policy, RiskMeasure, Rng, Run, State

RING_WORK = 3.0  # what a ring costs, in draws
DIP_WORK = 3.0
MOST_TRIES = 10_000  # of draws above or below a threshold; each succeeds with a probability of at least 1/20


@always_inline
def better(score: float, k: int, best_score: float, best: int) -> bool:
    """Whether a score beats the best so far; equal scores go to the lower index, as in `play.choose`."""
    return score > best_score or (score == best_score and (best == NO_CHOICE or k < best))


@always_inline
def choose(
    policy: Policy,
    bounds: object,
    state: State,
    step: float,
    run: Run,
    risk: RiskMeasure,
    clocks: Clocks,
    rng: Rng,
) -> int:
    """The arm with the highest score at this step."""
    lists = clocks.lists
    times = clocks.times
    best = NO_CHOICE
    best_score = -math.inf
    times[RINGS] += lists[COUNTS, AWAKE]
    for i in range(lists[COUNTS, AWAKE]):
        k = clocks.lists[AWAKE_LIST, i]
        score = policy.score(state, k, run, risk, rng)
        if better(score, k, best_score, best):
            best = k
            best_score = score
    if step >= times[NEXT_ALARM]:
        best, best_score = ring(bounds, state, step, risk, clocks, best, best_score, rng)
    leader = lists[COUNTS, LEADER]
    if lists[COUNTS, WATCHED] == 0:
        level = sure_level(bounds, state, leader, risk)
        if level > best_score and level >= times[HIGHEST]:
            return leader
        score = policy.score(state, leader, run, risk, rng)
        times[DIPS] += 1.0
    else:
        score = math.nan
        if step >= times[DIP_ALARM]:
            times[DIPS] += DIP_WORK
            score = draw_dip(bounds, state, leader, risk, clocks.rows, rng)
            times[DIP_ALARM] = step + geometric(rng, times[DIP_RATE])
            times[NEXT_ALARM] = min(times[NEXT_ALARM], times[DIP_ALARM])
        if score != score:  # no dip: the leader reaches its floor
            if best_score < times[FLOOR]:
                return leader
            times[RINGS] += 1.0
            score = draw_beyond(policy, state, leader, times[FLOOR], 1.0, run, risk, rng)
    if better(score, leader, best_score, best):
        best = leader
        best_score = score
    if best_score < times[HIGHEST]:
        best = draw_sleepers(policy, state, run, risk, clocks, best, best_score, rng)
    return best


@jitable
def ring(
    bounds: Any, state: State, step: float, risk: RiskMeasure, clocks: Clocks, best: int, best_score: float, rng: Rng
) -> tuple[int, float]:
    """Draw the sleepers whose clocks ring at this step; they need new clocks after it."""
    size = state.shape[0]
    times = clocks.times
    lists = clocks.lists
    soonest = times[DIP_ALARM]
    due = lists[COUNTS, DUE]
    for first in range(0, size, BLOCK):
        block = ALARMS + size + first // BLOCK
        if size > BLOCK and times[block] > step:
            soonest = min(soonest, times[block])
            continue
        last = min(first + BLOCK, size)
        # Who rings is not known ahead: a branch for each arm would be guessed wrongly once per ring.
        known = due
        next_in_block = math.inf
        for k in range(first, last):
            alarm = times[ALARMS + k]
            rings = alarm <= step
            lists[DUE_LIST, due] = k
            due += 1 if rings else 0
            next_in_block = min(next_in_block, math.inf if rings else alarm)
        for i in range(known, due):
            k = lists[DUE_LIST, i]
            times[ALARMS + k] = math.inf
            times[RINGS] += RING_WORK
            score = bounds.draw_above(state, k, clocks.rows[k, THRESHOLD], risk, clocks.rows, rng)
            if score == score:  # kept; otherwise the arm stays below its threshold like those that did not ring
                clocks.rows[k, THRESHOLD] = -math.inf
                if better(score, k, best_score, best):
                    best = k
                    best_score = score
        times[block] = next_in_block
        soonest = min(soonest, next_in_block)
    lists[COUNTS, DUE] = due
    times[NEXT_ALARM] = soonest
    return best, best_score


@jitable
def draw_beyond(
    policy: Policy, state: State, k: int, threshold: float, side: float, run: Run, risk: RiskMeasure, rng: Rng
) -> float:
    """A score at or above the threshold (side 1), or below it (side -1), where most scores are."""
    score = policy.score(state, k, run, risk, rng)
    tries = 1
    while (score < threshold if side > 0.0 else score >= threshold) and tries < MOST_TRIES:
        score = policy.score(state, k, run, risk, rng)
        tries += 1
    return score


@jitable
def draw_sleepers(
    policy: Policy,
    state: State,
    run: Run,
    risk: RiskMeasure,
    clocks: Clocks,
    best: int,
    best_score: float,
    rng: Rng,
) -> int:
    """Draw the sleepers whose thresholds the best score does not reach, given that they stay below."""
    highest = -math.inf
    for k in range(state.shape[0]):
        threshold = clocks.rows[k, THRESHOLD]
        highest = max(highest, threshold)
        if not threshold > best_score:
            continue
        clocks.times[DIPS] += 1.0
        score = draw_beyond(policy, state, k, threshold, -1.0, run, risk, rng)
        if better(score, k, best_score, best):
            best = k
            best_score = score
    clocks.times[HIGHEST] = highest
    return best
