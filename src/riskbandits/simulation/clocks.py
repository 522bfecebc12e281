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

from riskbandits.compiled import function
from riskbandits.policies.contract import ENVELOPE_CELLS, draw_dip
from riskbandits.policies.play import NO_CHOICE
from riskbandits.statistics.variates import geometric

WATCH_DEVIATIONS = 3.0  # how deep the floor of a watched leader lies
WATCH_MASS = 0.05  # a leader that would dip more often than this is not watched but drawn at every step,
NEAR_DEVIATIONS = 1.8  # with a floor this deep
FAR_DEVIATIONS = 4.0  # arms far behind sleep at this level, and need no new clock when the floor falls a little
FAR_MASS = 0.001  # an arm that would ring more often than this is not far behind
SLEEP_MASS = 0.25  # an arm that would ring more often than this stays awake: a draw costs less than its alarms
MOST_TRIES = 10_000  # of draws above or below a threshold; each succeeds with a probability above 1 - SLEEP_MASS

LEADER, WATCHED, AWAKE, DUE = range(4)  # whole numbers; AWAKE and DUE are the lengths of lists
FLOOR, FAR, NEXT_ALARM, NEXT_REVIEW, HIGHEST, DIP_MASS, DIP_ALARM = range(7)


class Clocks(NamedTuple):
    """Who sleeps, until when, and below which threshold."""

    alarm: Any  # (arms,) the step at which the clock rings; infinite for arms awake
    threshold: Any  # (arms,) minus infinity for arms awake
    envelope: Any  # (arms, ENVELOPE_CELLS) the policy's own
    asleep: Any  # (arms,)
    awake: Any  # list of the arms awake, the leader excepted
    due: Any  # list of the arms that need a new clock after this step
    whole: Any  # whole numbers, named above
    times: Any  # numbers, named above


@function
def new_clocks(size: int) -> Clocks:
    """All arms awake, and a review due."""
    times = np.full(7, -math.inf)
    times[NEXT_ALARM] = math.inf
    whole = np.zeros(4, dtype=np.int64)
    whole[AWAKE] = size - 1
    return Clocks(
        np.full(size, math.inf),
        np.full(size, -math.inf),
        np.zeros((size, ENVELOPE_CELLS)),
        np.zeros(size, dtype=np.int64),
        np.arange(1, size + 1),
        np.zeros(3 * size, dtype=np.int64),
        whole,
        times,
    )


@function
def better(score: float, k: int, best_score: float, best: int) -> bool:
    """Whether a score beats the best so far; equal scores go to the lower index, as in `play.choose`."""
    return score > best_score or (score == best_score and (best == NO_CHOICE or k < best))


@function
def choose(policy: Any, state: Any, step: float, run: Any, risk: Any, clocks: Clocks, rng: Any) -> int:
    """The arm with the highest score at this step."""
    whole = clocks.whole
    times = clocks.times
    best = NO_CHOICE
    best_score = -math.inf
    for i in range(whole[AWAKE]):
        k = clocks.awake[i]
        score = policy.score(state, k, run, risk, rng)
        if better(score, k, best_score, best):
            best = k
            best_score = score
    if step >= times[NEXT_ALARM]:
        best, best_score = ring(policy, state, step, risk, clocks, best, best_score, rng)
    leader = whole[LEADER]
    if whole[WATCHED] == 0:
        score = policy.score(state, leader, run, risk, rng)
    else:
        score = math.nan
        if step >= times[DIP_ALARM]:
            score = draw_dip(policy, state, leader, risk, clocks.envelope, rng)
            times[DIP_ALARM] = step + geometric(rng, times[DIP_MASS])
            times[NEXT_ALARM] = min(times[NEXT_ALARM], times[DIP_ALARM])
        if score != score:  # no dip: the leader reaches its floor
            if best_score < times[FLOOR]:
                return leader
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
        if clocks.alarm[k] > step:
            soonest = min(soonest, clocks.alarm[k])
            continue
        clocks.alarm[k] = math.inf
        clocks.due[clocks.whole[DUE]] = k
        clocks.whole[DUE] += 1
        score = policy.draw_above(state, k, clocks.threshold[k], risk, clocks.envelope, rng)
        if score == score:  # kept; otherwise the arm stays below its threshold like those that did not ring
            clocks.threshold[k] = -math.inf
            if better(score, k, best_score, best):
                best = k
                best_score = score
    clocks.times[NEXT_ALARM] = min(soonest, clocks.times[DIP_ALARM])
    return best, best_score


