"""An upper confidence bound for coherent risk measures (after Xu, Haskell & Ye 2018)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.core.records import Finite
from riskbandits.numerics import history
from riskbandits.numerics.history import TOTAL
from riskbandits.policies.cells import LOG_STEP
from riskbandits.policies.support import kept_values
from riskbandits.policies.support.contract import refuse_outside

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure, Rng, Run, State


class CoherentUCB(NamedTuple):
    """The sample value plus a bonus based on how far the value can move with the distribution.

    Use it for `MeanSemideviation` and `Expectile` when rewards lie between `lowest` and `highest` and decisions must be
    deterministic and come with a guarantee; it serves `CVaR` too. Its bonus is wide: prefer `NPTS`.

    Index: value of the rewards + C (U - L) sqrt(2 ln t / T), with L = `lowest`, U = `highest` and C the measure's
    Lipschitz constant in the Wasserstein distance (`lipschitz_constant`): 1/a for CVaR, 1 + c for the
    mean-semideviation, (1 - a)/a for the expectile. Every arm is played once first. That distance is at most U - L
    times the largest distance between two distribution functions, so by the inequality of Dvoretzky, Kiefer & Wolfowitz
    with Massart's constant the true value exceeds the index of T rewards at step t with probability at most 2/t^4. For
    CVaR of rewards in [0, U] the bonus is sqrt(2) times that of `UUCB`.

    Reference: after Xu, Haskell & Ye, Index-Based Policy for Risk-Averse Multi-Armed Bandit, 2018 (arXiv 1809.05385),
    of which only the abstract could be read; index and constants are ours.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.UniformArms([0.0, 0.3], [1.0, 0.6]), rb.Expectile(0.2))
    >>> rb.simulate(problem, [CoherentUCB()], horizon=50, runs=2, seed=1, progress=False).labels
    ['CoherentUCB']
    """

    lowest: Finite = 0.0
    highest: Finite = 1.0

    def prepare(self, state: State, run: Run, risk: RiskMeasure, rng: Rng) -> None:
        """Value the sample of the arm played last."""
        kept_values.renew(state, run, risk)

    def score(self, state: State, k: int, run: Run, risk: Any, rng: Rng) -> float:
        """The sample value and its bonus."""
        width = risk.lipschitz_constant() * (self.highest - self.lowest)
        return state[k, kept_values.ESTIMATE] + width * math.sqrt(2.0 * run[LOG_STEP] / state[k, TOTAL])

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        history.add(state, k, run, reward)

    def first_pulls(self) -> int:
        return 1

    def history(self) -> int:
        return 1

    def width(self) -> int:
        return kept_values.WIDTH

    def returns_to_all(self, risk: RiskMeasure, arms: Arms) -> bool:
        """Its bonus grows with ln t beyond any gap."""
        return True

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        """The bonus depends on the measure's constant and the range of the rewards."""
        if hasattr(risk, "lipschitz_constant"):
            return refuse_outside(self, arms, self.lowest, self.highest)
        return (
            "CoherentUCB is defined for risk measures that state their Lipschitz constant, such as CVaR, "
            f"MeanSemideviation and Expectile. Got {type(risk).__name__} instead."
        )

    def rejects(self, reward: float) -> str | None:
        """The range of the rewards is known."""
        return None if self.lowest <= reward <= self.highest else f"between {self.lowest:g} and {self.highest:g}"

    def invalid(self) -> tuple[str, str, object] | None:
        """The bounds must leave room between them."""
        if self.lowest < self.highest:
            return None
        return (
            "The 'highest' parameter of CoherentUCB",
            f"above its 'lowest' parameter ({self.lowest:g})",
            self.highest,
        )
