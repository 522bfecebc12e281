"""Thompson sampling of the mean with Gaussian draws."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from riskbandits.bounds.gaussian_ts_bounds import GaussianTSBounds
from riskbandits.core.records import Positive
from riskbandits.numerics import moments
from riskbandits.numerics.moments import COUNT, MEAN
from riskbandits.policies.support.contract import refuse_unless
from riskbandits.risk import Mean

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure, Rng, Run, State


class GaussianTS(NamedTuple):
    """Thompson sampling of the mean: the classical bandit, and the limit of `MTS` for large rho.

    Use it as the baseline for the mean of rewards with a standard deviation of about `deviation` (> 0).

    Each step, for each arm: theta ~ N(m, deviation^2 / T); play the largest. Every arm is played once first. With
    `deviation` = 1 it is the rule of Agrawal & Goyal (2013), except that they have T + 1 in place of T.

    Reference: Thompson, On the Likelihood that One Unknown Probability Exceeds Another, 1933; Agrawal & Goyal, Further
    Optimal Regret Bounds for Thompson Sampling, 2013.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.GaussianArms([0.2, 0.7], [1, 1]), rb.Mean())
    >>> rb.simulate(problem, [GaussianTS()], horizon=50, runs=2, seed=1, progress=False).labels
    ['GaussianTS']
    """

    deviation: Positive = 1.0

    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        return state[k, MEAN] + self.deviation * rng.standard_normal() / math.sqrt(state[k, COUNT])

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        moments.add(state, k, reward)

    def fade(self, state: State, k: int, run: Run, factor: float) -> None:
        moments.discount(state, k, factor)

    def first_pulls(self) -> int:
        return 1

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        return refuse_unless(self, risk, Mean)

    # Acceleration. When the formula of a score or of learning changes, bounds/gaussian_ts_bounds.py must be derived
    # again as well; until then let `bounds` return None, which is always right.

    def bounds(self, risk: RiskMeasure) -> GaussianTSBounds:
        return GaussianTSBounds(self.deviation)

    def learn_many(self, state: State, k: int, run: Run, count: float, mean: float, squares: float) -> None:
        moments.add_many(state, k, count, mean, squares)
