"""Successive rejects with truncated means: a fixed budget under heavy tails (after Yu, Shao, Lyu & King 2018)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.core.records import Positive
from riskbandits.identification.contract import Decision
from riskbandits.identification.successive_rejects import phases, reject
from riskbandits.identification.truncated_elimination import Order, truncated_mean
from riskbandits.policies.support.contract import refuse_unless
from riskbandits.risk import Mean

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure


class MomentRejects(NamedTuple):
    """`SuccessiveRejects` for the best mean under heavy tails of which one moment is bounded.

    Use it with a fixed budget when a bound B on E|X|^p is known for every arm: `moment_order` is p in (1, 2],
    `moment_bound` is B > 0, as in `TruncatedElimination`, where an example from returns shows how to set them. Without
    such knowledge use `TruncatedRejects`.

    Phases are those of `SuccessiveRejects`. In the mean of an arm the i-th reward counts as 0 if |x| >
    (B i/ln n)^(1/p), n the budget: the mean of T rewards is then off by more than 4 B^(1/p) (ln n/T)^((p-1)/p) with
    probability at most 2/n.

    Reference: after Yu, Shao, Lyu & King, Pure Exploration of Multi-Armed Bandits with Heavy-Tailed Payoffs, UAI 2018,
    of which only the abstract could be read: thresholds are those of Bubeck, Cesa-Bianchi & Lugosi, Bandits with Heavy
    Tail, 2013, with 1/n for the probability, which is ours.

    >>> import riskbandits as rb
    >>> arms = rb.StudentTArms(locations=[0, 1.5, 0], scales=[1, 1, 1], freedoms=[2.5, 2.5, 2.5])
    >>> rule = MomentRejects(moment_bound=7.25)
    >>> rb.identify(rb.Problem(arms, rb.Mean()), rule, budget=600, runs=20, seed=1, progress=False).errors
    0
    """

    moment_order: Order = 2.0
    moment_bound: Positive = 1.0

    def choose(self, samples: Any, risk: RiskMeasure, budget: int, confidence: float | None) -> Decision:
        alive = list(range(samples.size))
        for pulls in phases(samples.size, budget):
            fresh = [samples.first(k, pulls) for k in alive]
            reject(alive, [truncated_mean(x, self.moment_order, self.moment_bound, math.log(budget)) for x in fresh])
        return Decision(alive[0])

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        """Truncation is defined for the mean."""
        return refuse_unless(self, risk, Mean)
