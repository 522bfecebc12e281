"""Indexed minimum empirical divergence for the mean-variance (after Honda & Takemura's IMED)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from riskbandits.arms.continuous import has_continuous_rewards
from riskbandits.numerics import moments
from riskbandits.numerics.divergences import bernoulli_k_inf, gaussian_k_inf
from riskbandits.numerics.moments import COUNT, MEAN
from riskbandits.policies.cells import SCRATCH
from riskbandits.policies.support.contract import (
    refuse_unless_binary,
    refuse_unless_mean_variance,
    reject_unless_binary,
)

if TYPE_CHECKING:
    from riskbandits.risk.mean_variance import MeanVariance
    from riskbandits.types import Arms, RiskMeasure, Rng, Run, State

BEST_VALUE = SCRATCH  # a cell of the run
# Values that differ by less, relative to their size, are equal: the last bits of a sum depend on the machine, and must
# not decide between two arms that are both best. Values that share a large offset (means of 1e12) may differ by less
# and still be far apart: what counts is how they compare with the spread of the rewards.
ROUNDING = 1e-12
SPREAD = 1e-6


class IMEDMV(NamedTuple):
    """Minimum empirical divergence: the arm most plausibly as good as the apparent best. No tuning, no randomness.

    Use it when decisions must be deterministic and the model fits: Gaussian, or `IMEDMV.bernoulli()` for 0/1 rewards.

    Play the smallest index (T - 1) K(m, v; c) + ln T, with c the largest sample value and K the smallest divergence
    from the sample's Gaussian to one with value c; for Bernoulli arms T K(p; c) + ln T. Three pulls of every arm come
    first (one for Bernoulli arms).

    >>> import riskbandits as rb
    >>> problem = rb.problems.zhu_tan_gaussian(rho=1)
    >>> rb.simulate(problem, [IMEDMV()], horizon=90, runs=2, seed=1, progress=False).pulls("IMEDMV").min()
    np.int64(3)
    """

    binary: bool = False

    def prepare(self, state: State, run: Run, risk: RiskMeasure, rng: Rng) -> None:
        """The largest sample value."""
        best = -math.inf
        for k in range(state.shape[0]):
            best = max(best, moments.sample_value(state, k, risk))
        run[BEST_VALUE] = best

    def score(self, state: State, k: int, run: Run, risk: MeanVariance, rng: Rng) -> float:
        """The negative of the index. A risk measure with an extra charge raises the target by that amount."""
        pulls = state[k, COUNT]
        mean, variance = state[k, MEAN], moments.variance(state, k)
        own, best = risk.value(mean, variance), run[BEST_VALUE]
        gap = best - own
        if gap <= ROUNDING * (abs(best) + abs(own)) and gap <= SPREAD * (risk.rho * math.sqrt(variance) + variance):
            return -math.log(pulls)
        target = risk.rho * mean - variance + gap
        if self.binary:
            evidence = pulls * bernoulli_k_inf(mean, target, risk.rho)
        else:
            evidence = (pulls - 1.0) * gaussian_k_inf(mean, variance, target, risk.rho)
        return -(evidence + math.log(pulls))

    def learn(self, state: State, k: int, run: Run, reward: float) -> None:
        """Update the moments; the sample variance of zeros and ones is p (1 - p)."""
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

    @classmethod
    def bernoulli(cls) -> IMEDMV:
        """For rewards that are 0 or 1."""
        return cls(binary=True)
