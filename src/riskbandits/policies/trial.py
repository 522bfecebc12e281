"""A few steps in plain Python before anything is compiled: a mistake in a user's policy is named in a sentence.

Compiling a policy with a misspelt name gives pages about types; running it gives a line number.
"""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

from riskbandits.errors import ContractError, shown
from riskbandits.policies import contract, play
from riskbandits.records import classes_of

ARMS, STEPS = 3, 12
REWARDS = (0.0, 1.0, 0.0, 1.0, 1.0)  # fit for policies of any kind


def is_ours(record: Any) -> bool:
    """Whether the record's class, and those in its fields, ship with the package, where tests have tried them."""
    return all(cls.__module__.startswith("riskbandits.") for cls in classes_of(record))


def try_policy(policy: Any, risk: Any) -> None:
    """Play a short run of a user's policy on three arms; raise a ContractError that says what went wrong where."""
    if not (is_ours(policy) and is_ours(risk)):
        try_risk(risk)
        play_few_steps(policy, risk)


def play_few_steps(policy: Any, risk: Any) -> tuple[np.ndarray, np.ndarray]:
    """The state and the run of any policy after its first pulls and a few steps, in plain Python."""
    rng = np.random.default_rng(0)
    first = contract.first_pulls(policy)
    state = contract.new_state(policy, ARMS)
    run = contract.new_run(100.0, policy, ARMS, ARMS * first + STEPS + 1)
    outstanding = np.zeros(ARMS, dtype=np.int64)
    for step in range(1, ARMS * first + STEPS + 1):
        play.begin_step(run, step)
        if step <= ARMS * first:
            k = (step - 1) // first
        else:
            risk_now = guarded(policy, "measure", contract.measure, policy, state, run, risk)
            guarded(policy, "prepare", contract.prepare, policy, state, run, risk_now, rng)
            for arm in range(ARMS):
                score = guarded(policy, "score", policy.score, state, arm, run, risk_now, rng)
                if not isinstance(score, (float, int, np.floating, np.integer)) or isinstance(score, bool):
                    raise ContractError(
                        f"{type(policy).__name__}.score must give a number. Got {shown(score)} instead."
                    )
            k = guarded(policy, "score", play.choose, policy, state, run, risk, rng, outstanding)
            k = max(k, 0)
        guarded(policy, "chosen", play.note_choice, policy, state, k, run)
        guarded(policy, "learn", play.note_reward, policy, state, k, run, REWARDS[step % len(REWARDS)])
    return state, run


def try_risk(risk: Any) -> None:
    """Value one distribution with a user's risk measure."""
    if is_ours(risk):
        return
    values = {"value": guarded(risk, "value", risk.value, 0.5, 0.25)}
    if hasattr(risk, "sample_value"):
        sample = np.array([-1.0, 0.0, 2.0]), np.array([0.5, 2.0, 1.0])
        values["sample_value"] = guarded(risk, "sample_value", risk.sample_value, *sample)
    for name, value in values.items():
        if not isinstance(value, (float, int, np.floating, np.integer)):
            raise ContractError(f"{type(risk).__name__}.{name} must give a number. Got {shown(value)} instead.")


def try_arms(arms: Any) -> None:
    """Draw one reward from a user's arms."""
    if is_ours(arms):
        return
    size = guarded(arms, "size", arms.size)
    if not isinstance(size, (int, np.integer)) or size < 1:
        raise ContractError(f"{type(arms).__name__}.size() must give a whole number >= 1. Got {shown(size)} instead.")
    for name, call in (
        ("mean", lambda: arms.mean(0)),
        ("variance", lambda: arms.variance(0)),
        ("draw", lambda: arms.draw(0, np.random.default_rng(0))),
    ):
        value = guarded(arms, name, call)
        finite = "a number" if name == "variance" else "a finite number"
        if not isinstance(value, (float, int, np.floating, np.integer)) or math.isnan(value):
            raise ContractError(f"{type(arms).__name__}.{name} must give {finite}. Got {shown(value)} instead.")
        if name != "variance" and not math.isfinite(value):
            raise ContractError(f"{type(arms).__name__}.{name} must give {finite}. Got {shown(value)} instead.")


def guarded(record: Any, method: str, call: Callable[..., Any], *args: Any) -> Any:
    """What a record's method gives; an error of its own becomes a sentence with the line."""
    try:
        return call(*args)
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        raise ContractError(
            f"{type(record).__name__}.{method} failed: {type(error).__name__}: {error} "
            f"({frame.filename}, line {frame.lineno})."
        ) from error
