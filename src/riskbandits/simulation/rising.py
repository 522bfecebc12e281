"""The hot loop for scores that draw nothing and only rise while their arm is not played: the plain kernel's own path.

Confidence bounds are such scores. What an arm scores at a later step bounds its scores until then, so only a short
list of arms needs to be scored at each step: all others are known to score less than a gate until some step. The list
is made anew when that step has passed or when no listed score reaches the gate. Choices are those of the plain kernel,
bit for bit: listed arms are scored by the policy itself, and an arm off the list could not have won.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from riskbandits.arms.contract import draw_next
from riskbandits.compiled import function, inlined
from riskbandits.policies.contract import LOG_STEP, STEP
from riskbandits.policies.play import NO_CHOICE, begin_step, note_choice, note_reward
from riskbandits.simulation.kernel import (
    ALL_SCORES_NAN,
    FINISHED,
    REWARD,
    REWARD_SQUARED,
    SCORES_BETWEEN_LOOKS,
    STOPPED,
    book_pulls,
)

UNTIL, LOG_UNTIL, GATE, MARGIN, SINCE, WINDOW, SCORED = range(7)  # numbers that go with the list
LENGTH = 0  # the first cell of the list; the arms follow in ascending order
ADJUST = 1.5
LOOKS_PER_SCORE = 8  # looking at a ceiling is so much cheaper than scoring
FIRST_NUMBERS = (-math.inf, 0.0, -math.inf, 0.01, 0.0, 1.0, 0.0)


@inlined
def best_listed(
    policy: Any, state: Any, run: Any, risk: Any, listed: Any, ceilings: Any, numbers: Any, rng: Any
) -> tuple[int, float]:
    """The listed arm with the highest score, the lowest index among ties.

    The arm with the highest ceiling is scored first: few others then have a ceiling that reaches its score.
    """
    first = listed[1]
    highest = ceilings[first]
    for i in range(2, listed[LENGTH] + 1):
        if ceilings[listed[i]] > highest:
            first = listed[i]
            highest = ceilings[first]
    best = NO_CHOICE
    best_score = policy.score(state, first, run, risk, rng)
    if math.isnan(best_score):
        best_score = -math.inf
    else:
        best = first
    for i in range(1, listed[LENGTH] + 1):
        k = listed[i]
        if k != first and not ceilings[k] < best_score:
            score = policy.score(state, k, run, risk, rng)
            numbers[SCORED] += 1.0
            if score > best_score or (score == best_score and (best == NO_CHOICE or k < best)):
                best = k
                best_score = score
    return best, best_score


@function
def make_list(
    policy: Any,
    state: Any,
    step: int,
    run: Any,
    risk: Any,
    listed: Any,
    ceilings: Any,
    numbers: Any,
    score: float,
    rng: Any,
) -> None:
    """List the arms that may score at least `score` less a margin until some step ahead."""
    size = state.shape[0]
    lasted = step - numbers[SINCE]
    # Making a list costs a score per arm, using it one per listed arm and step: both should cost the same.
    numbers[MARGIN] *= ADJUST if listed[LENGTH] * lasted < LOOKS_PER_SCORE * size else 1.0 / ADJUST
    # So should the scores that low ceilings would have saved: a long window makes high ceilings.
    numbers[WINDOW] *= ADJUST if numbers[SCORED] < size else 1.0 / ADJUST
    numbers[WINDOW] = max(1.0, min(numbers[WINDOW], 0.1 * step))
    numbers[SINCE] = step
    numbers[SCORED] = 0.0
    numbers[UNTIL] = step + math.floor(numbers[WINDOW])
    numbers[GATE] = score - numbers[MARGIN]
    begin_step(run, numbers[UNTIL])
    numbers[LOG_UNTIL] = run[LOG_STEP]
    length = 0
    for k in range(size):
        ceilings[k] = policy.score(state, k, run, risk, rng)
        if not ceilings[k] < numbers[GATE]:
            length += 1
            listed[length] = k
    listed[LENGTH] = length
    begin_step(run, step)


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
    memory: Any,
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
    listed = np.arange(-1, size)  # at first all arms
    listed[LENGTH] = size
    ceilings = np.full(size, math.inf)  # what each arm may score until the list is made anew
    numbers = np.array(FIRST_NUMBERS)
    for c in range(checkpoints.shape[0]):
        while step < checkpoints[c]:
            step += 1
            begin_step(run, step)
            if step <= forced:
                k = (step - 1) // first_pulls
            else:
                k, score = best_listed(policy, state, run, risk, listed, ceilings, numbers, choice_rng)
                if step > numbers[UNTIL] or not score >= numbers[GATE]:
                    make_list(policy, state, step, run, risk, listed, ceilings, numbers, score, choice_rng)
                    k, score = best_listed(policy, state, run, risk, listed, ceilings, numbers, choice_rng)
                if k == NO_CHOICE:
                    return ALL_SCORES_NAN
            note_choice(policy, state, k, run)
            reward = draw_next(arms, k, reward_rng, memory)
            note_reward(policy, state, k, run, reward)
            if step > forced:
                run[STEP] = numbers[UNTIL]
                run[LOG_STEP] = numbers[LOG_UNTIL]
                ceilings[k] = policy.score(state, k, run, risk, choice_rng)
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
