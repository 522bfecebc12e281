"""One step of any policy: shared by the simulation's hot loop and by the learner, compiled or not."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from riskbandits.compiling.jit import always_inline
from riskbandits.policies.support.contract import LOG_STEP, REWARD_SUM, STEP, TOLD, chosen, learn_many, measure, prepare

if TYPE_CHECKING:
    from riskbandits.types import Context, Policy, RiskMeasure, Rng, State

NO_CHOICE = -1  # every score was NaN


@always_inline
def begin_step(context: Context, step: int) -> None:
    """Write the number of the decision about to be made."""
    context[STEP] = step
    context[LOG_STEP] = math.log(step)


@always_inline
def choose(policy: Policy, state: State, context: Context, risk: RiskMeasure, rng: Rng, outstanding: Any) -> int:
    """The arm with the highest score; among equal scores the one with fewest answers outstanding, then the lowest.

    A NaN score never wins. In a simulation nothing is ever outstanding.
    """
    risk_now = measure(policy, state, context, risk)
    prepare(policy, state, context, risk_now, rng)
    best = NO_CHOICE
    best_score = -math.inf
    for k in range(state.shape[0]):
        score = policy.score(state, k, context, risk_now, rng)
        if score > best_score or (score == best_score and (best == NO_CHOICE or outstanding[k] < outstanding[best])):
            best = k
            best_score = score
    return best


@always_inline
def note_choice(policy: Policy, state: State, k: int, context: Context) -> None:
    """Tell the policy that an arm was chosen."""
    chosen(policy, state, k, context)


@always_inline
def note_reward(policy: Policy, state: State, k: int, context: Context, reward: float) -> None:
    """Tell the policy a reward."""
    context[TOLD] += 1.0
    context[REWARD_SUM] += reward
    policy.learn(state, k, context, reward)


@always_inline
def note_rewards(
    policy: Policy, state: State, k: int, context: Context, count: int, mean: float, squares: float
) -> None:
    """Tell the policy many rewards of one arm by their mean and the sum of their squared deviations from it."""
    context[TOLD] += count
    context[REWARD_SUM] += count * mean
    learn_many(policy, state, k, context, float(count), mean, squares)
