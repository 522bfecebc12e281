"""Mean-Variance Thompson Sampling (Zhu & Tan 2020, Algorithm 3)."""

from __future__ import annotations

from typing import Any, NamedTuple

from riskbandits.records import NonNegative
from riskbandits.risk import MeanVariance
from riskbandits.statistics import dips, half_plane, moments
from riskbandits.statistics.moments import COUNT, MEAN, SQUARES
from riskbandits.statistics.posteriors import drawn_mean, drawn_variance
from riskbandits.statistics.tails import probability


class MVTS(NamedTuple):
    """Thompson sampling over mean and variance: the paper's policy for Gaussian arms at any rho.

    Use it as the paper's reference for Gaussian-like rewards of a scale near 1: the mean is drawn with
    variance 1/T whatever the arm's own variance is, and the prior rate 1/2 is a variance of order 1.

    Each step, for each arm: theta ~ N(m, 1/T), a standard deviation of 1/sqrt(T), and independently
    tau ~ Gamma(shape + T/2, rate + S/2); play the largest value of (theta, 1/tau), that is
    rho theta - 1/tau, or in any other measure the value of N(theta, 1/tau). Every arm is played once
    first. `shape` and `rate` (both >= 0) are the prior; the authors' scripts, which do not count the
    first pull, correspond to `shape=0`.

    Reference: Zhu & Tan, Thompson Sampling Algorithms for Mean-Variance Bandits, ICML 2020.

    >>> import riskbandits as rb
    >>> problem = rb.problems.zhu_tan_gaussian(rho=1)
    >>> rb.simulate(problem, [MVTS()], horizon=50, runs=2, seed=1, progress=False).pulls("MVTS").sum(axis=1)
    array([50, 50])
    """

    shape: NonNegative = 0.5
    rate: NonNegative = 0.5

    def score(self, state: Any, k: int, run: Any, risk: Any, rng: Any) -> float:
        """The value of a drawn mean and a drawn variance."""
        mean = drawn_mean(state, k, rng)
        return risk.value(mean, drawn_variance(state, k, self.shape, self.rate, rng))

    def learn(self, state: Any, k: int, run: Any, reward: float) -> None:
        """Update the moments."""
        moments.add(state, k, reward)

    def first_pulls(self) -> int:
        """One pull of each arm."""
        return 1

    def watch(self, state: Any, k: int, risk: Any, deviations: float, envelope: Any) -> tuple[float, float]:
        """A floor below which the arm's score seldom falls, and a bound on how often."""
        alpha = self.shape + 0.5 * state[k, COUNT]
        beta = self.rate + 0.5 * state[k, SQUARES]
        mass = dips.watch(state[k, MEAN], state[k, COUNT], alpha, beta, risk.rho, deviations, envelope, k)
        return envelope[k, dips.FLOOR], mass

    def steady(self, state: Any, k: int, risk: Any, envelope: Any) -> bool:
        """Whether that bound holds after what was learnt since."""
        alpha = self.shape + 0.5 * state[k, COUNT]
        return dips.steady(state[k, MEAN], alpha, self.rate + 0.5 * state[k, SQUARES], envelope, k)

    def draw_dip(self, state: Any, k: int, risk: Any, envelope: Any, rng: Any) -> float:
        """A score below the floor, or NaN."""
        alpha = self.shape + 0.5 * state[k, COUNT]
        beta = self.rate + 0.5 * state[k, SQUARES]
        return dips.dip(state[k, MEAN], state[k, COUNT], alpha, beta, risk.rho, envelope, k, rng)

    def tail(self, state: Any, k: int, threshold: float, risk: Any, envelope: Any) -> float:
        """A bound on the probability that the arm's score reaches the threshold."""
        alpha = self.shape + 0.5 * state[k, COUNT]
        beta = self.rate + 0.5 * state[k, SQUARES]
        return probability(
            half_plane.log_mass(state[k, MEAN], state[k, COUNT], alpha, beta, risk.rho, threshold, envelope, k)
        )

    def draw_above(self, state: Any, k: int, threshold: float, risk: Any, envelope: Any, rng: Any) -> float:
        """A score that reaches the threshold, or NaN; see `riskbandits.policies.contract`."""
        alpha = self.shape + 0.5 * state[k, COUNT]
        beta = self.rate + 0.5 * state[k, SQUARES]
        return half_plane.proposal(state[k, MEAN], state[k, COUNT], alpha, beta, risk.rho, threshold, envelope, k, rng)

    def lazy_for(self, risk: Any) -> bool:
        """The tail is that of rho theta - 1/tau."""
        return isinstance(risk, MeanVariance)
