"""Mean Thompson Sampling (Zhu & Tan 2020, Algorithm 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from riskbandits.bounds.mts_bounds import MTSBounds
from riskbandits.core.records import Switch
from riskbandits.numerics import moments
from riskbandits.numerics.moments import SQUARES
from riskbandits.numerics.posteriors import drawn_mean
from riskbandits.risk import MeanVariance

if TYPE_CHECKING:
    from riskbandits.types import RiskMeasure, Rng, Run, State


class MTS(NamedTuple):
    """Thompson sampling over the mean; the variance is the sample variance.

    Use it when the mean dominates (large rho). It never explores an arm whose variance it
    overestimated, so prefer `MVTS` when rho is moderate or unknown; like `MVTS` it is for variances up to 1.

    Each step, for each arm: theta ~ N(m, 1/T), a standard deviation of 1/sqrt(T); play the largest
    value of (theta, v), that is rho theta - v. Every arm is played once first.

    `MTS.printed()` is the form printed in the paper, with 2 beta = 1 + T v in
    place of v. That grows with T, so the policy leaves every arm it plays; it is included to show that it fails.

    `unbiased` divides sums of squared deviations by T - 1 where the paper has T ("does not change our regret bound and
    conclusions", section 2); every arm is then played twice first. Such runs are not played lazily.

    Reference: Zhu & Tan, Thompson Sampling Algorithms for Mean-Variance Bandits, ICML 2020.

    >>> import riskbandits as rb
    >>> problem = rb.problems.zhu_tan_gaussian(rho=1000)
    >>> rb.simulate(problem, [MTS()], horizon=50, runs=2, seed=1, progress=False).pulls("MTS").shape
    (2, 15)
    """

    use_printed_form: bool = False
    unbiased: Switch = False

    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        """The value of a drawn mean and the sample variance."""
        mean = drawn_mean(state, k, rng)
        variance = 1.0 + state[k, SQUARES] if self.use_printed_form else moments.variance(state, k)
        if self.unbiased and not self.use_printed_form:
            variance *= moments.unbiased(state, k)
        return risk.value(mean, variance)

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        moments.add(state, k, reward)

    def fade(self, state: State, k: int, run: Run, factor: float) -> None:
        moments.discount(state, k, factor)

    def first_pulls(self) -> int:
        return 2 if self.unbiased else 1

    # Acceleration. When the formula of a score or of learning changes, bounds/mts_bounds.py must be derived again as
    # well; until then let `bounds` return None, which is always right.

    def bounds(self, risk: RiskMeasure) -> MTSBounds | None:
        """For rho theta - v; the printed form never has a leader for long."""
        served = isinstance(risk, MeanVariance) and not (self.use_printed_form or self.unbiased)
        return MTSBounds() if served else None

    def learn_many(self, state: State, k: int, run: Run, count: float, mean: float, squares: float) -> None:
        moments.add_many(state, k, count, mean, squares)

    @classmethod
    def printed(cls) -> MTS:
        """The form printed in the paper, which fails."""
        return cls(use_printed_form=True)
