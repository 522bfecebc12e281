"""Confidence bounds on the mean-variance of Bernoulli arms."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from riskbandits.core.records import NonNegative
from riskbandits.numerics import bernoulli_counts
from riskbandits.numerics.bernoulli_counts import PULLS, SUCCESSES
from riskbandits.policies.support.confidence import log_level
from riskbandits.policies.support.contract import (
    refuse_unless_binary,
    refuse_unless_mean_variance,
    reject_unless_binary,
)

if TYPE_CHECKING:
    from riskbandits.risk.mean_variance import MeanVariance
    from riskbandits.types import Arms, RiskMeasure, Rng, Run, State


class BernoulliLCB(NamedTuple):
    """An optimistic bound on the mean-variance of Bernoulli arms: the paper's baseline for `BMVTS`.

    Use it as the baseline, and state the preset: the comparison depends on the constants.

    Index: rho p - p (1 - p) + (offset + rho) sqrt(factor L / T'), where T' = T + smoothing,
    p = (successes + smoothing)/T', and L = ln t, or ln n if `use_horizon`. Without smoothing every arm
    is played once first.

    | preset | offset | factor | smoothing | L | source |
    |---|---|---|---|---|---|
    | `authors()` (default) | 2 | 6 | 1 | ln t | the scripts behind the figures of Zhu & Tan (2020) |
    | `sani()` | 5 | 1 | 0 | ln n | Sani et al. (2012), delta = 1/n^2; needs the horizon |
    | `tight()` | 1 | 2 | 0 | ln t | Hoeffding, since rho p - p (1 - p) changes at most 1 + rho times as fast as p |

    >>> import riskbandits as rb
    >>> problem = rb.problems.zhu_tan_bernoulli(rho=0.5)
    >>> rb.simulate(problem, [BernoulliLCB.tight()], horizon=50, runs=2, seed=1, progress=False).labels
    ['BernoulliLCB:tight']
    """

    offset: NonNegative = 2.0
    factor: NonNegative = 6.0
    smoothing: NonNegative = 1.0
    use_horizon: bool = False

    def score(self, state: State, k: int, run: Run, risk: MeanVariance, rng: Rng) -> float:
        """The mean-variance at the estimated probability and its bonus."""
        pulls = state[k, PULLS] + self.smoothing
        p = (state[k, SUCCESSES] + self.smoothing) / pulls
        log = log_level(run, self.use_horizon)
        bonus = (self.offset + risk.rho) * math.sqrt(self.factor * log / pulls)
        return risk.value(p, p * (1.0 - p)) + bonus

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        bernoulli_counts.add(state, k, reward)

    def fade(self, state: State, k: int, run: Run, factor: float) -> None:
        bernoulli_counts.discount(state, k, factor)

    def width(self) -> int:
        return bernoulli_counts.WIDTH

    def first_pulls(self) -> int:
        """Without smoothing an untried arm has no estimate."""
        return 0 if self.smoothing > 0.0 else 1

    def needs_horizon(self) -> bool:
        """Only for confidence levels set by the horizon."""
        return self.use_horizon

    def returns_to_all(self, risk: MeanVariance, arms: Arms) -> bool:
        """Its bonus grows with ln t beyond any gap; one with ln n does not grow."""
        return not self.use_horizon and self.factor > 0.0 and self.offset + risk.rho > 0.0

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        """The bonus depends on rho, and rewards must be 0 or 1."""
        return refuse_unless_mean_variance(self, risk) or refuse_unless_binary(self, arms)

    def rejects(self, reward: float) -> str | None:
        return reject_unless_binary(reward)

    # Acceleration. When the formula of a score changes, it must be shown again that no score falls while its arm is
    # not played; False is always right.

    def rises(self) -> bool:
        """The bonus of an arm that is not played grows with ln t."""
        return True

    @classmethod
    def authors(cls) -> BernoulliLCB:
        """As plotted by Zhu & Tan (2020)."""
        return cls()

    @classmethod
    def sani(cls) -> BernoulliLCB:
        """With the constants of Sani, Lazaric & Munos (2012)."""
        return cls(offset=5.0, factor=1.0, smoothing=0.0, use_horizon=True)

    @classmethod
    def tight(cls) -> BernoulliLCB:
        """With the smallest constant that Hoeffding's inequality supports."""
        return cls(offset=1.0, factor=2.0, smoothing=0.0)
