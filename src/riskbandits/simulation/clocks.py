"""Alarm clocks for arms that seldom matter, and the exact choice of an arm with their help.

While an arm is not played its scores at successive steps are independent draws from one law. So an arm that
seldom matters sleeps: it has a threshold c, and a clock that rings after a geometric number of steps, with a
probability q >= P(score >= c) per step. When it rings the policy proposes a score from an envelope of mass q,
thinned to the true law: the arm's score reaches c exactly as often as it should. As long as the best other score
reaches c, a sleeper that did not ring cannot win and is not drawn. When it does not, its score is drawn given
that it stays below c: drawn until it does.

The leader is watched in the same way from below: it has a floor, and a clock that rings with a probability
p >= P(score < floor), also while it learns, as long as it is steady. If its clock does not ring, its score is at least
the floor, and if no other score reaches the floor, nothing is drawn at all.

Thresholds, floors and clocks may be renewed at any time chosen from the past alone. So only `choose` and what
it calls touch the law of a run; the rest decides how fast it goes.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from riskbandits.compiled import function, inlined
from riskbandits.policies.contract import ENVELOPE_CELLS, draw_dip
from riskbandits.policies.play import NO_CHOICE
from riskbandits.statistics.variates import geometric

# How deep the floor lies, in the leader's deviations, follows the work that each side causes: a deep floor makes the
# others ring and stay awake, a shallow one makes the leader dip.
FIRST_DEPTH = 2.5
LEAST_DEPTH = 0.6
MOST_DEPTH = 3.5
DEEPER = 1.06
DIP_SHARE = 0.5  # of the others' work: the floor is deepened when dips cause more
RING_WORK = 3.0  # in draws
DIP_WORK = 3.0
WATCH_MASS = 0.1  # a leader that would dip more often than this is not watched but drawn at every step
FAR_DEPTH = 1.0  # arms far behind sleep so much deeper, and need no new clock when the floor falls a little
FAR_MASS = 0.001  # an arm that would ring more often than this is not far behind
SLEEP_MASS = 0.25  # an arm that would ring more often than this stays awake: a draw costs less than its alarms
MOST_TRIES = 10_000  # of draws above or below a threshold; each succeeds with a probability above 1 - SLEEP_MASS

# Columns of `rows`, after the cells that are the policy's own.
THRESHOLD = ENVELOPE_CELLS  # minus infinity for arms awake
RATE = ENVELOPE_CELLS + 1  # of the clock: -ln(1 - the probability with which it rings)
ASLEEP = ENVELOPE_CELLS + 2  # 1 or 0
SETTLED = ENVELOPE_CELLS + 3  # the review since which threshold and rate stand
COLUMNS = ENVELOPE_CELLS + 4

COUNTS, AWAKE_LIST, DUE_LIST = range(3)  # rows of `lists`: whole numbers; arms awake but the leader; arms that rang
LEADER, WATCHED, AWAKE, DUE, REVIEWS = range(5)  # whole numbers; AWAKE and DUE are the lengths of lists
FLOOR, FAR, NEXT_ALARM, NEXT_REVIEW, HIGHEST, DIP_RATE, DIP_ALARM, DEPTH, RINGS, DIPS, ALARMS = range(
    11
)  # cells of `times`;
# from ALARMS on, per arm, the step at which its clock rings: infinite for arms awake, side by side to be scanned.


class Clocks(NamedTuple):
    """Who sleeps, until when, and below which threshold."""

    # Few arrays: each one costs time at every call of a compiled function that is handed them.
    rows: Any  # (arms, COLUMNS)
    lists: Any  # (3, arms or more) whole numbers
    times: Any  # (ALARMS + arms,) numbers


@function
def new_clocks(size: int) -> Clocks:
    """All arms awake, and a review due."""
    times = np.full(ALARMS + size, -math.inf)
    times[NEXT_ALARM] = math.inf
    times[ALARMS:] = math.inf
    times[DEPTH] = FIRST_DEPTH
    times[RINGS] = 0.0
    times[DIPS] = 0.0
    lists = np.zeros((3, size + 5), dtype=np.int64)
    lists[COUNTS, AWAKE] = size - 1
    lists[AWAKE_LIST, : size - 1] = np.arange(1, size)
    rows = np.zeros((size, COLUMNS))
    rows[:, THRESHOLD] = -math.inf
    return Clocks(rows, lists, times)


@inlined
def better(score: float, k: int, best_score: float, best: int) -> bool:
    """Whether a score beats the best so far; equal scores go to the lower index, as in `play.choose`."""
    return score > best_score or (score == best_score and (best == NO_CHOICE or k < best))


@inlined
def choose(policy: Any, state: Any, step: float, run: Any, risk: Any, clocks: Clocks, rng: Any) -> int:
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
        best, best_score = ring(policy, state, step, risk, clocks, best, best_score, rng)
    leader = lists[COUNTS, LEADER]
    if lists[COUNTS, WATCHED] == 0:
        score = policy.score(state, leader, run, risk, rng)
        times[DIPS] += 1.0
    else:
        score = math.nan
        if step >= times[DIP_ALARM]:
            times[DIPS] += DIP_WORK
            score = draw_dip(policy, state, leader, risk, clocks.rows, rng)
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


@function
def ring(
    policy: Any, state: Any, step: float, risk: Any, clocks: Clocks, best: int, best_score: float, rng: Any
) -> tuple[int, float]:
    """Draw the sleepers whose clocks ring at this step; they need new clocks after it."""
    soonest = math.inf
    for k in range(state.shape[0]):
        if clocks.times[ALARMS + k] > step:
            soonest = min(soonest, clocks.times[ALARMS + k])
            continue
        clocks.times[ALARMS + k] = math.inf
        clocks.lists[DUE_LIST, clocks.lists[COUNTS, DUE]] = k
        clocks.lists[COUNTS, DUE] += 1
        clocks.times[RINGS] += RING_WORK
        score = policy.draw_above(state, k, clocks.rows[k, THRESHOLD], risk, clocks.rows, rng)
        if score == score:  # kept; otherwise the arm stays below its threshold like those that did not ring
            clocks.rows[k, THRESHOLD] = -math.inf
            if better(score, k, best_score, best):
                best = k
                best_score = score
    clocks.times[NEXT_ALARM] = min(soonest, clocks.times[DIP_ALARM])
    return best, best_score


@inlined
def draw_beyond(policy: Any, state: Any, k: int, threshold: float, side: float, run: Any, risk: Any, rng: Any) -> float:
    """A score at or above the threshold (side 1), or below it (side -1), where most scores are."""
    score = policy.score(state, k, run, risk, rng)
    tries = 1
    while (score < threshold if side > 0.0 else score >= threshold) and tries < MOST_TRIES:
        score = policy.score(state, k, run, risk, rng)
        tries += 1
    return score


@function
def draw_sleepers(
    policy: Any, state: Any, run: Any, risk: Any, clocks: Clocks, best: int, best_score: float, rng: Any
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


@function
def set_clock(k: int, clocks: Clocks, now: float, rng: Any) -> None:
    """A new clock for an arm asleep."""
    clocks.rows[k, ASLEEP] = 1.0
    clocks.times[ALARMS + k] = now + geometric(rng, clocks.rows[k, RATE])
    clocks.times[NEXT_ALARM] = min(clocks.times[NEXT_ALARM], clocks.times[ALARMS + k])
    clocks.times[HIGHEST] = max(clocks.times[HIGHEST], clocks.rows[k, THRESHOLD])


@function
def settle(policy: Any, state: Any, k: int, risk: Any, clocks: Clocks, now: float, rng: Any) -> None:
    """Send arm k to sleep with a new clock if it seldom reaches the leader's floor, or wake it."""
    times = clocks.times
    threshold = times[FAR]
    mass = 1.0
    # An arm that was not far behind at the last review is not asked again.
    if threshold > -math.inf and clocks.rows[k, SETTLED] != clocks.lists[COUNTS, REVIEWS]:
        mass = policy.tail(state, k, threshold, risk, clocks.rows)
    if not mass <= FAR_MASS and times[FLOOR] > -math.inf:
        threshold = times[FLOOR]
        mass = policy.tail(state, k, threshold, risk, clocks.rows)
        clocks.rows[k, SETTLED] = clocks.lists[COUNTS, REVIEWS]
    if mass <= SLEEP_MASS:
        clocks.rows[k, THRESHOLD] = threshold
        clocks.rows[k, RATE] = -math.log1p(-mass)
        set_clock(k, clocks, now, rng)
        return
    clocks.rows[k, THRESHOLD] = -math.inf
    clocks.times[ALARMS + k] = math.inf
    if clocks.rows[k, ASLEEP] == 1.0:
        clocks.rows[k, ASLEEP] = 0.0
        clocks.lists[AWAKE_LIST, clocks.lists[COUNTS, AWAKE]] = k
        clocks.lists[COUNTS, AWAKE] += 1


