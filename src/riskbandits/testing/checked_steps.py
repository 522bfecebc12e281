"""About a hundred compiled steps with bounds checking, and a policy's own bounds one by one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.bounds import contract as envelopes
from riskbandits.core.errors import ContractError
from riskbandits.core.user_calls import guarded_method
from riskbandits.policies.support import contract, trial
from riskbandits.policies.support.naming import label
from riskbandits.problem import Problem
from riskbandits.simulation.methods import METHODS, resolve_method
from riskbandits.simulation.runner import Job, run_jobs

if TYPE_CHECKING:
    from riskbandits.types import Policy, RiskMeasure

STEPS, RUNS = 400, 2
DEVIATIONS = (-1.0, 0.0, 1.0, 4.0)


def check_array_access(policy: Policy, problem: Problem, seed: int = 0) -> None:
    """Raise if a policy, its risk measure or its arms reach outside an array, or if bounds are none."""
    method = resolve_method(policy, "auto", problem.risk, problem.arms)
    run_jobs([Job(label(policy), policy, problem, np.array([STEPS]), RUNS, seed, method, checked=True)], workers=1)
    if METHODS["lazy"].refusal(policy, problem.risk, problem.arms) is None:
        _try_methods(policy, contract.bounds_of(policy, problem.risk), problem.risk)


def _try_methods(policy: Policy, bounds: Any, risk: RiskMeasure) -> None:
    """`watch`, `tail`, `draw_above`, `steady` and `draw_dip` of every arm, in plain Python: errors have lines there."""
    name = type(bounds).__name__
    rng = trial.PortableRng(0)
    state, run = trial.play_few_steps(policy, risk, rng)
    envelope = np.zeros((len(state), envelopes.BOUND_CELLS))
    risk_now = contract.measure(policy, state, run, risk)
    before = state.copy()
    for k in range(len(state)):
        level = guarded_method(bounds, "sure_level", envelopes.sure_level, bounds, state, k, risk_now)
        score = policy.score(state, k, run, risk_now, rng) if level > -math.inf else math.inf
        if not score >= level:
            raise ContractError(
                f"{name}.sure_level must return what every score reaches. Got {level:.5g} and a score of {score:.5g}."
            )
        for deviations in DEVIATIONS:
            floor, mass = guarded_method(bounds, "watch", bounds.watch, state, k, risk_now, deviations, envelope)
            _check_mass(f"{name}.watch", mass)
            if 0.0 < float(mass) < 1.0:
                guarded_method(bounds, "steady", envelopes.steady, bounds, state, k, risk_now, envelope)
                dip = guarded_method(bounds, "draw_dip", envelopes.draw_dip, bounds, state, k, risk_now, envelope, rng)
                if not (math.isnan(dip) or dip <= floor):
                    raise ContractError(
                        f"{name}.draw_dip must return a score below the floor {floor:.5g}, or NaN. Got {dip:.5g}."
                    )
            if not math.isfinite(floor):
                continue
            mass = guarded_method(bounds, "tail", bounds.tail, state, k, floor, risk_now, envelope)
            _check_mass(f"{name}.tail", mass)
            if not 0.0 < float(mass) < 1.0:  # nothing is proposed then
                continue
            draw = guarded_method(bounds, "draw_above", bounds.draw_above, state, k, floor, risk_now, envelope, rng)
            if not (math.isnan(draw) or draw >= floor):
                raise ContractError(
                    f"{name}.draw_above must return a score >= the threshold {floor:.5g}, or NaN. Got {draw:.5g}."
                )
    if not np.array_equal(before, state, equal_nan=True):
        raise ContractError(f"{name} changes the state in watch, tail, draw_above, steady or draw_dip.")


def _check_mass(method: str, mass: Any) -> None:
    if not 0.0 <= float(mass) <= 1.0:
        raise ContractError(
            f"{method} must return a probability, or 1.0 for one that is not small. Got {mass!r} instead."
        )
