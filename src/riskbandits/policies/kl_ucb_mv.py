"""KL-UCB for the mean-variance."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from riskbandits.arms.continuous import has_continuous_rewards
from riskbandits.core.records import NonNegative
from riskbandits.numerics import moments
from riskbandits.numerics.confidence import bernoulli_value_bound, gaussian_value_bound
from riskbandits.numerics.moments import COUNT, MEAN
from riskbandits.policies.cells import LOG_STEP
from riskbandits.policies.support.contract import (
    refuse_unless_binary,
    refuse_unless_mean_variance,
    reject_unless_binary,
)

if TYPE_CHECKING:
    from riskbandits.risk.mean_variance import MeanVariance
    from riskbandits.types import Arms, RiskMeasure, Rng, Run, State


class KLUCBMV(NamedTuple):
    """An upper confidence bound on the value, based on the Kullback-Leibler divergence; deterministic.

    Use it when decisions must be deterministic and you also want an upper bound per arm. It explores more than
    `IMEDMV` at moderate horizons. `KLUCBMV.bernoulli()` is the form for rewards 0 and 1.

    Index: the largest c with T K(m, v; c) <= max(0, ln t + weight ln ln t), K as in `IMEDMV`. Three pulls of every
    arm come first (one for Bernoulli arms). `weight` (>= 0) is 3 in the proofs of KL-UCB.

    >>> import riskbandits as rb
    >>> problem = rb.problems.zhu_tan_gaussian(rho=1)
    >>> rb.simulate(problem, [KLUCBMV()], horizon=90, runs=2, seed=1, progress=False).pulls("KLUCBMV").min()
    np.int64(3)
    """

    weight: NonNegative = 3.0
    binary: bool = False

    def score(self, state: State, k: int, run: Run, risk: MeanVariance, rng: Rng) -> float:
        """The upper bound of the value, minus any charge beyond mean and variance."""
        level = run[LOG_STEP]
        if level > 0.0:
            level = max(0.0, level + self.weight * math.log(level))
        divergence = level / state[k, COUNT]
        mean, variance = state[k, MEAN], moments.variance(state, k)
        charge = risk.rho * mean - variance - risk.value(mean, variance)
        if self.binary:
            return bernoulli_value_bound(mean, risk.rho, divergence) - charge
        return gaussian_value_bound(mean, variance, risk.rho, divergence) - charge

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        moments.add(state, k, reward)

    def fade(self, state: State, k: int, run: Run, factor: float) -> None:
        moments.discount(state, k, factor)

    def first_pulls(self) -> int:
        """Enough for a divergence."""
        return 1 if self.binary else 3

    def returns_to_all(self, risk: RiskMeasure, arms: Arms) -> bool:
        """Unless the rewards of an arm are all equal so far: it takes such an arm for one without variance."""
        return self.binary or has_continuous_rewards(arms)

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        """K depends on rho; the Bernoulli form needs 0/1 rewards."""
        refusal = refuse_unless_mean_variance(self, risk)
        return refusal or (refuse_unless_binary(self, arms) if self.binary else None)

    def rejects(self, reward: float) -> str | None:
        return reject_unless_binary(reward) if self.binary else None

    # Acceleration. When the formula of a score changes, it must be shown again that no score falls while its arm is
    # not played; False is always right.

    def rises(self) -> bool:
        """The confidence level grows with t."""
        return True

    @classmethod
    def bernoulli(cls) -> KLUCBMV:
        """For rewards that are 0 or 1."""
        return cls(binary=True)
