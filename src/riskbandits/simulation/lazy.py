"""The hot loop that samples only the arms that can matter: the law of a run is exactly that of `kernel.play_run`.

While an arm is not played its scores at successive steps are independent draws from one law. So an arm that
seldom matters sleeps: it has a threshold c, and a clock that rings after a geometric number of steps with a
probability q >= P(score >= c) per step. When it rings, the policy proposes a score from an envelope of mass q
and thins it to the true law: the arm's score reaches c exactly as often as it should. As long as the best score
of the arms awake reaches c, sleepers that did not ring cannot win and are not drawn. When it does not, their
scores are drawn given that they stay below c, by drawing until one does.

Thresholds and clocks may be renewed at any time chosen from the past alone, so nothing here but `ring` and
`draw_below` touches the law; the rest decides how fast it goes.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from riskbandits.compiled import function
from riskbandits.policies.contract import ENVELOPE_CELLS, STEP
from riskbandits.policies.play import NO_CHOICE, note_choice, note_reward
from riskbandits.simulation.kernel import (
    ALL_SCORES_NAN,
    FINISHED,
    REWARD,
    REWARD_SQUARED,
    SCORES_BETWEEN_LOOKS,
    STOPPED,
    book_pulls,
)
from riskbandits.statistics.variates import geometric

# How far below its centre, in deviations, the leader's score seldom falls. Arms far behind sleep at the lower
# level, so that they need a draw almost never; the others at the higher one, where they ring less.
FAR_DEVIATIONS = 4.0
FAR_MASS = 0.003  # an arm that would ring more often than this is not far behind
SLEEP_MASS = 0.25  # an arm that would ring more often than this stays awake: a draw costs less than its alarms
MOST_TRIES = 10_000  # of draws below a threshold, each of which succeeds with a probability above 1 - SLEEP_MASS

LEADER, AWAKE, DUE = range(3)  # whole numbers: the leading arm, the lengths of the two lists
NEAR, FAR, NEXT_ALARM, HIGHEST, NEXT_REVIEW = range(5)  # the two levels, first alarm, highest threshold


class Clocks(NamedTuple):
    """Who sleeps, until when, and below which threshold."""

    alarm: Any  # (arms,) the step at which the clock rings; infinite for arms awake
    threshold: Any  # (arms,) minus infinity for arms awake
    envelope: Any  # (arms, ENVELOPE_CELLS) the policy's own
    is_awake: Any  # (arms,)
    awake: Any  # list of the arms awake
    due: Any  # list of the arms that need a new clock after this step
    whole: Any  # whole numbers, named above
    levels: Any  # numbers, named above


@function
def new_clocks(size: int) -> Clocks:
    """All arms awake."""
    levels = np.full(5, -math.inf)
    levels[NEXT_ALARM] = math.inf
    whole = np.zeros(3, dtype=np.int64)
    whole[AWAKE] = size
    return Clocks(
        np.full(size, math.inf),
        np.full(size, -math.inf),
        np.zeros((size, ENVELOPE_CELLS)),
        np.ones(size, dtype=np.int64),
        np.arange(size),
        np.zeros(3 * size, dtype=np.int64),
        whole,
        levels,
    )


@function
def better(score: float, k: int, best_score: float, best: int) -> bool:
    """Whether a score beats the best so far; equal scores go to the lower index, as in `play.choose`."""
    return score > best_score or (score == best_score and (best == NO_CHOICE or k < best))


@function
def settle(policy: Any, state: Any, k: int, risk: Any, clocks: Clocks, now: float, rng: Any) -> None:
    """Send arm k to sleep with a new clock if it seldom reaches the leader's level, or wake it."""
    levels = clocks.levels
    threshold = levels[FAR]
    mass = 1.0
    if threshold > -math.inf:
        mass = policy.tail(state, k, threshold, risk, clocks.envelope)
    if not mass <= FAR_MASS and levels[NEAR] > -math.inf:
        threshold = levels[NEAR]
        mass = policy.tail(state, k, threshold, risk, clocks.envelope)
    if mass <= SLEEP_MASS:
        clocks.is_awake[k] = 0
        clocks.threshold[k] = threshold
        clocks.alarm[k] = now + geometric(rng, mass)
        levels[NEXT_ALARM] = min(levels[NEXT_ALARM], clocks.alarm[k])
        levels[HIGHEST] = max(levels[HIGHEST], threshold)
        return
    clocks.threshold[k] = -math.inf
    clocks.alarm[k] = math.inf
    if clocks.is_awake[k] == 0:
        clocks.is_awake[k] = 1
        clocks.awake[clocks.whole[AWAKE]] = k
        clocks.whole[AWAKE] += 1


