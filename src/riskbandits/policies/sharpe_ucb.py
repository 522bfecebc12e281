"""An optimistic bound on the Sharpe ratio, from bounds on mean and variance."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from riskbandits.core.records import Positive
from riskbandits.numerics import moments
from riskbandits.numerics.moments import COUNT, MEAN
from riskbandits.policies.cells import LOG_STEP
from riskbandits.policies.support.contract import refuse_unless
from riskbandits.risk import Sharpe

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure, Rng, Run, State


class SharpeUCB(NamedTuple):
    """The largest Sharpe ratio that an arm may have, given bounds on its mean and on its variance.

    Use it as a deterministic competitor of `SRTS`, for either form of `Sharpe`; `UCBRSSR` is the published one for the
    squared form. **Bounds and constants here are ours**, for rewards in a range of width b.

    By Hoeffding's inequality the mean lies within w = b sqrt(ln t / T) of m except with probability 2/t^2; by
    McDiarmid's, the variance lies within b w of v, since one reward changes v by at most b^2/T. The index is the
    largest value of the measure over means in [m - w, m + w] and variances in [max(0, v - b w), v + b w]. `range_width`
    is b. Every arm is played once first.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.BernoulliArms([0.2, 0.7]), rb.Sharpe.squared())
    >>> rb.simulate(problem, [SharpeUCB()], horizon=50, runs=2, seed=1, progress=False).labels
    ['SharpeUCB']
    """

    range_width: Positive = 1.0

    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        """The most optimistic value."""
        radius = self.range_width * math.sqrt(run[LOG_STEP] / state[k, COUNT])
        variance = moments.variance(state, k)
        calm = max(0.0, variance - self.range_width * radius)
        wild = variance + self.range_width * radius
        low = state[k, MEAN] - radius
        high = state[k, MEAN] + radius
        # The ratio is monotone in the variance, and in the mean or (squared) in its distance from 0.
        best = max(risk.value(high, calm), risk.value(high, wild))
        return max(best, risk.value(low, calm))

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        moments.add(state, k, reward)

    def first_pulls(self) -> int:
        return 1

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        """The index is a bound on a Sharpe ratio."""
        return refuse_unless(self, risk, Sharpe)

    @staticmethod
    def called_before() -> str:
        """Its name in version 0.1, which stays in the key of its random streams."""
        return "UCBRSSR"

    # Acceleration. When the formula of a score changes, it must be shown again that no score falls while its arm is
    # not played; False is always right.

    def rises(self) -> bool:
        """Both ranges widen with ln t."""
        return True
