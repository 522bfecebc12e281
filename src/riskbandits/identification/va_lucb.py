"""VA-LUCB: the arm with the best mean among those whose variance is small enough (Hou, Tan & Zhong 2022)."""

from __future__ import annotations

from typing import Any, NamedTuple

from riskbandits.core.records import Finite
from riskbandits.identification.contract import Decision
from riskbandits.identification.lucb import Goal, play_rounds
from riskbandits.policies.support.contract import refuse_outside, refuse_unless
from riskbandits.risk import VarianceConstrained


class VALUCB(NamedTuple):
    """Sample until the best mean among the arms of small enough variance is clear; rewards are bounded.

    Use it when the variance is a constraint rather than a price, and the answer must be right with a given probability
    for any distribution of rewards between `low` and `high`. If no arm meets the constraint, it finds that out and
    names none.

    Every arm is pulled twice. In round t, with T the pulls of an arm, m its sample mean, v its unbiased sample variance
    and r = sqrt(ln(2 K t^4/delta)/(2 T)), delta = 1 - confidence: an arm is infeasible once v - r > limit, and feasible
    while v + r <= limit. Pull the arm with the largest m that is not infeasible; among the others pull the one with the
    largest m + r too, if that reaches m - r of the first. Stop when some arm is feasible and no other arm that is not
    infeasible has an m + r that reaches the m - r of the best feasible arm, or when all are infeasible. Radii are those
    of rewards in [0, 1], multiplied by the range for a mean and by its square for a variance.

    Reference: Hou, Tan & Zhong, Almost Optimal Variance-Constrained Best Arm Identification, IEEE Transactions on
    Information Theory, 2023 (arXiv 2201.10142); constants as in the authors' program.

    >>> import riskbandits as rb
    >>> arms = rb.BernoulliArms([0.5, 0.9, 0.05])  # variances 0.25, 0.09 and 0.0475
    >>> problem = rb.Problem(arms, rb.VarianceConstrained(limit=0.17))
    >>> rb.identify(problem, VALUCB(), confidence=0.9, runs=5, seed=1, progress=False).chosen
    array([1, 1, 1, 1, 1])
    """

    low: Finite = 0.0
    high: Finite = 1.0

    def choose(self, samples: object, risk: Any, budget: int, confidence: float | None) -> Decision:
        assert confidence is not None
        width = self.high - self.low
        goal = Goal(1.0, 0.0, width, width * width, float(risk.limit), 0.0)
        return play_rounds(samples, goal, budget, confidence)

    def fixed_confidence(self) -> bool:
        return True

    def refuses(self, risk: Any, arms: Any) -> str | None:
        """The best mean under a limit on the variance, of rewards with known bounds."""
        return refuse_unless(self, risk, VarianceConstrained) or refuse_outside(self, arms, self.low, self.high)

    def invalid(self) -> tuple[str, str, object] | None:
        """The bounds must leave room between them."""
        if self.low < self.high:
            return None
        return ("The 'high' parameter of VALUCB", f"above its 'low' parameter ({self.low:g})", self.high)
