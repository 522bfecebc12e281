"""B-CVTS: nonparametric Thompson sampling for the CVaR of bounded rewards (Baudry et al. 2021)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from riskbandits.arms.contract import highest_reward
from riskbandits.core.records import Finite
from riskbandits.numerics import history
from riskbandits.numerics.history import SIZE
from riskbandits.policies.support import reweighting
from riskbandits.policies.support.contract import refuse_unless
from riskbandits.risk import CVaR

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure, Rng, Run, State


class BCVTS(NamedTuple):
    """Thompson sampling for the CVaR of rewards with a known upper bound, and no other assumption.

    Use it when bad tails matter and rewards are bounded above.

    Each step, for each arm: weights w ~ Dirichlet(1, ..., 1) over its history, which starts with one reward `upper`;
    play the largest CVaR of the weighted history. Rewards must not exceed `upper`. It is `NPTS(anchor=upper)` for CVaR.
    Every arm is played once first. There are no constants to tune; `upper` is what you know about the rewards.

    The sampling is exact: choices have the same distribution as if every weight were drawn at every step. For long
    histories only the lowest weights are drawn one by one, and only where the choice depends on them
    (`riskbandits.policies.support.reweighting`).

    Reference: Baudry, Gautron, Kaufmann & Maillard, Optimal Thompson Sampling Strategies for Support-Aware CVaR
    Bandits, ICML 2021.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.BernoulliArms([0.6, 0.9]), rb.CVaR(0.5))
    >>> rb.simulate(problem, [BCVTS()], horizon=50, runs=2, seed=1, progress=False).pulls("BCVTS").sum(axis=1)
    array([50, 50])
    """

    upper: Finite = 1.0

    def prepare(self, state: State, run: Run, risk: RiskMeasure, rng: Rng) -> None:
        """Draw the weights that determine the choice."""
        reweighting.draw_scores(state, run, risk, rng)

    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        return state[k, reweighting.SCORE]

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        """Record the reward, after the upper bound if it is the first."""
        if state[k, SIZE] == 0.0:
            history.add(state, k, run, self.upper)
        history.add(state, k, run, reward)

    def first_pulls(self) -> int:
        """An arm not yet tried would have the largest value there is."""
        return 1

    def history(self) -> int:
        """The upper bound comes before the first reward."""
        return 1

    def width(self) -> int:
        return reweighting.WIDTH

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        """CVaR only, and no reward above the upper bound."""
        if refusal := refuse_unless(self, risk, CVaR):
            return f"{refusal} NPTS supports any measure."
        if arms is None or highest_reward(arms) <= self.upper:
            return None
        most = f"those of {type(arms).__name__} reach {highest_reward(arms):g}"
        return f"BCVTS needs rewards up to {self.upper:g}, its 'upper' parameter; {most}."

    def rejects(self, reward: float) -> str | None:
        """No reward may exceed the upper bound."""
        return f"at most {self.upper:g}" if reward > self.upper else None
