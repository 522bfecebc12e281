"""The one loop: a run of a policy, step by step, with its running sums at the checkpoints.

Which arm is played at a step is left to a selector (`selection/`, `delayed`), a record with these methods:

    begin_step(policy, own, risk, step) -> risk   before every step: writes what the policy may know of it, and gives
                                                  the measure that the step's arm is selected by
    select(policy, own, risk, step) -> k          the arm to play; NO_CHOICE: none has a score that is a number
    update(policy, own, risk, k, step)            after every step, when the reward of arm k was received
    receive(policy, own, k, reward, step)         the reward of arm k, booked now or when it is due (default: now)

A selector that plays many steps at once (`selection.batched`) has these too; for others nothing of them is compiled:

    play_batch(setup, own, step, last, best_mean) -> h, sum, squares   asked before every step but the first pulls:
                                                  plays the arm that is certain to be played at the h steps after
                                                  `step`, none of them after `last`, and gives the sums of what its
                                                  rewards exceed `best_mean` by and of the squares; h = 0: the next
                                                  step is played by itself
    should_yield() -> bool                        whether to check the stop flag now: steps are no measure of time where
                                                  a million of them take as long as one
    steps_between_checks(usual) -> int            how many steps may pass otherwise
    last_step(own, end) -> int                    the last step that was played, where that is not `end`
    add(total, number, which) -> total            a sum of rewards, or of their squares, with a number added

The plain method, the methods that leave out arms, and a thread on a GPU all play by this loop; nowhere else are steps
counted, rewards drawn or sums booked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.arms.contract import book_gap, booked_gaps, draw_features, draw_next
from riskbandits.compiling.jit import always_inline, jitable, optional_method
from riskbandits.policies.support.contract import feature_count
from riskbandits.policies.support.play import NO_CHOICE, note_choice, note_reward

if TYPE_CHECKING:
    from riskbandits.types import Policy

FINISHED, STOPPED, ALL_SCORES_NAN = 0, 1, 2

# Columns of the running sums. Rewards and means are taken less the best arm's mean: every regret is
# invariant, and sums of raw numbers would lose the switching term when means are large.
REWARD, REWARD_SQUARED, GAP, MEAN, MEAN_SQUARED, BEST_ARM = range(6)
SUMS = 6

# Columns of the facts about each arm.
FACT_GAP, FACT_MEAN, FACT_BEST = range(3)

# How many scores may pass before the loop checks the stop flag and reports progress.
SCORES_BETWEEN_CHECKS = 100_000


class Setup(NamedTuple):
    """What all replications of a job have in common. Facts belong to a piece of the run; there may be only one."""

    policy: Any
    risk: Any
    arms: Any
    facts: Any  # (pieces, arms, 3): gap, mean less the best arm's, whether the gap is 0
    best_means: Any  # (pieces,)
    ends: Any  # (pieces,) the last step of each piece
    first_pulls: int
    checkpoints: Any


class RunArrays(NamedTuple):
    """The arrays of one replication: what it remembers from step to step, and the sums that it leaves behind."""

    state: Any
    run: Any
    memory: Any  # what arms remember of the rewards that they paid, and the features of the decision
    sums: Any  # (checkpoints, SUMS)
    pulls: Any  # (arms,)
    reward_sums: Any  # (arms,), less the best arm's mean


class RunState(NamedTuple):
    """One replication as the loop and selectors see it."""

    state: Any
    run: Any
    memory: Any
    outstanding: Any  # (arms,) rewards on their way; zeros where every reward is received at once
    choice_rng: Any
    reward_rng: Any
    sums: Any
    pulls: Any
    booked: Any  # (arms,) those of the pulls that were booked with the facts of earlier pieces
    reward_sums: Any


def _receive(selector: Any, policy: Policy, own: RunState, k: int, reward: float, step: int) -> None:
    note_reward(policy, own.state, k, own.run, reward)


def _play_batch(
    selector: Any, setup: Setup, own: RunState, step: int, last: int, best_mean: float
) -> tuple[int, float, float]:
    return 0, 0.0, 0.0


def _should_yield(selector: Any) -> bool:
    return False


def _steps_between_checks(selector: Any, usual: int) -> int:
    return usual


def _last_step(selector: Any, own: RunState, end: int) -> int:
    return end


def _add(selector: Any, total: float, number: float, which: int) -> float:
    return total + number


receive = optional_method("receive", _receive, inline=True)
play_batch = optional_method("play_batch", _play_batch, inline=True)
should_yield = optional_method("should_yield", _should_yield, inline=True)
steps_between_checks = optional_method("steps_between_checks", _steps_between_checks)
last_step = optional_method("last_step", _last_step)
add = optional_method("add", _add, inline=True)


def runner(new_selector: Callable[..., Any]) -> Callable[..., int]:
    """The function that plays whole runs with selectors made by `new_selector(arms, bounds, pending, delay_rng)`.

    It is what Python calls compiled. Generators are arguments of their own: so compiled code gets their addresses.
    """

    def play_run(
        setup: Setup,
        bounds: Any,  # on the policy's scores; None where the selector needs none
        pending: Any,  # rewards on their way (`delayed.Pending`); None where every reward is received at once
        arrays: RunArrays,
        choice_rng: Any,
        reward_rng: Any,
        delay_rng: Any,  # None without delays
        progress: Any,  # out: progress[0] is the number of steps done
        stop: Any,  # stop[0] != 0 asks the run to end
    ) -> int:
        """Play until the last checkpoint; return how it ended."""
        arms = arrays.pulls.shape[0]
        own = RunState(
            arrays.state,
            arrays.run,
            arrays.memory,
            np.zeros(arms, dtype=np.int64),
            choice_rng,
            reward_rng,
            arrays.sums,
            arrays.pulls,
            np.zeros(arms, dtype=np.int64),
            arrays.reward_sums,
        )
        selector = new_selector(arms, bounds, pending, delay_rng)
        horizon = setup.checkpoints[-1]
        check_every = steps_between_checks(selector, max(1, SCORES_BETWEEN_CHECKS // arms))
        step = 0
        while step < horizon:
            end = min(horizon, step + check_every)
            ending = play_part(setup, own, selector, step, end)
            if ending != FINISHED:
                return ending
            last = last_step(selector, own, end)
            progress[0] += last - step
            step = last
            if stop[0] != 0:
                return STOPPED
        return FINISHED

    return play_run


@always_inline
def play_part(setup: Setup, own: RunState, selector: Any, step: int, end: int) -> int:
    """Play the steps after `step` up to and with `end`; all that a run remembers between parts is in the records.

    A selector that plays batches may yield before.
    """
    policy = setup.policy
    checkpoints = setup.checkpoints
    sums = own.sums
    first_pulls_end = own.state.shape[0] * setup.first_pulls
    piece = 0
    for c in range(checkpoints.shape[0]):
        if checkpoints[c] <= step:
            continue
        if c > 0 and checkpoints[c - 1] == step:
            sums[c, REWARD] = sums[c - 1, REWARD]
            sums[c, REWARD_SQUARED] = sums[c - 1, REWARD_SQUARED]
        total = sums[c, REWARD]
        total_squared = sums[c, REWARD_SQUARED]
        while step < min(checkpoints[c], end):
            while setup.ends[piece] <= step:
                piece += 1
            best_mean = setup.best_means[piece]
            last = min(checkpoints[c], end, setup.ends[piece])
            while step < last:
                if should_yield(selector):
                    end = step
                    break
                if step >= first_pulls_end:
                    count, more, squares = play_batch(selector, setup, own, step, last, best_mean)
                    if count > 0:
                        step += count
                        total = add(selector, total, more, REWARD)
                        total_squared = add(selector, total_squared, squares, REWARD_SQUARED)
                        continue
                step += 1
                draw_features(setup.arms, own.reward_rng, own.memory, own.run, feature_count(policy))
                risk = selector.begin_step(policy, own, setup.risk, step)
                if step <= first_pulls_end:
                    k = (step - 1) // setup.first_pulls
                else:
                    k = selector.select(policy, own, risk, step)
                    if k == NO_CHOICE:
                        return ALL_SCORES_NAN
                k = max(k, 0)  # it is; LLVM then need not ask at every array whether k counts from its end
                note_choice(policy, own.state, k, own.run)
                reward = draw_next(setup.arms, k, own.reward_rng, own.memory)
                book_gap(setup.arms, k, setup.risk, own.memory)
                receive(selector, policy, own, k, reward, step)
                selector.update(policy, own, risk, k, step)
                centred = reward - best_mean
                total = add(selector, total, centred, REWARD)
                total_squared = add(selector, total_squared, centred * centred, REWARD_SQUARED)
                own.pulls[k] += 1
                own.reward_sums[k] += centred
            if step == setup.ends[piece] and piece + 1 < setup.ends.shape[0]:
                book_pulls(own, setup.facts[piece], c, checkpoints.shape[0])
                for arm in range(own.pulls.shape[0]):
                    own.booked[arm] = own.pulls[arm]
        sums[c, REWARD] = total
        sums[c, REWARD_SQUARED] = total_squared
        if step < checkpoints[c]:
            break
        book_pulls(own, setup.facts[piece], c, c + 1)
        gaps, best_pulls = booked_gaps(setup.arms, own.memory)
        sums[c, GAP] += gaps
        sums[c, BEST_ARM] += best_pulls
        if step == end:
            break
    return FINISHED


@jitable
def book_pulls(own: RunState, facts: Any, first: int, last: int) -> None:
    """Add what follows from the pulls not yet booked to checkpoints: gaps, means, their squares, best-arm pulls."""
    sums = own.sums
    for c in range(first, last):
        for k in range(own.pulls.shape[0]):
            pulls = own.pulls[k] - own.booked[k]
            sums[c, GAP] += pulls * facts[k, FACT_GAP]
            sums[c, MEAN] += pulls * facts[k, FACT_MEAN]
            sums[c, MEAN_SQUARED] += pulls * facts[k, FACT_MEAN] * facts[k, FACT_MEAN]
            sums[c, BEST_ARM] += pulls * facts[k, FACT_BEST]
