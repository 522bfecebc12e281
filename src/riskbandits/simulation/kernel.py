"""The hot loop: one run of one policy, with its running sums at the checkpoints."""

from __future__ import annotations

from typing import Any

from riskbandits.arms.contract import draw_next
from riskbandits.compiled import function, inlined
from riskbandits.policies.play import NO_CHOICE, begin_step, choose, note_choice, note_reward

FINISHED, STOPPED, ALL_SCORES_NAN = 0, 1, 2

# Columns of the running sums. Rewards and means are taken less the best arm's mean: every regret is
# invariant, and sums of raw numbers would lose the switching term when means are large.
REWARD, REWARD_SQUARED, GAP, MEAN, MEAN_SQUARED, BEST_ARM = range(6)
SUMS = 6

# Columns of the facts about each arm.
FACT_GAP, FACT_MEAN, FACT_BEST = range(3)

# How many scores may pass before the kernel looks at the stop flag and reports progress.
SCORES_BETWEEN_LOOKS = 100_000


def play_run(
    policy: Any,
    risk: Any,
    arms: Any,
    facts: Any,  # (arms, 3): gap, mean less the best arm's, whether the gap is 0
    best_mean: float,
    first_pulls: int,
    state: Any,
    run: Any,
    checkpoints: Any,
    choice_rng: Any,
    reward_rng: Any,
    sums: Any,  # out: (checkpoints, SUMS)
    pulls: Any,  # out: (arms,)
    reward_sums: Any,  # out: (arms,), less the best arm's mean
    outstanding: Any,  # (arms,) zeros: in a simulation every reward is told at once
    memory: Any,  # (arms, MEMORY_CELLS) zeros: what arms remember of the rewards that they paid
    progress: Any,  # out: progress[0] is the number of steps done
    stop: Any,  # stop[0] != 0 asks the run to end
) -> int:
    """Play until the last checkpoint; return how it ended."""
    horizon = checkpoints[-1]
    look_every = max(1, SCORES_BETWEEN_LOOKS // state.shape[0])
    step = 0
    while step < horizon:
        end = min(horizon, step + look_every)
        ending = play_part(
            policy,
            risk,
            arms,
            facts,
            best_mean,
            first_pulls,
            state,
            run,
            checkpoints,
            choice_rng,
            reward_rng,
            sums,
            pulls,
            reward_sums,
            outstanding,
            memory,
            step,
            end,
        )
        if ending != FINISHED:
            return ending
        progress[0] += end - step
        step = end
        if stop[0] != 0:
            return STOPPED
    return FINISHED


@inlined
def play_part(
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
    step: int,
    end: int,
) -> int:
    """Play the steps after `step` up to and with `end`; all that a run remembers between parts is in the arrays."""
    forced = state.shape[0] * first_pulls
    for c in range(checkpoints.shape[0]):
        if checkpoints[c] <= step:
            continue
        if c > 0 and checkpoints[c - 1] == step:
            sums[c, REWARD] = sums[c - 1, REWARD]
            sums[c, REWARD_SQUARED] = sums[c - 1, REWARD_SQUARED]
        total = sums[c, REWARD]
        total_squared = sums[c, REWARD_SQUARED]
        last = min(checkpoints[c], end)
        while step < last:
            step += 1
            begin_step(run, step)
            if step <= forced:
                k = (step - 1) // first_pulls
            else:
                k = choose(policy, state, run, risk, choice_rng, outstanding)
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
        sums[c, REWARD] = total
        sums[c, REWARD_SQUARED] = total_squared
        if step < checkpoints[c]:
            break
        book_pulls(sums, c, pulls, facts)
        if step == end:
            break
    return FINISHED


@function
def book_pulls(sums: Any, c: int, pulls: Any, facts: Any) -> None:
    """The sums that follow from the pulls so far: of gaps, means, squared means and best-arm pulls."""
    for k in range(pulls.shape[0]):
        sums[c, GAP] += pulls[k] * facts[k, FACT_GAP]
        sums[c, MEAN] += pulls[k] * facts[k, FACT_MEAN]
        sums[c, MEAN_SQUARED] += pulls[k] * facts[k, FACT_MEAN] * facts[k, FACT_MEAN]
        sums[c, BEST_ARM] += pulls[k] * facts[k, FACT_BEST]
