"""Thompson sampling of the mean with Gaussian draws."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from riskbandits.core.records import Positive
from riskbandits.envelopes.gaussian_ts_bounds import GaussianTSBounds
from riskbandits.numerics import moments
from riskbandits.numerics.moments import COUNT, MEAN
from riskbandits.policies.support.contract import refuse_unless
from riskbandits.risk import Mean


class GaussianTS(NamedTuple):
    """Thompson sampling of the mean: the ordinary bandit, which `MTS` becomes when rho is large.

    Use it as the baseline for the mean of rewards with a standard deviation of about `deviation` (> 0).

    Each step, for each arm: theta ~ N(m, deviation^2 / T); play the largest. Every arm is played once first. With
    `deviation` = 1 it is the rule of Agrawal & Goyal (2013) but for their T + 1 in place of T.

    Reference: Thompson, On the Likelihood that One Unknown Probability Exceeds Another, 1933; Agrawal & Goyal, Further
    Optimal Regret Bounds for Thompson Sampling, 2013.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.GaussianArms([0.2, 0.7], [1, 1]), rb.Mean())
    >>> rb.simulate(problem, [GaussianTS()], horizon=50, runs=2, seed=1, progress=False).labels
    ['GaussianTS']
    """

    deviation: Positive = 1.0

    def score(self, state: Any, k: int, run: Any, risk: Any, rng: Any) -> float:
        """A drawn mean."""
        return state[k, MEAN] + self.deviation * rng.standard_normal() / math.sqrt(state[k, COUNT])

    def learn(self, state: Any, k: int, run: Any, reward: float) -> None:
        """Update the moments."""
        moments.add(state, k, reward)

    def fade(self, state: Any, k: int, run: Any, factor: float) -> None:
        """The moments fade."""
        moments.discount(state, k, factor)

    def learn_many(self, state: Any, k: int, run: Any, count: float, mean: float, squares: float) -> None:
        """Update the moments by many rewards."""
        moments.add_many(state, k, count, mean, squares)

    def first_pulls(self) -> int:
        """One pull of each arm."""
        return 1

    def bounds(self, risk: Any) -> GaussianTSBounds:
        """For drawn means."""
        return GaussianTSBounds(self.deviation)

    def refuses(self, risk: Any, arms: Any) -> str | None:
        """It sees the mean alone."""
        return refuse_unless(self, risk, Mean)
