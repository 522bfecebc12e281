"""The hot loop for scores that draw nothing and only rise while their arm is not played: the plain kernel's own path.

Confidence bounds are such scores. What an arm scores at a later step is a ceiling of its scores until then. Arms are
kept in the order of their ceilings, and at each step they are scored from the top until the next ceiling is below the
best score. Ceilings are set anew when that step has passed or when they have become too high to spare much.
Choices are those of the plain kernel, bit for bit: arms are scored by the policy itself, and one that is left out could
not have won.
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

UNTIL, LOG_UNTIL, SINCE, WINDOW, IN_VAIN = range(5)  # numbers that go with the ceilings
FIRST_NUMBERS = (-math.inf, 0.0, 0.0, 1.0, 0.0)
LONGER = 1.5
LARGEST_WINDOW = 0.1  # of the steps so far


@inlined
def ceiling_of(policy: Any, state: Any, k: int, run: Any, risk: Any, rng: Any) -> float:
    """What an arm scores at the step that is written in `run`; infinite if that is no number: it must be looked at."""
    score = policy.score(state, k, run, risk, rng)
    return math.inf if math.isnan(score) else score


@inlined
def sink(order: Any, ceilings: Any, place: int) -> None:
    """Move the arm at a place of the order down to where its ceiling belongs, below equal ones."""
    arm = order[place]
    ceiling = ceilings[arm]
    while place + 1 < order.shape[0] and not ceilings[order[place + 1]] < ceiling:
        order[place] = order[place + 1]
        place += 1
    order[place] = arm


@inlined
def float_up(order: Any, ceilings: Any, place: int) -> None:
    """Move the arm at a place of the order up to where its ceiling belongs."""
    arm = order[place]
    ceiling = ceilings[arm]
    while place > 0 and ceilings[order[place - 1]] < ceiling:
        order[place] = order[place - 1]
        place -= 1
    order[place] = arm


@inlined
def best_placed(policy: Any, state: Any, run: Any, risk: Any, order: Any, ceilings: Any, numbers: Any, rng: Any) -> int:
    """The place in the order of the arm with the highest score, the lowest index among ties."""
    best = NO_CHOICE
    best_score = -math.inf
    place = 0
    while place < order.shape[0] and not ceilings[order[place]] < best_score:
        score = policy.score(state, order[place], run, risk, rng)
        if score > best_score or (score == best_score and (best == NO_CHOICE or order[place] < order[best])):
            best = place
            best_score = score
        place += 1
    numbers[IN_VAIN] += place - 1
    return best


@function
def set_ceilings(
    policy: Any, state: Any, step: int, run: Any, risk: Any, order: Any, ceilings: Any, numbers: Any, rng: Any
) -> None:
    """Let ceilings hold until some step ahead."""
    # Setting them costs a score per arm; a long window makes them high, and arms are scored in vain: both should cost
    # the same.
    window = LONGER * numbers[WINDOW] if step > numbers[UNTIL] else step - numbers[SINCE]
    numbers[WINDOW] = max(1.0, min(window, LARGEST_WINDOW * step))
    numbers[SINCE] = step
    numbers[IN_VAIN] = 0.0
    numbers[UNTIL] = step + math.floor(numbers[WINDOW])
    begin_step(run, numbers[UNTIL])
    numbers[LOG_UNTIL] = run[LOG_STEP]
    for place in range(order.shape[0]):
        k = order[place]
        ceilings[k] = ceiling_of(policy, state, k, run, risk, rng)
        float_up(order, ceilings, place)  # few have moved since the last time
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
    order = np.arange(size)
    ceilings = np.full(size, math.inf)
    numbers = np.array(FIRST_NUMBERS)
    for c in range(checkpoints.shape[0]):
        while step < checkpoints[c]:
            step += 1
            begin_step(run, step)
            place = NO_CHOICE
            if step <= forced:
                k = (step - 1) // first_pulls
            else:
                if step > numbers[UNTIL] or numbers[IN_VAIN] > size:
                    set_ceilings(policy, state, step, run, risk, order, ceilings, numbers, choice_rng)
                place = best_placed(policy, state, run, risk, order, ceilings, numbers, choice_rng)
                if place == NO_CHOICE:
                    return ALL_SCORES_NAN
                k = order[place]
            note_choice(policy, state, k, run)
            reward = draw_next(arms, k, reward_rng, memory)
            note_reward(policy, state, k, run, reward)
            if place != NO_CHOICE:
                run[STEP] = numbers[UNTIL]
                run[LOG_STEP] = numbers[LOG_UNTIL]
                before = ceilings[k]
                ceilings[k] = ceiling_of(policy, state, k, run, risk, choice_rng)
                if ceilings[k] < before:
                    sink(order, ceilings, place)
                else:
                    float_up(order, ceilings, place)
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
