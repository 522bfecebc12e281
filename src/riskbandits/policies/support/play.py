"""One step of any policy: shared by the simulation's hot loop and by the learner, compiled or not."""

from __future__ import annotations

import math
from typing import Any

from riskbandits.core.compiled import inlined
from riskbandits.policies.support.contract import LOG_STEP, REWARD_SUM, STEP, TOLD, chosen, learn_many, measure, prepare

NO_CHOICE = -1  # every score was NaN


@inlined
def begin_step(run: Any, step: int) -> None:
    """Write the number of the decision about to be made."""
    run[STEP] = step
    run[LOG_STEP] = math.log(step)


@inlined
def choose(policy: Any, state: Any, run: Any, risk: Any, rng: Any, outstanding: Any) -> int:
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


@inlined
def note_choice(policy: Any, state: Any, k: int, run: Any) -> None:
    """Tell the policy that an arm was chosen."""
    chosen(policy, state, k, run)


@inlined
def note_reward(policy: Any, state: Any, k: int, run: Any, reward: float) -> None:
    """Tell the policy a reward."""
    run[TOLD] += 1.0
    run[REWARD_SUM] += reward
    policy.learn(state, k, run, reward)


@inlined
def note_rewards(policy: Any, state: Any, k: int, run: Any, count: int, mean: float, squares: float) -> None:
    """Tell the policy many rewards of one arm by their mean and the sum of their squared deviations from it."""
    run[TOLD] += count
    run[REWARD_SUM] += count * mean
    learn_many(policy, state, k, run, float(count), mean, squares)
