"""CVaR-UCB (Tamkin, Keramati, Dann & Brunskill 2019)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.compiling.jit import jitable
from riskbandits.core.records import Finite
from riskbandits.numerics import history
from riskbandits.numerics.history import TOTAL
from riskbandits.policies.cells import HORIZON
from riskbandits.policies.support import kept_values
from riskbandits.policies.support.contract import refuse_outside, refuse_unless
from riskbandits.policies.support.kept_values import ESTIMATE, ESTIMATED
from riskbandits.risk import CVaR

if TYPE_CHECKING:
    import numpy as np

    from riskbandits.types import Arms, RiskMeasure, Rng, Run, State


class CVaRUCB(NamedTuple):
    """The CVaR of the most optimistic distribution within a band around the empirical one.

    Use it as the strong confidence-bound baseline for CVaR, for rewards of at most `highest`, when the number of steps
    is known. The band is that of Dvoretzky, Kiefer & Wolfowitz at level 1/n^2.

    Index: with b = sqrt(ln(2 n^2)/(2 T)), rewards in ascending order and x_(T+1) = U = `highest`,
    U - (1/a) sum_i (x_(i+1) - x_(i)) clip(i/T - b, 0, a). Every arm is played once first. The constants
    are those of the paper.

    Reference: Tamkin, Keramati, Dann & Brunskill, Distributionally-Aware Exploration for CVaR Bandits, 2019.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.UniformArms([0.0, 0.3], [1.0, 0.6]), rb.CVaR(0.2))
    >>> rb.simulate(problem, [CVaRUCB()], horizon=50, runs=2, seed=1, progress=False).labels
    ['CVaRUCB']
    """

    highest: Finite = 1.0

    def prepare(self, state: State, run: Run, risk: Any, rng: Rng) -> None:
        """Bound the CVaR of the arm played last; the others have not changed."""
        for k in range(state.shape[0]):
            pulls = state[k, TOTAL]
            if state[k, ESTIMATED] != pulls:
                band = math.sqrt(0.5 * math.log(2.0 * run[HORIZON] * run[HORIZON]) / pulls)
                values, counts = history.values(state, k, run), history.counts(state, k, run)
                state[k, ESTIMATE] = optimistic_lower_mean(values, counts, pulls, risk.level, band, self.highest)
                state[k, ESTIMATED] = pulls

    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        """The optimistic CVaR."""
        return state[k, ESTIMATE]

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        history.add(state, k, run, reward)

    def first_pulls(self) -> int:
        return 1

    def history(self) -> int:
        return 1

    def width(self) -> int:
        return kept_values.WIDTH

    def needs_horizon(self) -> bool:
        """The band depends on n."""
        return True

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        """The index is a bound on the CVaR of rewards with a known upper bound."""
        return refuse_unless(self, risk, CVaR) or refuse_outside(self, arms, -math.inf, self.highest)

    def rejects(self, reward: float) -> str | None:
        """The largest reward is known."""
        return None if reward <= self.highest else f"at most {self.highest:g}"


@jitable
def optimistic_lower_mean(
    values: np.ndarray, counts: np.ndarray, pulls: float, level: float, band: float, highest: float
) -> float:
    """U - (1/a) sum_i (x_(i+1) - x_(i)) clip(i/T - b, 0, a): mass b is taken from the bottom and put at U."""
    lost = 0.0
    reached = 0.0
    size = values.shape[0]
    for i in range(size):
        reached += counts[i]
        following = values[i + 1] if i + 1 < size else highest
        lost += (following - values[i]) * min(max(reached / pulls - band, 0.0), level)
    return highest - lost / level