@function
def renew(policy: Any, state: Any, k: int, risk: Any, clocks: Clocks, now: float, rng: Any) -> None:
    """After arm k was played: new clocks for those that rang, and for the arm if it slept."""
    for i in range(clocks.lists[COUNTS, DUE]):
        j = clocks.lists[DUE_LIST, i]
        if j != k and clocks.rows[j, SETTLED] == clocks.lists[COUNTS, REVIEWS]:
            clocks.rows[j, THRESHOLD] = clocks.times[FLOOR]
            set_clock(j, clocks, now, rng)
        elif j != k:
            settle(policy, state, j, risk, clocks, now, rng)
    clocks.lists[COUNTS, DUE] = 0
    if clocks.rows[k, ASLEEP] == 1.0:
        settle(policy, state, k, risk, clocks, now, rng)


@function
def review(policy: Any, state: Any, risk: Any, clocks: Clocks, now: float, rng: Any) -> None:
    """Choose the leader among the arms awake, its floor and its clock; let the others try to sleep."""
    lists = clocks.lists
    times = clocks.times
    if times[DIPS] > DIP_SHARE * times[RINGS]:
        times[DEPTH] = min(times[DEPTH] * DEEPER, MOST_DEPTH)
    else:
        times[DEPTH] = max(times[DEPTH] / DEEPER, LEAST_DEPTH)
    times[DIPS] *= 0.5
    times[RINGS] *= 0.5
    leader = lists[COUNTS, LEADER]
    highest, mass = policy.watch(state, leader, risk, times[DEPTH], clocks.rows)
    for i in range(lists[COUNTS, AWAKE]):
        floor, mass = policy.watch(state, clocks.lists[AWAKE_LIST, i], risk, times[DEPTH], clocks.rows)
        if floor > highest:
            highest = floor
            leader = clocks.lists[AWAKE_LIST, i]
    far, mass = policy.watch(state, leader, risk, times[DEPTH] + FAR_DEPTH, clocks.rows)
    floor, mass = policy.watch(state, leader, risk, times[DEPTH], clocks.rows)
    watched = mass <= WATCH_MASS
    lists[COUNTS, LEADER] = leader
    lists[COUNTS, REVIEWS] += 1
    lists[COUNTS, WATCHED] = 1 if watched else 0
    times[FLOOR] = floor
    times[FAR] = min(far, floor)
    times[DIP_RATE] = -math.log1p(-mass) if watched else 0.0
    times[DIP_ALARM] = now + geometric(rng, times[DIP_RATE]) if watched else math.inf
    times[NEXT_REVIEW] = now + 16.0 + math.floor(now / 32.0)
    settle_all(policy, state, risk, clocks, now, rng)


@function
def settle_all(policy: Any, state: Any, risk: Any, clocks: Clocks, now: float, rng: Any) -> None:
    """After a change of floor: sleepers at or below it sleep on, the others and the arms awake are settled anew."""
    times = clocks.times
    times[NEXT_ALARM] = times[DIP_ALARM]
    times[HIGHEST] = -math.inf
    clocks.lists[COUNTS, AWAKE] = 0
    for k in range(state.shape[0]):
        if k == clocks.lists[COUNTS, LEADER]:
            clocks.rows[k, ASLEEP] = 0.0
            clocks.rows[k, THRESHOLD] = -math.inf
            clocks.times[ALARMS + k] = math.inf
        elif clocks.rows[k, ASLEEP] == 1.0 and clocks.rows[k, THRESHOLD] <= times[FLOOR]:
            times[NEXT_ALARM] = min(times[NEXT_ALARM], clocks.times[ALARMS + k])
            times[HIGHEST] = max(times[HIGHEST], clocks.rows[k, THRESHOLD])
        else:
            clocks.rows[k, ASLEEP] = 1.0
            settle(policy, state, k, risk, clocks, now, rng)
