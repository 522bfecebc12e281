"""Mean-Variance Thompson Sampling (Zhu & Tan 2020, Algorithm 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from riskbandits.bounds.mvts_bounds import MVTSBounds
from riskbandits.core.records import NonNegative, Switch
from riskbandits.numerics import moments
from riskbandits.numerics.posteriors import drawn_mean, drawn_variance, unbiased_draw
from riskbandits.risk import MeanVariance

if TYPE_CHECKING:
    from riskbandits.types import RiskMeasure, Rng, Run, State


class MVTS(NamedTuple):
    """Thompson sampling over mean and variance: the paper's policy for Gaussian arms at any rho.

    Use it as the paper's reference for Gaussian-like rewards of a scale near 1: the mean is drawn with
    variance 1/T whatever the arm's own variance is, and the prior rate 1/2 is a variance of order 1. If the
    best arm's variance is above 1, its regret grows like a power of n: express rewards in a larger unit.

    Each step, for each arm: theta ~ N(m, 1/T), a standard deviation of 1/sqrt(T), and independently
    tau ~ Gamma(shape + T/2, rate + S/2); play the largest value of (theta, 1/tau), that is
    rho theta - 1/tau, or in any other measure the value of N(theta, 1/tau). Every arm is played once
    first. `shape` and `rate` (both >= 0) are the prior; the authors' scripts, which do not count the
    first pull, correspond to `shape=0`.

    `unbiased` divides sums of squared deviations by T - 1 where the paper has T ("does not change our regret bound and
    conclusions", section 2); every arm is then played twice first. Such runs are not played lazily.

    Reference: Zhu & Tan, Thompson Sampling Algorithms for Mean-Variance Bandits, ICML 2020.

    >>> import riskbandits as rb
    >>> problem = rb.problems.zhu_tan_gaussian(rho=1)
    >>> rb.simulate(problem, [MVTS()], horizon=50, runs=2, seed=1, progress=False).pulls("MVTS").sum(axis=1)
    array([50, 50])
    """

    shape: NonNegative = 0.5
    rate: NonNegative = 0.5
    unbiased: Switch = False

    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        """The value of a drawn mean and a drawn variance."""
        mean = drawn_mean(state, k, rng)
        if self.unbiased:
            return risk.value(mean, unbiased_draw(state, k, self.shape, self.rate, rng))
        return risk.value(mean, drawn_variance(state, k, self.shape, self.rate, rng))

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        moments.add(state, k, reward)

    def fade(self, state: State, k: int, run: Run, factor: float) -> None:
        moments.discount(state, k, factor)

    def first_pulls(self) -> int:
        return 2 if self.unbiased else 1

    # Acceleration. When the formula of a score or of learning changes, bounds/mvts_bounds.py, mvts_upper.py and
    # mvts_lower.py must be derived again as well; until then let `bounds` return None, which is always right.

    def bounds(self, risk: RiskMeasure) -> MVTSBounds | None:
        served = isinstance(risk, MeanVariance) and not self.unbiased
        return MVTSBounds(self.shape, self.rate) if served else None

    def learn_many(self, state: State, k: int, run: Run, count: float, mean: float, squares: float) -> None:
        moments.add_many(state, k, count, mean, squares)
