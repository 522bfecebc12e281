"""A few steps in plain Python before anything is compiled, so that a mistake in a user's policy is reported clearly.

Compiling a policy with a misspelt name gives pages about types; running it gives a line number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.arms.contract import draw_next, mean_of, new_memory, size_of, variance_of
from riskbandits.core.checks import as_number
from riskbandits.core.errors import ContractError, shown
from riskbandits.core.records import classes_of
from riskbandits.core.user_calls import guarded, guarded_method, name_of, real
from riskbandits.policies.support import contract, play

if TYPE_CHECKING:
    from riskbandits.types import Policy, RiskMeasure

ARMS, STEPS = 3, 12
REWARDS = (0.0, 1.0, 0.0, 1.0, 1.0)  # fit for policies of any kind


class PortableRng:
    """A generator with the two draws that exist on every target: Python, compiled code, a GPU, a web page."""

    def __init__(self, seed: int) -> None:
        self._generator = np.random.default_rng(seed)

    def random(self, *arguments: Any, **named: Any) -> float:
        """Uniform on [0, 1)."""
        _check_single("random", arguments or named)
        return self._generator.random()

    def standard_normal(self, *arguments: Any, **named: Any) -> float:
        """Normal with mean 0 and variance 1."""
        _check_single("standard_normal", arguments or named)
        return self._generator.standard_normal()

    def __getattr__(self, name: str) -> Any:
        """Refuse every other draw, and say what to use instead."""
        raise AttributeError(
            f"rng.{name} does not exist on every target, such as a GPU or a web page: use rng.standard_normal() or "
            f"rng.random(), each without arguments, or a draw of riskbandits.numerics.variates, which is made of them"
        )


def _check_single(draw: str, arguments: Any) -> None:
    if arguments:
        raise TypeError(
            f"rng.{draw} takes no arguments on every target: a GPU or a web page draws one number at a time, so call "
            f"rng.{draw}() for each"
        )


def is_ours(record: tuple[Any, ...]) -> bool:
    """Whether the record's class, and those in its fields, ship with the package, where tests have tried them."""
    return all(cls.__module__.startswith("riskbandits.") for cls in classes_of(record))


def try_policy(policy: Any, risk: Any) -> None:
    """Play a short run of a user's policy on three arms; raise a ContractError that says what went wrong where."""
    if not (is_ours(policy) and is_ours(risk)):
        try_risk(risk)
        play_few_steps(policy, risk, np.random.default_rng(0))


def try_on_every_target(policy: Any, risk: Any) -> None:
    """As `try_policy`, with a generator that refuses draws that some targets lack."""
    if not (is_ours(policy) and is_ours(risk)):
        try_risk(risk)
        play_few_steps(policy, risk, PortableRng(0))


def play_few_steps(policy: Any, risk: RiskMeasure, rng: Any) -> tuple[np.ndarray, np.ndarray]:
    """The state and the run of any policy after its first pulls and a few steps, in plain Python."""
    first = contract.first_pulls(policy)
    state = contract.new_state(policy, ARMS)
    run = contract.new_run(100.0, policy, ARMS, ARMS * first + STEPS + 1)
    outstanding = np.zeros(ARMS, dtype=np.int64)
    for step in range(1, ARMS * first + STEPS + 1):
        play.begin_step(run, step)
        if step <= ARMS * first:
            k = (step - 1) // first
        else:
            risk_now = guarded_method(policy, "measure", contract.measure, policy, state, run, risk)
            guarded_method(policy, "prepare", contract.prepare, policy, state, run, risk_now, rng)
            for arm in range(ARMS):
                score = guarded_method(policy, "score", policy.score, state, arm, run, risk_now, rng)
                if as_number(score) is None:
                    raise ContractError(
                        f"{type(policy).__name__}.score must return a number. Got {shown(score)} instead."
                    )
            k = guarded_method(policy, "score", play.choose, policy, state, run, risk, rng, outstanding)
            k = max(k, 0)
        guarded_method(policy, "chosen", play.note_choice, policy, state, k, run)
        guarded_method(policy, "learn", play.note_reward, policy, state, k, run, REWARDS[step % len(REWARDS)])
    return state, run


def try_each_method(policy: Policy, risk: RiskMeasure, attempt: Callable[..., Any]) -> None:
    """Call every method of a step once, each by itself: one that fails does not hide another that would."""
    rng = PortableRng(0)
    state, run = contract.new_state(policy, ARMS), contract.new_run(100.0, policy, ARMS, ARMS + STEPS)
    play.begin_step(run, 1)
    calls = {
        "prepare": (contract.prepare, policy, state, run, risk, rng),
        "score": (policy.score, state, 0, run, risk, rng),
        "chosen": (contract.chosen, policy, state, 0, run),
        "learn": (policy.learn, state, 0, run, 1.0),
    }
    for method, (call, *args) in calls.items():
        attempt(guarded_method, policy, method, call, *args)


def try_risk(risk: Any) -> None:
    """Value one distribution with a user's risk measure."""
    if is_ours(risk):
        return
    values = {"value": guarded_method(risk, "value", risk.value, 0.5, 0.25)}
    if hasattr(risk, "sample_value"):
        sample = np.array([-1.0, 0.0, 2.0]), np.array([0.5, 2.0, 1.0])
        values["sample_value"] = guarded_method(risk, "sample_value", risk.sample_value, *sample)
    for name, value in values.items():
        real(name_of(risk, name), value, finite=False)


def try_arms(arms: Any) -> None:
    """Ask a user's arms all that a simulation will, and draw one reward of each of the first few."""
    if is_ours(arms):
        return
    rng, memory = np.random.default_rng(0), new_memory(size_of(arms))
    for k in range(min(size_of(arms), ARMS)):
        mean_of(arms, k)
        variance_of(arms, k)
        name = name_of(arms, "draw_next" if hasattr(arms, "draw_next") else "draw")
        real(name, guarded(name, draw_next, arms, k, rng, memory))
