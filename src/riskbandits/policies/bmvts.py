"""Mean-Variance Thompson Sampling for Bernoulli arms (Zhu & Tan 2020, Algorithm 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from riskbandits.bounds.bmvts_bounds import BMVTSBounds
from riskbandits.core.records import Positive
from riskbandits.numerics import bernoulli_counts
from riskbandits.numerics.bernoulli_counts import PULLS, SUCCESSES
from riskbandits.numerics.variates import beta
from riskbandits.policies.cells import SCRATCH
from riskbandits.policies.support.contract import refuse_unless_binary, reject_unless_binary
from riskbandits.risk import MeanVariance
from riskbandits.risk.charged import ChargedMeanVariance
from riskbandits.risk.contract import binary_value

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure, Rng, Run, State


class BMVTS(NamedTuple):
    """Thompson sampling over the success probability of Bernoulli arms.

    Use it when rewards are 0 or 1.

    Each step, for each arm: theta ~ Beta(successes_prior + successes, failures_prior + failures); play the
    largest value of a reward that is 1 with probability theta and 0 otherwise: for `MeanVariance`
    rho theta - theta (1 - theta), and likewise for any other measure. No forced pulls.
    Both prior parameters are > 0; (1, 1) is uniform.

    Reference: Zhu & Tan, Thompson Sampling Algorithms for Mean-Variance Bandits, ICML 2020.

    >>> import riskbandits as rb
    >>> problem = rb.problems.zhu_tan_bernoulli(rho=0.5)
    >>> rb.simulate(problem, [BMVTS()], horizon=50, runs=2, seed=1, progress=False).pulls("BMVTS").sum(axis=1)
    array([50, 50])
    """

    successes_prior: Positive = 1.0
    failures_prior: Positive = 1.0

    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        """The value of a Bernoulli distribution with a drawn success probability."""
        successes = state[k, SUCCESSES]
        failures = state[k, PULLS] - successes
        theta = beta(rng, self.successes_prior + successes, self.failures_prior + failures)
        return binary_value(risk, theta, run[SCRATCH:])

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        bernoulli_counts.add(state, k, reward)

    def fade(self, state: State, k: int, run: Run, factor: float) -> None:
        bernoulli_counts.discount(state, k, factor)

    def width(self) -> int:
        return bernoulli_counts.WIDTH

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        return refuse_unless_binary(self, arms)

    def rejects(self, reward: float) -> str | None:
        return reject_unless_binary(reward)

    # Acceleration. When the formula of a score or of learning changes, bounds/bmvts_bounds.py must be derived again
    # as well; until then let `bounds` return None, which is always right.

    def bounds(self, risk: RiskMeasure) -> BMVTSBounds | None:
        """For rho theta - theta (1 - theta), which a charge can only lower."""
        return (
            BMVTSBounds(self.successes_prior, self.failures_prior)
            if isinstance(risk, (MeanVariance, ChargedMeanVariance))
            else None
        )

    def learn_many(self, state: State, k: int, run: Run, count: float, mean: float, squares: float) -> None:
        bernoulli_counts.add_many(state, k, count, mean)
