"""U-UCB (Cassel, Mannor & Zeevi 2018) for the CVaR."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.core.records import Positive
from riskbandits.numerics import history
from riskbandits.numerics.history import TOTAL
from riskbandits.policies.cells import LOG_STEP
from riskbandits.policies.support import kept_values as estimates
from riskbandits.policies.support.contract import refuse_outside, refuse_unless
from riskbandits.risk import CVaR

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure, Rng, Run, State


class UUCB(NamedTuple):
    """The sample CVaR plus a bonus based on its sensitivity to the distribution: optimism for CVaR.

    Use it as the baseline with a regret bound for rewards between 0 and `highest`. Its bonus is wide: prefer `BCVTS`.

    Index: CVaR of the rewards at the measure's level a, plus (U/a) sqrt(ln t / T), U = `highest`. Every arm is played
    once first. The bonus is U-UCB's for this measure (its Lipschitz constant is U/a) with constant 1, as it is used in
    the literature on CVaR bandits.

    Reference: Cassel, Mannor & Zeevi, A General Approach to Multi-Armed Bandits Under Risk Criteria, 2018.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.UniformArms([0.0, 0.3], [1.0, 0.6]), rb.CVaR(0.2))
    >>> rb.simulate(problem, [UUCB()], horizon=50, runs=2, seed=1, progress=False).labels
    ['UUCB']
    """

    highest: Positive = 1.0

    def prepare(self, state: State, run: Run, risk: RiskMeasure, rng: Rng) -> None:
        """Value the sample of the arm played last."""
        estimates.renew(state, run, risk)

    def score(self, state: State, k: int, run: Run, risk: Any, rng: Rng) -> float:
        """The sample CVaR and its bonus."""
        bonus = self.highest / risk.level * math.sqrt(run[LOG_STEP] / state[k, TOTAL])
        return state[k, estimates.ESTIMATE] + bonus

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        history.add(state, k, run, reward)

    def first_pulls(self) -> int:
        return 1

    def history(self) -> int:
        return 1

    def width(self) -> int:
        return estimates.WIDTH

    def returns_to_all(self, risk: RiskMeasure, arms: Arms) -> bool:
        """Its bonus grows with ln t beyond any gap."""
        return True

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        """The bonus depends on the level of CVaR and the range of the rewards."""
        return refuse_unless(self, risk, CVaR) or refuse_outside(self, arms, 0.0, self.highest)

    def rejects(self, reward: float) -> str | None:
        """The range of the rewards is known."""
        return None if 0.0 <= reward <= self.highest else f"between 0 and {self.highest:g}"
