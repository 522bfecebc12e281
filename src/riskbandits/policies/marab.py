"""MaRaB, the multi-armed risk-aware bandit (Galichet, Sebag & Teytaud 2013)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.core.records import NonNegative
from riskbandits.numerics import history
from riskbandits.numerics.history import TOTAL
from riskbandits.policies.cells import STEP
from riskbandits.policies.support import kept_values as estimates
from riskbandits.policies.support.contract import refuse_unless
from riskbandits.risk import CVaR

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure, Rng, Run, State


class MaRaB(NamedTuple):
    """The sample CVaR *minus* an allowance for uncertainty: pessimism, for when exploration itself is dangerous.

    Use it when a bad reward while learning costs more than a late discovery. It may stay with a mediocre arm for good:
    an arm that started badly is not tried again. MaRaB has no regret bound.

    Index: CVaR of the rewards at the measure's level a, minus C sqrt(ln ceil(t a) / ceil(a T)). `caution` is C >= 0,
    a constant that the authors tune on a grid of powers of ten; the default of 1 is ours. Every arm is played once
    first.

    Reference: Galichet, Sebag & Teytaud, Exploration vs Exploitation vs Safety: Risk-Aware Multi-Armed Bandits, 2013.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.UniformArms([0.0, 0.3], [1.0, 0.6]), rb.CVaR(0.2))
    >>> rb.simulate(problem, [MaRaB()], horizon=50, runs=2, seed=1, progress=False).labels
    ['MaRaB']
    """

    caution: NonNegative = 1.0

    def prepare(self, state: State, run: Run, risk: RiskMeasure, rng: Rng) -> None:
        """Value the sample of the arm played last."""
        estimates.renew(state, run, risk)

    def score(self, state: State, k: int, run: Run, risk: Any, rng: Rng) -> float:
        """The sample CVaR and its allowance."""
        seen = math.ceil(risk.level * state[k, TOTAL])
        allowance = self.caution * math.sqrt(math.log(math.ceil(risk.level * run[STEP])) / seen)
        return state[k, estimates.ESTIMATE] - allowance

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        history.add(state, k, run, reward)

    def first_pulls(self) -> int:
        return 1

    def history(self) -> int:
        return 1

    def width(self) -> int:
        return estimates.WIDTH

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        """The index depends on the level of CVaR."""
        return refuse_unless(self, risk, CVaR)
