"""Conformance checks for engines."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.api.simulate import simulate
from riskbandits.arms import GaussianArms
from riskbandits.core.errors import ContractError, ScoresError
from riskbandits.policies import MVLCB, MVTS
from riskbandits.problem import Problem
from riskbandits.risk import MeanVariance
from riskbandits.simulation.engines import check_engine as check_methods
from riskbandits.simulation.engines.cluster_watch import within

if TYPE_CHECKING:
    from riskbandits.types import RiskMeasure, Rng, Run, State

PROBLEM = Problem(GaussianArms(means=[0.2, 0.5, 0.9], variances=[0.05, 0.2, 1.0]), MeanVariance(1.0))
SECONDS_TO_WAIT = 120.0


class NoChoice(NamedTuple):
    """A policy that can choose no arm once there is something to choose."""

    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        """No number."""
        return math.nan

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        """Nothing."""


def check_engine(engine: object) -> None:
    """Raise a ContractError that says what is wrong with an engine of your own, if anything.

    Simulations must give the numbers of `engine="threads"`, bit for bit, more than once; and an error in a worker must
    end the simulation with that error.

    >>> check_engine("threads")
    """
    check_methods(engine)
    name = engine if isinstance(engine, str) else type(engine).__name__
    expected = _simulate("threads").traces
    for when in ("", " when it is used a second time"):
        found = _in_time(lambda: _simulate(engine).traces, f"{name} does not finish a small simulation{when}")
        for one, other in zip(found, expected, strict=True):
            if one.sums.tobytes() != other.sums.tobytes() or one.pulls.tobytes() != other.pulls.tobytes():
                raise ContractError(f"{name} gives different numbers from engine='threads' for {one.label}{when}.")
    try:
        _in_time(lambda: _simulate(engine, NoChoice()), f"{name} does not stop when a run ends in an error")
    except ScoresError:
        return
    raise ContractError(f"{name} swallows the error of a run: its future must raise it.")


def _simulate(engine: object, *policies: Any) -> Any:
    chosen = list(policies) or [MVTS(), MVLCB()]
    return simulate(PROBLEM, chosen, horizon=200, runs=24, seed=1, workers=2, progress=False, engine=engine)


def _in_time(call: Callable[[], Any], complaint: str) -> Any:
    """What a call gives, or an error if it takes for ever: a future that is never done cannot be waited for."""
    try:
        return within(SECONDS_TO_WAIT, call)
    except TimeoutError:
        raise ContractError(f"{complaint}: after {SECONDS_TO_WAIT:.0f} s a future was still not done.") from None
