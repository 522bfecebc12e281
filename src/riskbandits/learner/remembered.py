"""What a policy keeps of the rewards told: their moments, as much of them as it has not forgotten."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.core.records import is_record
from riskbandits.learner.posterior import ArmSample
from riskbandits.learner.state import ArmData
from riskbandits.numerics import bernoulli_counts, history, moments, reward_sums
from riskbandits.numerics.moments import COUNT, MEAN, SQUARES
from riskbandits.numerics.reward_sums import AMOUNT, AMOUNT_SQUARES, PAID
from riskbandits.policies import hurdle_ts
from riskbandits.policies.support import contract, trial

if TYPE_CHECKING:
    from riskbandits.types import Policy


def innermost(policy: Any) -> Any:
    """The policy inside all wrappers."""
    return innermost(policy.policy) if is_record(getattr(policy, "policy", None)) else policy


def state_after_trial(policy: Policy) -> np.ndarray:
    """The state of one arm after the rewards of a trial, in plain Python: it shows what the policy keeps of them."""
    state, run = contract.new_state(policy, 1), contract.new_run(math.inf, policy, 1, len(trial.REWARDS))
    for reward in trial.REWARDS:
        policy.learn(state, 0, run, reward)
    return state[0]


def keeps_moments(alone: np.ndarray) -> bool:
    """Whether the state after a trial begins with the moments of its rewards."""
    sample = np.zeros((1, moments.WIDTH))
    for reward in trial.REWARDS:
        moments.add(sample, 0, reward)
    return len(alone) >= moments.WIDTH and np.allclose(alone[: moments.WIDTH], sample[0])


def keeps_tallies(policy: Policy) -> bool:
    """Whether its state begins with pulls and successes."""
    return contract.width(innermost(policy)) == bernoulli_counts.WIDTH


def unforgotten(policy: Policy, arms: list[ArmData]) -> list[ArmSample] | None:
    """The rewards of the arms as much as they still count, where that is less than was told of some arm.

    None if nothing was forgotten, or the policy does not keep what can be read.
    """
    if not contract.defines(policy, "fade"):
        return None
    if isinstance(innermost(policy), hurdle_ts.HurdleTS):
        samples = [_from_sales(arm.state) for arm in arms]
    elif keeps_tallies(policy):
        samples = [_from_tallies(arm.state) for arm in arms]
    elif arms[0].history is not None:
        first = entries_before_any_reward(policy)
        samples = [_from_history(arm.history, first) for arm in arms if arm.history is not None]
    elif keeps_moments(state_after_trial(policy)):
        samples = [ArmSample(arm.state[: moments.WIDTH]) for arm in arms]
    else:
        return None
    faded = any(one.sums[COUNT] < arm.moments[COUNT] for one, arm in zip(samples, arms, strict=True))
    return samples if faded else None


def entries_before_any_reward(policy: Policy) -> dict[float, float]:
    """What the policy itself puts into a history, such as an upper bound: seen when one reward is recorded in it."""
    state, run = contract.new_state(policy, 1), contract.new_run(math.inf, policy, 1, 1)
    policy.learn(state, 0, run, 0.0)
    past = history.entry_of(state, 0, run)
    found = {0.0: -1.0}
    for value, count in zip(past["values"], past["counts"], strict=True):
        found[value] = found.get(value, 0.0) + count
    return found


def _from_tallies(state: list[float]) -> ArmSample:
    pulls, successes = state[bernoulli_counts.PULLS], state[bernoulli_counts.SUCCESSES]
    mean = successes / pulls if pulls else 0.0
    return ArmSample([pulls, mean, pulls * mean * (1.0 - mean)])


def _from_history(past: dict[str, list[float]], first: dict[float, float]) -> ArmSample:
    values, counts = np.array(past["values"]), np.array(past["counts"], dtype=float)
    for value, count in first.items():
        place = np.flatnonzero(values == value)[:1]
        counts[place] = np.maximum(counts[place] - count, 0.0)
    order = np.argsort(values[counts > 0.0], kind="stable")
    values, counts = values[counts > 0.0][order], counts[counts > 0.0][order]
    total = counts.sum()
    with np.errstate(over="ignore"):  # a file may hold numbers near the largest there are
        mean = float(np.average(values, weights=counts)) if total else 0.0
        squares = float((counts * (values - mean) ** 2).sum())
    return ArmSample([total, mean, squares], (values, counts) if total else None)


def _from_sales(state: list[float]) -> ArmSample:
    """From what `HurdleTS` keeps; its squared deviations are from the amount, where that is known."""
    pulls, paid, mean = state[hurdle_ts.PULLS], state[hurdle_ts.SALES], state[hurdle_ts.MEAN]
    squares, amount = state[hurdle_ts.SQUARES], state[hurdle_ts.AMOUNT]
    if amount != 0.0:
        squares = max(0.0, squares - paid * (mean - amount) ** 2)
    p = paid / pulls if pulls else 0.0
    row = np.full(reward_sums.WIDTH, math.nan)
    row[[PAID, AMOUNT, AMOUNT_SQUARES]] = paid, mean, squares
    row[[COUNT, MEAN, SQUARES]] = pulls, p * mean, squares + pulls * p * (1.0 - p) * mean * mean
    return ArmSample(row.tolist(), None, amount)