@function
def review(policy: Any, state: Any, risk: Any, clocks: Clocks, now: float, rng: Any) -> None:
    """Find the leader among the arms awake and its levels; let the others try to sleep."""
    size = state.shape[0]
    deviations = 0.5 + 0.6 * math.sqrt(2.0 * math.log(size))
    leader = clocks.awake[0]
    highest = -math.inf
    for i in range(clocks.whole[AWAKE]):
        level = policy.level(state, clocks.awake[i], risk, deviations)
        if level > highest:
            highest = level
            leader = clocks.awake[i]
    clocks.whole[LEADER] = leader
    clocks.levels[NEAR] = highest
    clocks.levels[FAR] = policy.level(state, leader, risk, FAR_DEVIATIONS)
    clocks.levels[NEXT_REVIEW] = now + 16.0 + math.floor(now / 64.0)
    kept = 0
    for i in range(clocks.whole[AWAKE]):
        k = clocks.awake[i]
        if k != leader:
            settle(policy, state, k, risk, clocks, now, rng)
        if clocks.is_awake[k] == 1:
            clocks.awake[kept] = k
            kept += 1
    clocks.whole[AWAKE] = kept


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
    clocks.levels[NEXT_ALARM] = soonest
    return best, best_score


@function
def draw_below(
    policy: Any, state: Any, run: Any, risk: Any, clocks: Clocks, best: int, best_score: float, rng: Any
) -> tuple[int, float]:
    """Draw the sleepers whose thresholds the best score does not reach, given that they stay below."""
    highest = -math.inf
    for k in range(state.shape[0]):
        threshold = clocks.threshold[k]
        highest = max(highest, threshold)
        if not threshold > best_score:
            continue
        score = policy.score(state, k, run, risk, rng)
        tries = 1
        while score >= threshold and tries < MOST_TRIES:
            score = policy.score(state, k, run, risk, rng)
            tries += 1
        if better(score, k, best_score, best):
            best = k
            best_score = score
        if threshold > clocks.levels[NEAR]:  # the leader has fallen since
            clocks.due[clocks.whole[DUE]] = k
            clocks.whole[DUE] += 1
    clocks.levels[HIGHEST] = highest
    return best, best_score


@function
def renew(policy: Any, state: Any, k: int, risk: Any, clocks: Clocks, now: float, rng: Any) -> None:
    """After arm k was played: new clocks for it, if it slept, and for those that rang."""
    for i in range(clocks.whole[DUE]):
        settle(policy, state, clocks.due[i], risk, clocks, now, rng)
    clocks.whole[DUE] = 0
    if clocks.is_awake[k] == 0:
        settle(policy, state, k, risk, clocks, now, rng)


def play_run(
    policy: Any,
    risk: Any,
    arms: Any,
    facts: Any,
    best_mean: float,
    first_pulls: int,
    state: Any,
    run: Any,
    checkpoints: Any,
    choice_rng: Any,
    reward_rng: Any,
    sums: Any,
    pulls: Any,
    reward_sums: Any,
    outstanding: Any,
    progress: Any,
    stop: Any,
) -> int:
    """Play until the last checkpoint; return how it ended. The arguments are those of `kernel.play_run`."""
    size = state.shape[0]
    forced = size * first_pulls
    look_every = max(1, SCORES_BETWEEN_LOOKS // size)
    countdown = look_every
    total = 0.0
    total_squared = 0.0
    step = 0
    clocks = new_clocks(size)
    levels = clocks.levels
    for c in range(checkpoints.shape[0]):
        while step < checkpoints[c]:
            step += 1
            run[STEP] = step
            if step <= forced:
                k = (step - 1) // first_pulls
            else:
                if step > levels[NEXT_REVIEW]:
                    review(policy, state, risk, clocks, step - 1.0, choice_rng)
                k = NO_CHOICE
                score = -math.inf
                for i in range(clocks.whole[AWAKE]):
                    j = clocks.awake[i]
                    drawn = policy.score(state, j, run, risk, choice_rng)
                    if better(drawn, j, score, k):
                        k = j
                        score = drawn
                if step >= levels[NEXT_ALARM]:
                    k, score = ring(policy, state, step, risk, clocks, k, score, choice_rng)
                if score < levels[HIGHEST]:
                    k, score = draw_below(policy, state, run, risk, clocks, k, score, choice_rng)
                if k == NO_CHOICE:
                    return ALL_SCORES_NAN
            note_choice(policy, state, k, run)
            reward = arms.draw(k, reward_rng)
            note_reward(policy, state, k, run, reward)
            if clocks.whole[DUE] > 0 or clocks.is_awake[k] == 0:
                renew(policy, state, k, risk, clocks, step, choice_rng)
            centred = reward - best_mean
            total += centred
            total_squared += centred * centred
            pulls[k] += 1
            reward_sums[k] += centred
            countdown -= 1
            if countdown == 0:
                countdown = look_every
                progress[0] += look_every
                if stop[0] != 0:
                    return STOPPED
        sums[c, REWARD] = total
        sums[c, REWARD_SQUARED] = total_squared
        book_pulls(sums, c, pulls, facts)
    progress[0] += look_every - countdown
    return FINISHED
