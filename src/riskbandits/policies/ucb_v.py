"""UCB-V (Audibert, Munos & Szepesvari 2009)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from riskbandits.core.records import Positive
from riskbandits.numerics import moments
from riskbandits.numerics.moments import COUNT, MEAN
from riskbandits.policies.cells import LOG_STEP
from riskbandits.policies.support.contract import refuse_unless
from riskbandits.risk import Mean

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure, Rng, Run, State


class UCBV(NamedTuple):
    """The sample mean plus a bonus that is small for low-variance arms; the variance itself is not a goal.

    Use it for the mean of bounded rewards whose variance is small compared with their range.

    Index: m + sqrt(2 v zeta ln t / T) + 3 c b zeta ln t / T. `range_width` is b, the width of the range of the rewards;
    `exploration` is zeta (the proofs need more than 1; 1.2 is the authors' choice) and `bias` is c (1 in the proofs).
    Every arm is played once first.

    Reference: Audibert, Munos & Szepesvari, Exploration-Exploitation Tradeoff Using Variance Estimates, 2009.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.BernoulliArms([0.2, 0.7]), rb.Mean())
    >>> rb.simulate(problem, [UCBV()], horizon=50, runs=2, seed=1, progress=False).labels
    ['UCBV']
    """

    range_width: Positive = 1.0
    exploration: Positive = 1.2
    bias: Positive = 1.0

    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        share = self.exploration * run[LOG_STEP] / state[k, COUNT]
        spread = math.sqrt(2.0 * moments.variance(state, k) * share)
        return state[k, MEAN] + spread + 3.0 * self.bias * self.range_width * share

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        moments.add(state, k, reward)

    def fade(self, state: State, k: int, run: Run, factor: float) -> None:
        moments.discount(state, k, factor)

    def first_pulls(self) -> int:
        return 1

    def returns_to_all(self, risk: RiskMeasure, arms: Arms) -> bool:
        """Its bonus grows with ln t beyond any gap."""
        return True

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        return refuse_unless(self, risk, Mean)

    # Acceleration. When the formula of a score changes, it must be shown again that no score falls while its arm is
    # not played; False is always right.

    def rises(self) -> bool:
        """The bonus of an arm that is not played grows with ln t."""
        return True
