"""Variance Thompson Sampling (Zhu & Tan 2020, Algorithm 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from riskbandits.bounds.vts_bounds import VTSBounds
from riskbandits.core.records import NonNegative, Switch
from riskbandits.numerics import moments
from riskbandits.numerics.moments import MEAN
from riskbandits.numerics.posteriors import drawn_variance, unbiased_draw
from riskbandits.risk import MeanVariance

if TYPE_CHECKING:
    from riskbandits.types import RiskMeasure, Rng, Run, State


class VTS(NamedTuple):
    """Thompson sampling over the variance; the mean is the sample mean.

    Use it only to reproduce the paper, since its regret is linear for every rho above 0. It never draws a
    mean, so a run in which the best arm starts badly may settle on a wrong arm for good: prefer `SwitchingAware`. If
    the mean does not matter, as with `LargestVariance`, this cannot happen.

    Each step, for each arm: tau ~ Gamma(shape + T/2, rate + S/2); play the largest value of (m, 1/tau),
    that is rho m - 1/tau. Every arm is played once first. `shape` and `rate` (both >= 0) are the prior;
    the authors' scripts, which do not count the first pull, correspond to `shape=0`.

    `unbiased` divides sums of squared deviations by T - 1 where the paper has T ("does not change our regret bound and
    conclusions", section 2); every arm is then played twice first. Such runs are not played lazily.

    Reference: Zhu & Tan, Thompson Sampling Algorithms for Mean-Variance Bandits, ICML 2020.

    >>> import riskbandits as rb
    >>> problem = rb.problems.zhu_tan_gaussian(rho=0.001)
    >>> rb.simulate(problem, [VTS()], horizon=50, runs=2, seed=1, progress=False).pulls("VTS").shape
    (2, 15)
    """

    shape: NonNegative = 0.5
    rate: NonNegative = 0.5
    unbiased: Switch = False

    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        """The value of the sample mean and a drawn variance."""
        if self.unbiased:
            return risk.value(state[k, MEAN], unbiased_draw(state, k, self.shape, self.rate, rng))
        return risk.value(state[k, MEAN], drawn_variance(state, k, self.shape, self.rate, rng))

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        moments.add(state, k, reward)

    def fade(self, state: State, k: int, run: Run, factor: float) -> None:
        moments.discount(state, k, factor)

    def first_pulls(self) -> int:
        return 2 if self.unbiased else 1

    # Acceleration. When the formula of a score or of learning changes, bounds/vts_bounds.py must be derived again as
    # well; until then let `bounds` return None, which is always right.

    def bounds(self, risk: RiskMeasure) -> VTSBounds | None:
        served = isinstance(risk, MeanVariance) and not self.unbiased
        return VTSBounds(self.shape, self.rate) if served else None

    def learn_many(self, state: State, k: int, run: Run, count: float, mean: float, squares: float) -> None:
        moments.add_many(state, k, count, mean, squares)
