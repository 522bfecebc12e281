"""Sharpe ratio Thompson sampling."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from riskbandits.core.records import Positive
from riskbandits.numerics import moments
from riskbandits.numerics.posteriors import drawn_mean, drawn_variance
from riskbandits.policies.support.contract import refuse_unless
from riskbandits.risk import Sharpe

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure, Rng, Run, State


class SRTS(NamedTuple):
    """Thompson sampling for the Sharpe ratio of Gaussian rewards: `MVTS` judged by `Sharpe`.

    Use it to maximise reward per unit of risk when rewards are close to Gaussian with a variance of the order of 1.

    Each step, for each arm: theta ~ N(m, 1/T), tau ~ Gamma(shape + T/2, rate + S/2); play the largest
    theta/(L + rho/tau), L and rho being those of the measure. Every arm is played once first. The draws and
    the constants of the prior are those of the paper's MVTS; the Sharpe form is derived from it.

    References: Zhu & Tan, Thompson Sampling Algorithms for Mean-Variance Bandits, ICML 2020, for the draws; Shah,
    Khurshid & Ghatak, Order Optimal Regret Bounds for Sharpe Ratio Optimization, 2025 (arXiv 2508.13749), for the
    policy, of which only the abstract could be read: a Normal-Gamma posterior, and the ratio of the draws.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.GaussianArms([0.2, 0.7], [0.1, 1]), rb.Sharpe())
    >>> rb.simulate(problem, [SRTS()], horizon=50, runs=2, seed=1, progress=False).labels
    ['SRTS']
    """

    shape: Positive = 0.5
    rate: Positive = 0.5

    def score(self, state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> float:
        """The ratio of a drawn mean and a drawn variance."""
        mean = drawn_mean(state, k, rng)
        return risk.value(mean, drawn_variance(state, k, self.shape, self.rate, rng))

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        moments.add(state, k, reward)

    def fade(self, state: State, k: int, run: Run, factor: float) -> None:
        moments.discount(state, k, factor)

    def first_pulls(self) -> int:
        return 1

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        """For other measures there is MVTS."""
        sentence = refuse_unless(self, risk, Sharpe)
        return sentence and f"{sentence} MVTS supports any measure of a Gaussian."
