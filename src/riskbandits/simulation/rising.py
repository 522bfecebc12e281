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

UNTIL, GATE, MARGIN, SINCE = range(4)  # numbers that go with the list
LENGTH = 0  # the first cell of the list; the arms follow in ascending order
ADJUST = 1.5


@inlined
def best_listed(policy: Any, state: Any, run: Any, risk: Any, listed: Any, rng: Any) -> tuple[int, float]:
    """The listed arm with the highest score, the lowest index among ties."""
    best = NO_CHOICE
    best_score = -math.inf
    for i in range(1, listed[LENGTH] + 1):
        score = policy.score(state, listed[i], run, risk, rng)
        if score > best_score or (score == best_score and best == NO_CHOICE):
            best = listed[i]
            best_score = score
    return best, best_score


@function
def make_list(
    policy: Any, state: Any, step: int, run: Any, risk: Any, listed: Any, numbers: Any, score: float, rng: Any
) -> None:
    """List the arms that may score at least `score` less a margin until some step ahead."""
    size = state.shape[0]
    lasted = step - numbers[SINCE]
    # Making a list costs a score per arm, using it one per listed arm and step: both should cost the same.
    numbers[MARGIN] *= ADJUST if listed[LENGTH] * lasted < size else 1.0 / ADJUST
    window = max(1.0, math.floor(min(1.5 * lasted, 0.1 * step)))
    numbers[SINCE] = step
    numbers[UNTIL] = step + window
    numbers[GATE] = score - numbers[MARGIN]
    begin_step(run, numbers[UNTIL])
    length = 0
    for k in range(size):
        ceiling = policy.score(state, k, run, risk, rng)
        if not ceiling < numbers[GATE]:
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
    numbers = np.array([-math.inf, -math.inf, 0.01, 0.0])
    for c in range(checkpoints.shape[0]):
        while step < checkpoints[c]:
            step += 1
            begin_step(run, step)
            if step <= forced:
                k = (step - 1) // first_pulls
            else:
                k, score = best_listed(policy, state, run, risk, listed, choice_rng)
                if step > numbers[UNTIL] or not score >= numbers[GATE]:
                    make_list(policy, state, step, run, risk, listed, numbers, score, choice_rng)
                    k, score = best_listed(policy, state, run, risk, listed, choice_rng)
                if k == NO_CHOICE:
                    return ALL_SCORES_NAN
            note_choice(policy, state, k, run)
            reward = draw_next(arms, k, reward_rng, memory)
            note_reward(policy, state, k, run, reward)
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
