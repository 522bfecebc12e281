"""Conformance checks for risk measures and arms, and what all records have in common."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.arms.contract import ARMS_METHODS, feature_count, new_memory
from riskbandits.arms.gaussian import Normal
from riskbandits.compiling import jit
from riskbandits.core.errors import ContractError
from riskbandits.core.records import canonical, checked, classes_of, rebuilt, same
from riskbandits.core.user_calls import guarded, guarded_method, real
from riskbandits.identification.samples import fill
from riskbandits.policies.support.trial import try_arms, try_risk
from riskbandits.risk.contract import RISK_METHODS, sample_value

if TYPE_CHECKING:
    from riskbandits.types import Arms, Cells, RiskMeasure, Rng

DRAWS = 20_000
DRAWS_IN_TURN = 200
PAIRS = 200  # of samples whose values are compared
STANDARD_ERRORS = 6.0


def check_record(record: Any, kind: str, methods: tuple[str, ...]) -> Any:
    """Fields are checked and cast, the class says what it is for, and the record survives being written down."""
    record = checked(record, kind, methods)
    for complaint in complaints_about_record(record, kind):
        raise ContractError(complaint)
    return record


def complaints_about_record(record: Any, kind: str) -> Iterator[str]:
    """What is wrong with a record that was checked, whatever it does."""
    cls = type(record)
    if not (cls.__doc__ or "").strip() or (cls.__doc__ or "").startswith(f"{cls.__name__}("):
        yield f"{cls.__name__} has no docstring: say when to use it."
    for clash in ("count", "index"):
        if clash in cls._fields:
            yield f"{cls.__name__} has a field {clash!r}, which is a method of every tuple: rename it."
    if not same(rebuilt(canonical(record), classes_of(record), kind), record):
        yield f"{cls.__name__} is not the same after being saved and loaded."


def check_risk(risk: Any) -> None:
    """Raise a ContractError unless the risk measure fulfils its contract, both compiled and in plain Python."""
    risk = check_record(risk, "risk measure", RISK_METHODS)
    try_risk(risk)
    name = type(risk).__name__
    value = jit.entry(_value, classes_of(risk), checked=True)
    for mean in (-1.0, 0.0, 0.5, 100.0):
        for variance in (0.0, 0.25, 4.0):
            with jit.explaining(f"{name}.value"):
                fast = _inside(risk, "value", value, risk, mean, variance)
            plain = float(risk.value(mean, variance))
            if math.isnan(plain):
                raise ContractError(f"{name}.value({mean}, {variance}) is NaN: every distribution must have a value.")
            if not math.isclose(fast, plain, rel_tol=1e-12, abs_tol=1e-12):
                raise ContractError(f"{name}.value({mean}, {variance}) is {plain} in Python but {fast} compiled.")

    if hasattr(risk, "sample_value"):
        _check_sample_value(risk)
    if hasattr(risk, "lipschitz_constant"):
        _check_lipschitz_constant(risk)


def _check_sample_value(risk: Any) -> None:
    """Samples are valued alike in Python and compiled, whatever the weights add up to, and a Gaussian's as it is."""
    name = type(risk).__name__
    sample_value = jit.entry(_sample_value, classes_of(risk), checked=True)
    for mean, variance in ((-1.0, 0.25), (0.3, 4.0)):
        values, weights = Normal(mean, variance).sample()
        with jit.explaining(f"{name}.sample_value"):
            fast = _inside(risk, "sample_value", sample_value, risk, values, weights)
        plain = float(risk.sample_value(values, weights))
        if not math.isclose(fast, plain, rel_tol=1e-9, abs_tol=1e-9):
            raise ContractError(f"{name}.sample_value gives {plain} in Python but {fast} compiled.")
        if not math.isclose(plain, float(risk.sample_value(values, 3.0 * weights)), rel_tol=1e-9, abs_tol=1e-9):
            raise ContractError(f"{name}.sample_value changes when all weights are tripled: divide by their sum.")
        gaussian = float(risk.value(mean, variance))
        if not abs(gaussian - plain) <= 0.01 * (1.0 + abs(gaussian)):
            raise ContractError(
                f"{name}: a sample of N({mean}, {variance}) is worth {plain:.5g}, but value({mean}, {variance}) is "
                f"{gaussian:.5g}."
            )


def _check_lipschitz_constant(risk: Any) -> None:
    """Values of samples differ by no more than the stated constant times their distance."""
    name, rng = type(risk).__name__, np.random.default_rng(0)
    method = f"{name}.lipschitz_constant"
    constant = real(method, guarded(method, risk.lipschitz_constant))
    weights = np.append(0.01, np.full(9, 0.11))  # the lowest one is a rare loss
    for scale in (1.0, 0.01):
        for _ in range(PAIRS):
            one = np.sort(rng.beta(0.3, 0.3, size=10))
            other = np.sort(np.where(rng.random(10) < 0.2, one + scale * rng.random(10), one))
            change = abs(sample_value(risk, one, weights) - sample_value(risk, other, weights))
            distance = float(weights @ np.abs(one - other))
            if change > constant * distance + 1e-9:
                raise ContractError(
                    f"{method}() is {constant:.5g}, but two samples at distance {distance:.5g} differ in value by "
                    f"{change:.5g}."
                )


