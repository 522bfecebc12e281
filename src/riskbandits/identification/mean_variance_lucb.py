"""LUCB for the mean-variance of bounded rewards."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from riskbandits.core.records import Finite, NonNegative
from riskbandits.identification.contract import Decision
from riskbandits.identification.lucb import Goal, play_rounds
from riskbandits.policies.support.contract import refuse_outside, refuse_unless_mean_variance


class MeanVarianceLUCB(NamedTuple):
    """Sample until the best mean-variance is clear, for rewards between two known bounds.

    Use it to identify the best arm with a given probability of being right, when all that is known about the rewards is
    that they lie between `low` and `high`; `MeanVarianceElimination` needs far fewer rewards if they are Gaussian.
    `within` >= 0 also accepts an arm whose value is at most that much below the best one's.

    In round t, with T the pulls of an arm, R = high - low and delta = 1 - confidence, the error of its value rho m - v
    (sample mean and unbiased sample variance) is at most (rho R + R^2) sqrt(ln(2 K t^4/delta)/(2 T)). Every arm is
    pulled twice first; then, round by round, the one with the best value and the one with the highest upper bound among
    the others, until no upper bound reaches the lower bound of the best.

    Reference: ours, from the rounds of LUCB (Kalyanakrishnan, Tewari, Auer & Stone, PAC Subset Selection in Stochastic
    Multi-armed Bandits, ICML 2012) and the bounds of VA-LUCB (Hou, Tan & Zhong, arXiv 2201.10142).

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.BernoulliArms([0.5, 0.95]), rb.MeanVariance(rho=1))
    >>> rb.identify(problem, MeanVarianceLUCB(), confidence=0.9, runs=5, seed=1, progress=False).errors
    0
    """

    within: NonNegative = 0.0
    low: Finite = 0.0
    high: Finite = 1.0

    def choose(self, samples: object, risk: Any, budget: int, confidence: float | None) -> Decision:
        assert confidence is not None
        width, rho = self.high - self.low, float(risk.rho)
        goal = Goal(rho, 1.0, abs(rho) * width + width * width, width * width, math.inf, self.within)
        return play_rounds(samples, goal, budget, confidence)

    def fixed_confidence(self) -> bool:
        return True

    def refuses(self, risk: Any, arms: Any) -> str | None:
        """Bounds on mean and variance bound the mean-variance, of rewards with known bounds."""
        return refuse_unless_mean_variance(self, risk) or refuse_outside(self, arms, self.low, self.high)

    def invalid(self) -> tuple[str, str, object] | None:
        """The bounds must leave room between them."""
        if self.low < self.high:
            return None
        return ("The 'high' parameter of MeanVarianceLUCB", f"above its 'low' parameter ({self.low:g})", self.high)
