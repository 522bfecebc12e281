"""UCB with the horizon in its bonus."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from riskbandits.core.records import Positive
from riskbandits.numerics import moments
from riskbandits.numerics.moments import COUNT, MEAN
from riskbandits.policies.support.confidence import log_level
from riskbandits.policies.support.contract import refuse_unless
from riskbandits.risk import Mean

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure, Rng, Run, State


class HorizonUCB(NamedTuple):
    """`UCB1` with ln n in place of ln t: as careful at the first step as at the last.

    Use it for the mean if the horizon is known and failed runs must be rare. The small initial bonus of `UCB1` and
    `UCBV` gives their regret a heavy tail: a best arm that starts badly is abandoned, and its bonus grows only with ln
    t. `docs/studies/tails.md` has measurements.

    Index: m + deviation sqrt(exploration ln n / T). Every arm is played once first. `deviation` is the width of the
    range of the rewards; with `exploration` 2, the default, the bonus is that of `UCB1` at the last step.

    References: Audibert, Munos & Szepesvari, Exploration-Exploitation Tradeoff Using Variance Estimates, 2009, who show
    that the horizon in the bonus makes large regrets rare; Salomon & Audibert, Deviations of Stochastic Bandit Regret,
    2011, who show that no policy without it can achieve this. The constant is that of `UCB1`, not theirs.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.BernoulliArms([0.2, 0.7]), rb.Mean())
    >>> rb.simulate(problem, [HorizonUCB()], horizon=50, runs=2, seed=1, progress=False).labels
    ['HorizonUCB']
    """

    deviation: Positive = 1.0
    exploration: Positive = 2.0

    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        share = self.exploration * log_level(run, True) / state[k, COUNT]
        return state[k, MEAN] + self.deviation * math.sqrt(share)

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        moments.add(state, k, reward)

    def first_pulls(self) -> int:
        return 1

    def needs_horizon(self) -> bool:
        """The bonus holds it."""
        return True

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        return refuse_unless(self, risk, Mean)

    # Acceleration. When the formula of a score changes, it must be shown again that no score falls while its arm is
    # not played; False is always right.

    def rises(self) -> bool:
        """The score of an arm that is not played stays what it is."""
        return True
