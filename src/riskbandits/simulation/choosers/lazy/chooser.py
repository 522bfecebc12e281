"""The hot loop that samples only the arms that can matter: the law of a run is exactly that of `kernel.play_run`."""

from __future__ import annotations

from typing import Any

from riskbandits.arms.contract import draw_next
from riskbandits.policies.contract import STEP, all_changed, measure, steady
from riskbandits.policies.play import NO_CHOICE, note_choice, note_reward
from riskbandits.simulation.clocks import (
    AWAKE,
    COUNTS,
    DUE,
    LEADER,
    NEXT_ALARM,
    NEXT_REVIEW,
    WATCHED,
    new_clocks,
)
from riskbandits.simulation.kernel import (
    ALL_SCORES_NAN,
    FINISHED,
    REWARD,
    REWARD_SQUARED,
    SCORES_BETWEEN_LOOKS,
    STOPPED,
    book_pulls,
)
from riskbandits.simulation.lazy_choice import choose
from riskbandits.simulation.lazy_reviews import forget_bounds, renew, review


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
    clocks = new_clocks(size)
    lists = clocks.lists
    times = clocks.times
    for c in range(checkpoints.shape[0]):
        while step < checkpoints[c]:
            step += 1
            run[STEP] = step
            risk_now = measure(policy, state, run, risk)
            if step <= forced:
                k = (step - 1) // first_pulls
            else:
                if step > times[NEXT_REVIEW]:
                    review(policy, state, risk_now, clocks, step - 1.0, choice_rng)
                k = lists[COUNTS, LEADER]
                if lists[COUNTS, WATCHED] == 0 or lists[COUNTS, AWAKE] > 0 or step >= times[NEXT_ALARM]:
                    k = choose(policy, state, step, run, risk_now, clocks, choice_rng)
                    if k == NO_CHOICE:
                        return ALL_SCORES_NAN
            note_choice(policy, state, k, run)
            reward = draw_next(arms, k, reward_rng, memory)
            note_reward(policy, state, k, run, reward)
            if lists[COUNTS, DUE] > 0 or k != lists[COUNTS, LEADER]:
                renew(policy, state, k, risk_now, clocks, step, choice_rng)
            if (
                k == lists[COUNTS, LEADER]
                and lists[COUNTS, WATCHED] == 1
                and not steady(policy, state, k, risk_now, clocks.rows)
            ):
                times[NEXT_REVIEW] = step
            if all_changed(policy, run):
                forget_bounds(clocks, step)
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
