"""One step of any policy, also with rewards outstanding: shared by the kernel of simulations and by the learner."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.compiling.jit import allocating, always_inline, jitable
from riskbandits.policies.cells import LOG_STEP, REWARD_COUNT, REWARD_SUM, STEP
from riskbandits.policies.support.contract import chosen, learn_many, measure, prepare

if TYPE_CHECKING:
    from riskbandits.types import Policy, RiskMeasure, Rng, Run, State

NO_CHOICE = -1  # every score was NaN


@always_inline
def begin_step(run: Run, step: int) -> None:
    """Write the number of the decision about to be made."""
    run[STEP] = step
    run[LOG_STEP] = math.log(step)


@always_inline
def choose(policy: Policy, state: State, run: Run, risk: RiskMeasure, rng: Rng, outstanding: Any) -> int:
    """The arm with the highest score; among equal scores the one with fewest rewards outstanding, then the lowest.

    A NaN score never wins.
    """
    risk_now = measure(policy, state, run, risk)
    prepare(policy, state, run, risk_now, rng)
    best = NO_CHOICE
    best_score = -math.inf
    for k in range(state.shape[0]):
        score = policy.score(state, k, run, risk_now, rng)
        if score > best_score or (score == best_score and (best == NO_CHOICE or outstanding[k] < outstanding[best])):
            best = k
            best_score = score
    return best


@jitable
def due_for_first_pull(received: Any, outstanding: Any, rows: np.ndarray, first_pulls: int) -> int:
    """The first arm due for a first pull, else NO_CHOICE; the arm tried least while no arm has rewards enough."""
    least = rows[0]
    known = False
    for place in range(rows.shape[0]):
        k = rows[place]
        tried = received[k] + outstanding[k]
        if tried < first_pulls:
            return k
        if tried < received[least] + outstanding[least]:
            least = k
        known = known or received[k] >= first_pulls
    return NO_CHOICE if known else least


@allocating
def choose_among_known(
    policy: Policy,
    state: State,
    run: Run,
    risk: RiskMeasure,
    rng: Rng,
    received: Any,  # (arms,) rewards
    outstanding: Any,  # (arms,) those that are pending
    rows: np.ndarray,  # the arms that may be chosen, in ascending order
    first_pulls: int,
) -> int:
    """The policy's choice among the rows that have rewards enough."""
    # Filled one by one: as `rows[...]` and `state[...]`, what few arms have takes more time than their scores.
    known = np.empty_like(rows)
    count = 0
    for place in range(rows.shape[0]):
        if received[rows[place]] >= first_pulls:
            known[count] = rows[place]
            count += 1
    # The policy sees the rows that it may choose from alone: arms which cannot be chosen do not count.
    partly = count < state.shape[0]
    seen, pending = state, outstanding
    if partly:
        seen, pending = np.empty((count, state.shape[1])), np.empty(count, dtype=np.int64)
        for place in range(count):
            pending[place] = outstanding[known[place]]
            for column in range(state.shape[1]):
                seen[place, column] = state[known[place], column]
    k = choose(policy, seen, run, risk, rng, pending)
    if k == NO_CHOICE:
        return NO_CHOICE
    if partly:
        for place in range(count):
            for column in range(state.shape[1]):
                state[known[place], column] = seen[place, column]
    return known[k]


@always_inline
def note_choice(policy: Policy, state: State, k: int, run: Run) -> None:
    """Tell the policy that an arm was chosen."""
    chosen(policy, state, k, run)


@always_inline
def note_reward(policy: Policy, state: State, k: int, run: Run, reward: float) -> None:
    """Tell the policy a reward."""
    run[REWARD_COUNT] += 1.0
    run[REWARD_SUM] += reward
    policy.learn(state, k, run, reward)


@always_inline
def note_rewards(policy: Policy, state: State, k: int, run: Run, count: int, mean: float, squares: float) -> None:
    """Tell the policy many rewards of one arm by their mean and the sum of their squared deviations from it."""
    run[REWARD_COUNT] += count
    run[REWARD_SUM] += count * mean
    learn_many(policy, state, k, run, float(count), mean, squares)
