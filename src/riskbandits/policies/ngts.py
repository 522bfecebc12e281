"""Thompson sampling from the Normal-Gamma posterior."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from riskbandits.records import Finite, NonNegative
from riskbandits.statistics import moments
from riskbandits.statistics.moments import COUNT, MEAN, SQUARES
from riskbandits.statistics.variates import gamma


class NGTS(NamedTuple):
    """Thompson sampling from the true posterior of a Gaussian arm: the variance just drawn sets the spread of the mean.

    Use it for Gaussian-like rewards in place of `MVTS`: the mean of a calm arm is drawn from a narrow
    distribution instead of one with variance 1/T, so less is spent on exploring what is already known. Its draws
    concentrate at the rate of the lower bound (`riskbandits.theory.lower_bound`).

    Each step, for each arm: tau ~ Gamma(shape + T/2, rate + S/2), then theta ~ N(m, 1/(T tau)); play the largest
    value of (theta, 1/tau), that is rho theta - 1/tau, or in any other measure the value of N(theta, 1/tau).
    `plays_first` pulls of every arm come first.

    | preset | shape | rate | plays_first | source |
    |---|---|---|---|---|
    | `paper()` (default) | 1/2 | 1/2 | 1 | the prior of Zhu & Tan (2020) |
    | `honda_takemura()` | -1 | 0 | 4 | Honda & Takemura (2014), a = -1/2; free of the rewards' scale |

    `shape` may be negative as long as shape + plays_first/2 > 0; `rate` is >= 0 and has the unit of a squared reward.

    >>> import riskbandits as rb
    >>> problem = rb.problems.zhu_tan_gaussian(rho=1)
    >>> rb.simulate(problem, [NGTS.honda_takemura()], horizon=90, runs=2, seed=1, progress=False).labels
    ['NGTS:honda_takemura']
    """

    shape: Finite = 0.5
    rate: NonNegative = 0.5
    plays_first: int = 1

    def score(self, state: Any, k: int, run: Any, risk: Any, rng: Any) -> float:
        """The value of a drawn variance and of a mean drawn given that variance."""
        count = state[k, COUNT]
        variance = (self.rate + 0.5 * state[k, SQUARES]) / gamma(rng, self.shape + 0.5 * count)
        mean = state[k, MEAN] + rng.standard_normal() * math.sqrt(variance / count)
        return risk.value(mean, variance)

    def learn(self, state: Any, k: int, run: Any, reward: float) -> None:
        """Update the moments."""
        moments.add(state, k, reward)

    def first_pulls(self) -> int:
        """As many as the prior needs for the posterior to exist."""
        return self.plays_first

    def invalid(self) -> tuple[str, str, object] | None:
        """The posterior must exist after the first pulls."""
        if self.plays_first >= 1 and self.shape + 0.5 * self.plays_first > 0.0:
            return None
        wanted = "given plays_first >= 1 and shape + plays_first/2 > 0"
        return ("NGTS", wanted, f"plays_first={self.plays_first}, shape={self.shape}")

    @classmethod
    def paper(cls) -> NGTS:
        """With the prior of Zhu & Tan (2020)."""
        return cls()

    @classmethod
    def honda_takemura(cls) -> NGTS:
        """With the prior that Honda & Takemura (2014) show to be optimal when the variance is unknown."""
        return cls(shape=-1.0, rate=0.0, plays_first=4)
