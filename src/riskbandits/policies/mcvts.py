"""M-CVTS: Thompson sampling for the CVaR of rewards on a known finite support (Baudry et al. 2021)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskbandits.core.records import Numbers
from riskbandits.numerics import history
from riskbandits.numerics.history import SIZE
from riskbandits.policies.support import reweighting
from riskbandits.policies.support.contract import refuse_unless
from riskbandits.risk import CVaR

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure, Rng, Run, State


class MCVTS(NamedTuple):
    """Thompson sampling for the CVaR of rewards that can only take known values.

    Use it when rewards take few values, such as grades, stars or prices.

    Each step, for each arm: weights w ~ Dirichlet(1 + n_1, ..., 1 + n_m) over the `support`, with n_j the number of
    times the j-th value occurred; play the largest CVaR of the weighted support. A step costs the size of the support.
    Every arm is played once first. There are no constants to tune: the prior weights 1 are the authors'.

    Reference: Baudry, Gautron, Kaufmann & Maillard, Optimal Thompson Sampling Strategies for Support-Aware CVaR
    Bandits, ICML 2021.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.DataArms(rewards=[0, 1, 2, 2, 1, 1], ends=[3, 6]), rb.CVaR(0.5))
    >>> problem.values.round(3).tolist(), MCVTS(support=[0, 1, 2]).refuses(problem.risk, problem.arms)
    ([0.333, 1.0], None)
    """

    support: Numbers = (0.0, 1.0)

    def prepare(self, state: State, run: Run, risk: RiskMeasure, rng: Rng) -> None:
        reweighting.draw_scores(state, run, risk, rng)

    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        return state[k, reweighting.SCORE]

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        """Record the reward, after the support if it is the first."""
        if state[k, SIZE] == 0.0:
            for i in range(len(self.support)):
                history.add(state, k, run, self.support[i])
        history.add(state, k, run, reward)

    def first_pulls(self) -> int:
        return 1

    def history(self) -> int:
        """The support comes before the first reward."""
        return len(self.support)

    def width(self) -> int:
        return reweighting.WIDTH

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        """CVaR only, and arms whose rewards are in the support."""
        if refusal := refuse_unless(self, risk, CVaR):
            return f"{refusal} NPTS supports any measure."
        if arms is None:
            return None
        for k in range(int(arms.size())):
            rewards = getattr(arms.distribution(k), "values", None) if hasattr(arms, "distribution") else None
            if rewards is None or not np.isin(rewards, self.support).all():
                return (
                    f"MCVTS needs arms whose rewards are in its support. {type(arms).__name__} pay other rewards too."
                )
        return None

    def rejects(self, reward: float) -> str | None:
        """Rewards must be in the support."""
        return None if reward in self.support else f"one of the {len(self.support)} values of the support"

    def invalid(self) -> tuple[str, str, object] | None:
        """Values must be distinct: a repeated one would have twice the prior weight."""
        if len(np.unique(self.support)) == len(self.support):
            return None
        return ("The 'support' parameter of MCVTS", "a list of different numbers", self.support.tolist())
