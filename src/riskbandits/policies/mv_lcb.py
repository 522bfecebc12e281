"""Confidence bounds on the mean-variance: MV-LCB (Sani et al. 2012) and MV-UCB (Vakili & Zhao 2016)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from riskbandits.core.records import NonNegative, Switch
from riskbandits.numerics import moments
from riskbandits.numerics.moments import COUNT, MEAN
from riskbandits.policies.support.confidence import log_level
from riskbandits.policies.support.contract import refuse_unless_mean_variance

if TYPE_CHECKING:
    from riskbandits.risk.mean_variance import MeanVariance
    from riskbandits.types import Arms, RiskMeasure, Rng, Run, State


class MVLCB(NamedTuple):
    """An optimistic bound on the mean-variance: deterministic, the paper's baseline for Gaussian arms.

    Use it as the baseline, and state the preset: the comparison depends on the constants.

    Index: rho m - v + (offset + rho) sqrt(factor L / T), where L = ln t, or ln n if `use_horizon`.
    Every arm is played once first; twice with `unbiased`, which divides sums of squared deviations by T - 1.

    | preset | offset | factor | L | source |
    |---|---|---|---|---|
    | `authors()` (default) | 2 | 3/2 | ln t | the scripts behind the figures of Zhu & Tan (2020) |
    | `sani()` | 5 | 1 | ln n | Sani et al. (2012), delta = 1/n^2; needs the horizon |
    | `vakili(a=0.5)` | 2 | 3/a | ln t | Vakili & Zhao (2016); a = 2 is `authors()` |

    Reference: Sani, Lazaric & Munos, Risk-Aversion in Multi-armed Bandits, NeurIPS 2012; Vakili & Zhao, Risk-Averse
    Multi-Armed Bandit Problems Under Mean-Variance Measure, 2016.

    >>> import riskbandits as rb
    >>> problem = rb.problems.zhu_tan_gaussian(rho=1)
    >>> rb.simulate(problem, [MVLCB.sani()], horizon=50, runs=2, seed=1, progress=False).labels
    ['MVLCB:sani']
    """

    offset: NonNegative = 2.0
    factor: NonNegative = 1.5
    use_horizon: bool = False
    unbiased: Switch = False

    def score(self, state: State, k: int, run: Run, risk: MeanVariance, rng: Rng) -> float:
        """The sample mean-variance and its bonus."""
        log = log_level(run, self.use_horizon)
        bonus = (self.offset + risk.rho) * math.sqrt(self.factor * log / state[k, COUNT])
        variance = moments.variance(state, k)
        if self.unbiased:
            variance *= moments.unbiased(state, k)
        return risk.value(state[k, MEAN], variance) + bonus

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        moments.add(state, k, reward)

    def fade(self, state: State, k: int, run: Run, factor: float) -> None:
        moments.discount(state, k, factor)

    def first_pulls(self) -> int:
        return 2 if self.unbiased else 1

    def needs_horizon(self) -> bool:
        """Only for confidence levels set by the horizon."""
        return self.use_horizon

    def returns_to_all(self, risk: MeanVariance, arms: Arms) -> bool:
        """Its bonus grows with ln t beyond any gap; one with ln n does not grow."""
        return not self.use_horizon and self.factor > 0.0 and self.offset + risk.rho > 0.0

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        """The bonus depends on rho."""
        return refuse_unless_mean_variance(self, risk)

    # Acceleration. When the formula of a score changes, it must be shown again that no score falls while its arm is
    # not played; False is always right.

    def rises(self) -> bool:
        """The bonus of an arm that is not played grows with ln t."""
        return True

    @classmethod
    def authors(cls) -> MVLCB:
        """As plotted by Zhu & Tan (2020)."""
        return cls()

    @classmethod
    def sani(cls) -> MVLCB:
        """Sani, Lazaric & Munos (2012)."""
        return cls(offset=5.0, factor=1.0, use_horizon=True)

    @classmethod
    def vakili(cls, a: float = 0.5) -> MVLCB:
        """Vakili & Zhao (2016), with their constant a."""
        return cls(offset=2.0, factor=3.0 / a)