@function
def draw_beyond(
    policy: Any, state: Any, k: int, threshold: float, side: float, run: Any, risk: Any, rng: Any
) -> float:
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
        threshold = clocks.threshold[k]
        highest = max(highest, threshold)
        if not threshold > best_score:
            continue
        score = draw_beyond(policy, state, k, threshold, -1.0, run, risk, rng)
        if better(score, k, best_score, best):
            best = k
            best_score = score
    clocks.times[HIGHEST] = highest
    return best


@function
def settle(policy: Any, state: Any, k: int, risk: Any, clocks: Clocks, now: float, rng: Any) -> None:
    """Send arm k to sleep with a new clock if it seldom reaches the leader's floor, or wake it."""
    times = clocks.times
    threshold = times[FAR]
    mass = 1.0
    if threshold > -math.inf:
        mass = policy.tail(state, k, threshold, risk, clocks.envelope)
    if not mass <= FAR_MASS and times[FLOOR] > threshold:
        threshold = times[FLOOR]
        mass = policy.tail(state, k, threshold, risk, clocks.envelope)
    if mass <= SLEEP_MASS:
        clocks.asleep[k] = 1
        clocks.threshold[k] = threshold
        clocks.alarm[k] = now + geometric(rng, mass)
        times[NEXT_ALARM] = min(times[NEXT_ALARM], clocks.alarm[k])
        times[HIGHEST] = max(times[HIGHEST], threshold)
        return
    clocks.threshold[k] = -math.inf
    clocks.alarm[k] = math.inf
    if clocks.asleep[k] == 1:
        clocks.asleep[k] = 0
        clocks.awake[clocks.whole[AWAKE]] = k
        clocks.whole[AWAKE] += 1


@function
def renew(policy: Any, state: Any, k: int, risk: Any, clocks: Clocks, now: float, rng: Any) -> None:
    """After arm k was played: new clocks for those that rang, and for the arm if it slept."""
    for i in range(clocks.whole[DUE]):
        settle(policy, state, clocks.due[i], risk, clocks, now, rng)
    clocks.whole[DUE] = 0
    if clocks.asleep[k] == 1:
        settle(policy, state, k, risk, clocks, now, rng)


@function
def review(policy: Any, state: Any, risk: Any, clocks: Clocks, now: float, rng: Any) -> None:
    """Choose the leader among the arms awake, its floor and its clock; let the others try to sleep."""
    whole = clocks.whole
    times = clocks.times
    leader = whole[LEADER]
    highest, mass = policy.watch(state, leader, risk, NEAR_DEVIATIONS, clocks.envelope)
    for i in range(whole[AWAKE]):
        floor, mass = policy.watch(state, clocks.awake[i], risk, NEAR_DEVIATIONS, clocks.envelope)
        if floor > highest:
            highest = floor
            leader = clocks.awake[i]
    far, mass = policy.watch(state, leader, risk, FAR_DEVIATIONS, clocks.envelope)
    floor, mass = policy.watch(state, leader, risk, WATCH_DEVIATIONS, clocks.envelope)
    watched = mass <= WATCH_MASS
    whole[LEADER] = leader
    whole[WATCHED] = 1 if watched else 0
    times[FLOOR] = floor if watched else highest
    times[FAR] = min(far, times[FLOOR])
    times[DIP_MASS] = mass
    times[DIP_ALARM] = now + geometric(rng, mass) if watched else math.inf
    times[NEXT_REVIEW] = now + 16.0 + math.floor(now / 32.0)
    settle_all(policy, state, risk, clocks, now, rng)


@function
def settle_all(policy: Any, state: Any, risk: Any, clocks: Clocks, now: float, rng: Any) -> None:
    """After a change of floor: sleepers at or below it sleep on, the others and the arms awake are settled anew."""
    times = clocks.times
    times[NEXT_ALARM] = times[DIP_ALARM]
    times[HIGHEST] = -math.inf
    clocks.whole[AWAKE] = 0
    for k in range(state.shape[0]):
        if k == clocks.whole[LEADER]:
            clocks.asleep[k] = 0
            clocks.threshold[k] = -math.inf
            clocks.alarm[k] = math.inf
        elif clocks.asleep[k] == 1 and clocks.threshold[k] <= times[FLOOR]:
            times[NEXT_ALARM] = min(times[NEXT_ALARM], clocks.alarm[k])
            times[HIGHEST] = max(times[HIGHEST], clocks.threshold[k])
        else:
            clocks.asleep[k] = 1
            settle(policy, state, k, risk, clocks, now, rng)
