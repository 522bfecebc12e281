"""What the rewards told so far are worth: the value of the sample where it is known, else that of a Gaussian."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from riskbandits.numerics import history
from riskbandits.policies.support import contract
from riskbandits.risk.contract import TWO_POINT_CELLS, binary_value, is_of_moments, sample_value

if TYPE_CHECKING:
    from riskbandits.types import Policy, RiskMeasure

SAMPLE, GAUSSIAN = "sample", "Gaussian"


def value_of_moments(policy: Policy, risk: RiskMeasure, mean: float, variance: float) -> tuple[float, str]:
    """The value as far as mean and variance tell it, and what it is the value of.

    It is that of the sample if the measure asks for nothing else, or if rewards can only be 0 or 1.
    """
    if is_of_moments(risk):
        return float(risk.value(mean, variance)), SAMPLE
    if _takes_binary_only(policy):
        return float(binary_value(risk, mean, np.zeros(TWO_POINT_CELLS))), SAMPLE
    return float(risk.value(mean, variance)), GAUSSIAN


def value_of_history(
    policy: Policy, risk: RiskMeasure, past: dict[str, list[float]] | None, told: int, mean: float
) -> float | None:
    """The value of the rewards in an arm's history, if the policy keeps them as they were told."""
    if past is None or told == 0 or is_of_moments(risk):
        return None
    found = rewards_in(policy, past, told, mean)
    return None if found is None else float(sample_value(risk, *found))


def rewards_in(
    policy: Policy, past: dict[str, list[float]], told: int, mean: float
) -> tuple[np.ndarray, np.ndarray] | None:
    """The rewards told, ascending, with counts; None if the history of a policy of one's own holds something else."""
    kept = Counter(_entries(past))
    kept.subtract(_entries_before_any_reward(policy))
    rewards = sorted(reward for reward, count in kept.items() if count)
    counts = [float(kept[reward]) for reward in rewards]
    values = np.array(rewards)
    if not rewards or min(counts) < 0.0 or sum(counts) != told:
        return None
    if not math.isclose(float(np.average(values, weights=counts)), mean, rel_tol=1e-6, abs_tol=1e-9):
        return None
    return values, np.array(counts)


def _entries(past: dict[str, list[float]]) -> dict[float, int]:
    found: Counter[float] = Counter()
    for value, count in zip(past["values"], past["counts"], strict=True):
        found[value] += int(count)
    return found


def _entries_before_any_reward(policy: Policy) -> dict[float, int]:
    """What the policy itself puts into a history, such as an upper bound: seen when one reward is booked in it."""
    state, run = contract.new_state(policy, 1), contract.new_run(math.inf, policy, 1, 1)
    policy.learn(state, 0, run, 0.0)
    found = Counter(_entries(history.entry_of(state, 0, run)))
    found.subtract({0.0: 1})
    return found


def _takes_binary_only(policy: Policy) -> bool:
    taken = [contract.reward_complaint(policy, reward) is None for reward in (-1.0, 0.0, 0.5, 1.0, 2.0)]
    return taken == [False, True, False, True, False]
