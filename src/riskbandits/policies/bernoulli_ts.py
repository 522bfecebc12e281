"""Thompson sampling of the success probability."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from riskbandits.bounds.bernoulli_ts_bounds import BernoulliTSBounds
from riskbandits.core.records import Positive
from riskbandits.numerics import bernoulli_counts
from riskbandits.numerics.bernoulli_counts import PULLS, SUCCESSES
from riskbandits.numerics.variates import beta
from riskbandits.policies.support.contract import refuse_unless, refuse_unless_binary, reject_unless_binary
from riskbandits.risk import Mean

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure, Rng, Run, State


class BernoulliTS(NamedTuple):
    """Thompson sampling of the success probability: the classical bandit with 0/1 rewards.

    Use it as the baseline for the mean of rewards that are 0 or 1. It is `BMVTS` judged by `Mean`.

    Each step, for each arm: theta ~ Beta(successes_prior + successes, failures_prior + failures); play the largest.
    The default prior weights are the uniform prior of the analyses; there are no other constants.

    Reference: Thompson, On the Likelihood that One Unknown Probability Exceeds Another, 1933; Kaufmann, Korda & Munos,
    Thompson Sampling: An Asymptotically Optimal Finite-Time Analysis, 2012.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.BernoulliArms([0.2, 0.7]), rb.Mean())
    >>> rb.simulate(problem, [BernoulliTS()], horizon=50, runs=2, seed=1, progress=False).labels
    ['BernoulliTS']
    """

    successes_prior: Positive = 1.0
    failures_prior: Positive = 1.0

    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        failures = state[k, PULLS] - state[k, SUCCESSES]
        return beta(rng, self.successes_prior + state[k, SUCCESSES], self.failures_prior + failures)

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        bernoulli_counts.add(state, k, reward)

    def fade(self, state: State, k: int, run: Run, factor: float) -> None:
        bernoulli_counts.discount(state, k, factor)

    def width(self) -> int:
        return bernoulli_counts.WIDTH

    def rejects(self, reward: float) -> str | None:
        return reject_unless_binary(reward)

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        """It considers only the mean, of 0/1 rewards."""
        return refuse_unless(self, risk, Mean) or refuse_unless_binary(self, arms)

    # Acceleration. When the formula of a score or of learning changes, bounds/bernoulli_ts_bounds.py must be derived
    # again as well; until then let `bounds` return None, which is always right.

    def bounds(self, risk: RiskMeasure) -> BernoulliTSBounds:
        return BernoulliTSBounds(self.successes_prior, self.failures_prior)

    def learn_many(self, state: State, k: int, run: Run, count: float, mean: float, squares: float) -> None:
        bernoulli_counts.add_many(state, k, count, mean)
