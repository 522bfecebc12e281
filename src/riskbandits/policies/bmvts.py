"""Mean-Variance Thompson Sampling for Bernoulli arms (Zhu & Tan 2020, Algorithm 4)."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from riskbandits.policies.contract import SCRATCH, refuse_unless_binary, reject_unless_binary
from riskbandits.records import Positive
from riskbandits.risk import MeanVariance
from riskbandits.risk.charged import ChargedMeanVariance
from riskbandits.risk.contract import binary_value
from riskbandits.statistics import parabola, tallies
from riskbandits.statistics.tallies import PULLS, SUCCESSES
from riskbandits.statistics.variates import beta


class BMVTS(NamedTuple):
    """Thompson sampling over the success probability of Bernoulli arms.

    Use it when rewards are 0 or 1.

    Each step, for each arm: theta ~ Beta(successes_prior + successes, failures_prior + failures); play the
    largest value of a reward that is 1 with probability theta and else 0: for `MeanVariance`
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

    def score(self, state: Any, k: int, run: Any, risk: Any, rng: Any) -> float:
        """The value of a Bernoulli distribution with a drawn success probability."""
        successes = state[k, SUCCESSES]
        failures = state[k, PULLS] - successes
        theta = beta(rng, self.successes_prior + successes, self.failures_prior + failures)
        return binary_value(risk, theta, run[SCRATCH:])

    def learn(self, state: Any, k: int, run: Any, reward: float) -> None:
        """Count the success or failure."""
        tallies.add(state, k, reward)

    def width(self) -> int:
        """Pulls and successes."""
        return tallies.WIDTH

    def refuses(self, risk: Any, arms: Any) -> str | None:
        """Rewards must be 0 or 1."""
        return refuse_unless_binary(self, arms)

    def rejects(self, reward: float) -> str | None:
        """Rewards must be 0 or 1."""
        return reject_unless_binary(reward)

    def watch(self, state: Any, k: int, risk: Any, deviations: float, envelope: Any) -> tuple[float, float]:
        """A floor below which the arm's score seldom falls, and a bound on how often."""
        a = self.successes_prior + state[k, SUCCESSES]
        b = self.failures_prior + state[k, PULLS] - state[k, SUCCESSES]
        mass = parabola.watch(a, b, risk.rho, deviations, envelope, k)
        if envelope[k, parabola.FLOOR] == -math.inf:
            return -math.inf, mass
        theta = parabola.at_floor(envelope, k)
        return risk.value(theta, theta * (1.0 - theta)), mass

    def steady(self, state: Any, k: int, risk: Any, envelope: Any) -> bool:
        """Whether that bound holds after what was learnt since."""
        a = self.successes_prior + state[k, SUCCESSES]
        return parabola.steady(a, self.failures_prior + state[k, PULLS] - state[k, SUCCESSES], envelope, k)

    def draw_dip(self, state: Any, k: int, risk: Any, envelope: Any, rng: Any) -> float:
        """A score below the floor, or NaN."""
        a = self.successes_prior + state[k, SUCCESSES]
        b = self.failures_prior + state[k, PULLS] - state[k, SUCCESSES]
        return parabola.dip(a, b, risk.rho, envelope, k, rng)

    def tail(self, state: Any, k: int, threshold: float, risk: Any, envelope: Any) -> float:
        """A bound on the probability that the arm's score reaches the threshold."""
        a = self.successes_prior + state[k, SUCCESSES]
        b = self.failures_prior + state[k, PULLS] - state[k, SUCCESSES]
        return parabola.mass(a, b, risk.rho, threshold, envelope, k)

    def draw_above(self, state: Any, k: int, threshold: float, risk: Any, envelope: Any, rng: Any) -> float:
        """A score that reaches the threshold, or NaN."""
        a = self.successes_prior + state[k, SUCCESSES]
        b = self.failures_prior + state[k, PULLS] - state[k, SUCCESSES]
        theta = parabola.proposal(a, b, envelope, k, rng)
        score = risk.value(theta, theta * (1.0 - theta))
        return score if score >= threshold else math.nan

    def lazy_for(self, risk: Any) -> bool:
        """The tails are those of rho theta - theta (1 - theta), of which a charge only takes away."""
        return isinstance(risk, (MeanVariance, ChargedMeanVariance))