def check_arms(arms: Any) -> None:
    """Raise a ContractError unless the arms fulfil their contract and draws have the stated mean and variance."""
    arms = check_record(arms, "set of arms", ARMS_METHODS)
    try_arms(arms)
    name = type(arms).__name__
    draws = jit.entry(_draws, classes_of(arms), checked=True)
    _check_draw_next(arms)
    for k in range(int(arms.size())):
        rng = np.random.default_rng(k)
        guarded_method(arms, "draw", arms.draw, k, rng)  # an error has a line in plain Python
        sample = np.empty(DRAWS)
        with jit.explaining(f"{name}.draw"):
            _inside(arms, "draw", draws, arms, k, np.random.default_rng(k), sample)
        rng = np.random.default_rng(k)
        if not np.array_equal(sample[:50], [arms.draw(k, rng) for _ in range(50)]):
            raise ContractError(
                f"{name}.draw gives different rewards compiled than in plain Python with the same seed."
            )
        variance = float(arms.variance(k))
        error = math.sqrt(max(variance, sample.var()) / DRAWS) if math.isfinite(variance) else math.inf
        if abs(sample.mean() - arms.mean(k)) > STANDARD_ERRORS * error + 1e-9 * abs(arms.mean(k)):
            raise ContractError(
                f"{name}: rewards of arm {k} average {sample.mean():.5g}, not mean({k}) = {arms.mean(k):.5g}."
            )
        if hasattr(arms, "distribution"):
            _check_distribution(arms, k, sample)
        if not math.isfinite(variance):
            continue
        fourth = ((sample - sample.mean()) ** 4).mean()
        spread = math.sqrt(max(fourth - sample.var() ** 2, 0.0) / DRAWS)
        if abs(sample.var() - variance) > STANDARD_ERRORS * spread + 1e-9 * variance:
            raise ContractError(
                f"{name}: rewards of arm {k} have variance {sample.var():.5g}, not variance({k}) = {variance:.5g}."
            )


def _check_draw_next(arms: Any) -> None:
    """Rewards that depend on earlier ones: the same compiled as in plain Python, inside all arrays."""
    if not hasattr(arms, "draw_next"):
        return
    name, size = type(arms).__name__, int(arms.size())
    play = jit.entry(fill, classes_of(arms), checked=True)
    memory, memory_in_python = (new_memory(size, feature_count(arms)) for _ in range(2))
    for k in range(size):
        rng, sample, slow = np.random.default_rng(k), np.empty(DRAWS_IN_TURN), np.empty(DRAWS_IN_TURN)
        guarded_method(arms, "draw_next", fill, arms, k, np.random.default_rng(k), memory_in_python, slow)
        with jit.explaining(f"{name}.draw_next"):
            _inside(arms, "draw_next", play, arms, k, rng, memory, sample)
        if not np.array_equal(sample, slow):
            raise ContractError(
                f"{name}.draw_next gives different rewards compiled than in plain Python with the same seed."
            )


def _inside(record: tuple[Any, ...], method: str, call: Any, *args: Any) -> Any:
    """What a call with bounds checks gives."""
    try:
        return call(*args)
    except IndexError as error:
        raise ContractError(f"{type(record).__name__}.{method} indexed outside an array: {error}.") from error


def _check_distribution(arms: Any, k: int, sample: np.ndarray) -> None:
    """What `distribution(k)` says must fit the draws and the moments."""
    name, distribution = type(arms).__name__, arms.distribution(k)
    for moment, given in (("mean", arms.mean(k)), ("variance", arms.variance(k))):
        claimed = real(
            f"{name}.distribution", guarded(f"{name}.distribution", getattr, distribution, moment), finite=False
        )
        if claimed != given and not math.isclose(claimed, given, rel_tol=1e-9, abs_tol=1e-9):
            raise ContractError(
                f"{name}: distribution({k}).{moment} is {claimed:.5g}, not {moment}({k}) = {given:.5g}."
            )
    points = np.unique(np.quantile(sample, np.linspace(0.01, 0.99, 99), method="lower"))
    shares = np.searchsorted(np.sort(sample), points, side="right") / len(sample)
    distances = np.abs(shares - distribution.cdf(points))
    if distances.max() > STANDARD_ERRORS * 0.5 / math.sqrt(DRAWS):
        worst = int(distances.argmax())
        raise ContractError(
            f"{name}: a share {shares[worst]:.5g} of arm {k}'s rewards is at most {points[worst]:.5g}, not "
            f"distribution({k}).cdf = {float(distribution.cdf(points[worst])):.5g}."
        )


def _sample_value(risk: Any, values: np.ndarray, weights: Cells) -> float:
    return risk.sample_value(values, weights)


def _value(risk: RiskMeasure, mean: float, variance: float) -> float:
    return risk.value(mean, variance)


def _draws(arms: Arms, k: int, rng: Rng, out: Any) -> None:
    for place in range(out.shape[0]):
        out[place] = arms.draw(k, rng)
