"""UCB1 (Auer, Cesa-Bianchi & Fischer 2002)."""

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


class UCB1(NamedTuple):
    """The sample mean plus an exploration bonus: the classic, which ignores risk.

    Use it as the baseline for the mean of rewards between 0 and 1 (multiply `deviation` by the width of another range).

    Index: m + deviation sqrt(2 ln t / T). Every arm is played once first. The constant 2 is that of the paper, for
    `deviation` = 1.

    Reference: Auer, Cesa-Bianchi & Fischer, Finite-Time Analysis of the Multiarmed Bandit Problem, 2002.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.BernoulliArms([0.2, 0.7]), rb.Mean())
    >>> rb.simulate(problem, [UCB1()], horizon=50, runs=2, seed=1, progress=False).pulls("UCB1").sum(axis=1)
    array([50, 50])
    """

    deviation: Positive = 1.0

    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        return state[k, MEAN] + self.deviation * math.sqrt(2.0 * run[LOG_STEP] / state[k, COUNT])

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
