"""One step of any policy: shared by the simulation's hot loop and by the learner, compiled or not."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from riskbandits.compiling.jit import always_inline
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
    """The arm with the highest score; among equal scores the one with fewest answers outstanding, then the lowest.

    A NaN score never wins. In a simulation nothing is ever outstanding.
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
