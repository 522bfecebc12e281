"""Kits for risk measures and arms, and what all records have in common."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from riskbandits import compiled
from riskbandits.errors import ContractError
from riskbandits.policies.trial import try_arms, try_risk
from riskbandits.problem import ARMS_METHODS, RISK_METHODS
from riskbandits.records import canonical, checked, classes_of, rebuilt, same

DRAWS = 20_000
STANDARD_ERRORS = 6.0


def check_record(record: Any, kind: str, methods: tuple[str, ...]) -> Any:
    """Fields are checked and cast, the class says what it is for, and the record survives being written down."""
    record = checked(record, kind, methods)
    cls = type(record)
    if not (cls.__doc__ or "").strip() or (cls.__doc__ or "").startswith(f"{cls.__name__}("):
        raise ContractError(f"{cls.__name__} has no docstring: say when to use it.")
    for clash in ("count", "index"):
        if clash in cls._fields:
            raise ContractError(f"{cls.__name__} has a field {clash!r}, which is a method of every tuple: rename it.")
    if not same(rebuilt(canonical(record), classes_of(record), kind), record):
        raise ContractError(f"{cls.__name__} is not the same after being written down and read again.")
    return record


def check_risk(risk: Any) -> None:
    """Raise a ContractError unless the risk measure keeps its contract, compiled as in plain Python."""
    risk = check_record(risk, "risk measure", RISK_METHODS)
    try_risk(risk)
    name = type(risk).__name__
    value = compiled.entry(_value, (type(risk),))
    for mean in (-1.0, 0.0, 0.5, 100.0):
        for variance in (0.0, 0.25, 4.0):
            with compiled.explaining(f"{name}.value"):
                fast = value(risk, mean, variance)
            plain = float(risk.value(mean, variance))
            if math.isnan(plain):
                raise ContractError(f"{name}.value({mean}, {variance}) is NaN: every distribution must have a value.")
            if not math.isclose(fast, plain, rel_tol=1e-12, abs_tol=1e-12):
                raise ContractError(f"{name}.value({mean}, {variance}) is {plain} in Python but {fast} compiled.")


def check_arms(arms: Any) -> None:
    """Raise a ContractError unless the arms keep their contract and draws have the mean and variance they claim."""
    arms = check_record(arms, "set of arms", ARMS_METHODS)
    try_arms(arms)
    name = type(arms).__name__
    draw = compiled.entry(_draw, (type(arms),))
    for k in range(int(arms.size())):
        with compiled.explaining(f"{name}.draw"):
            sample = np.array([draw(arms, k, rng) for rng in [np.random.default_rng(k)] for _ in range(DRAWS)])
        rng = np.random.default_rng(k)
        if not np.array_equal(sample[:50], [arms.draw(k, rng) for _ in range(50)]):
            raise ContractError(f"{name}.draw gives other rewards compiled than in plain Python from the same seed.")
        variance = float(arms.variance(k))
        error = math.sqrt(max(variance, sample.var()) / DRAWS)
        if abs(sample.mean() - arms.mean(k)) > STANDARD_ERRORS * error + 1e-9 * abs(arms.mean(k)):
            raise ContractError(
                f"{name}: rewards of arm {k} average {sample.mean():.5g}, not mean({k}) = {arms.mean(k):.5g}."
            )
        fourth = ((sample - sample.mean()) ** 4).mean()
        spread = math.sqrt(max(fourth - sample.var() ** 2, 0.0) / DRAWS)
        if abs(sample.var() - variance) > STANDARD_ERRORS * spread + 1e-9 * variance:
            raise ContractError(
                f"{name}: rewards of arm {k} have variance {sample.var():.5g}, not variance({k}) = {variance:.5g}."
            )


def _value(risk: Any, mean: float, variance: float) -> float:
    return risk.value(mean, variance)


def _draw(arms: Any, k: int, rng: Any) -> float:
    return arms.draw(k, rng)
