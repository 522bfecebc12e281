"""Variance Thompson Sampling (Zhu & Tan 2020, Algorithm 2)."""

from __future__ import annotations

from typing import Any, NamedTuple

from riskbandits.records import NonNegative
from riskbandits.risk import MeanVariance
from riskbandits.statistics import moments, variance_only
from riskbandits.statistics.moments import COUNT, MEAN, SQUARES
from riskbandits.statistics.posteriors import drawn_variance
from riskbandits.statistics.tails import gamma_proposal


class VTS(NamedTuple):
    """Thompson sampling over the variance; the mean is the sample mean.

    Use it when the variance decides (small rho). It can lock onto a wrong arm when means matter:
    prefer `MVTS` when rho is moderate or unknown.

    Each step, for each arm: tau ~ Gamma(shape + T/2, rate + S/2); play the largest value of (m, 1/tau),
    that is rho m - 1/tau. Every arm is played once first. `shape` and `rate` (both >= 0) are the prior;
    the authors' scripts, which do not count the first pull, correspond to `shape=0`.

    Reference: Zhu & Tan, Thompson Sampling Algorithms for Mean-Variance Bandits, ICML 2020.

    >>> import riskbandits as rb
    >>> problem = rb.problems.zhu_tan_gaussian(rho=0.001)
    >>> rb.simulate(problem, [VTS()], horizon=50, runs=2, seed=1, progress=False).pulls("VTS").shape
    (2, 15)
    """

    shape: NonNegative = 0.5
    rate: NonNegative = 0.5

    def score(self, state: Any, k: int, run: Any, risk: Any, rng: Any) -> float:
        """The value of the sample mean and a drawn variance."""
        return risk.value(state[k, MEAN], drawn_variance(state, k, self.shape, self.rate, rng))

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
        mass = variance_only.watch(state[k, MEAN], state[k, COUNT], alpha, beta, risk.rho, deviations, envelope, k)
        return envelope[k, variance_only.FLOOR], mass

    def steady(self, state: Any, k: int, risk: Any, envelope: Any) -> bool:
        """Whether that bound holds after what was learnt since."""
        alpha = self.shape + 0.5 * state[k, COUNT]
        beta = self.rate + 0.5 * state[k, SQUARES]
        return variance_only.steady(state[k, MEAN], alpha, beta, risk.rho, envelope, k)

    def draw_dip(self, state: Any, k: int, risk: Any, envelope: Any, rng: Any) -> float:
        """A score below the floor, or NaN."""
        alpha = self.shape + 0.5 * state[k, COUNT]
        beta = self.rate + 0.5 * state[k, SQUARES]
        return variance_only.dip(state[k, MEAN], alpha, beta, risk.rho, envelope, k, rng)

    def tail(self, state: Any, k: int, threshold: float, risk: Any, envelope: Any) -> float:
        """A bound on the probability that the arm's score reaches the threshold."""
        alpha = self.shape + 0.5 * state[k, COUNT]
        beta = self.rate + 0.5 * state[k, SQUARES]
        return variance_only.mass(risk.rho * state[k, MEAN] - threshold, alpha, beta)

    def draw_above(self, state: Any, k: int, threshold: float, risk: Any, envelope: Any, rng: Any) -> float:
        """A score that reaches the threshold, or NaN."""
        alpha = self.shape + 0.5 * state[k, COUNT]
        beta = self.rate + 0.5 * state[k, SQUARES]
        known = risk.rho * state[k, MEAN]
        return known - beta / gamma_proposal(rng, alpha, beta / (known - threshold))

    def lazy_for(self, risk: Any) -> bool:
        """The tail is that of rho m - 1/tau."""
        return isinstance(risk, MeanVariance)
