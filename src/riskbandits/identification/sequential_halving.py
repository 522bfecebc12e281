"""Sequential halving for any risk measure (SHSR, SHVV)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.core.errors import must_be
from riskbandits.identification.contract import Decision
from riskbandits.identification.successive_rejects import value_of_sample

if TYPE_CHECKING:
    from riskbandits.types import RiskMeasure


class SequentialHalving(NamedTuple):
    """Spend a budget in about log2 K rounds of equal cost and drop the worse half of the arms after each.

    Use it instead of `SuccessiveRejects` when there are many arms: it compares them log2 K times instead of K - 1. With
    `Sharpe.squared()` it is SHSR; with `LargestVariance` it is SHVV, as far as the abstract of its paper tells.

    Round r = 0 .. R-1, R = ceil(log2 K): every surviving arm gets floor(n/(ceil(K/2^r) R)) fresh pulls, its value is
    estimated from these alone, and the better half of the arms, rounded up, survives. n is the budget, at least K R.

    References: Karnin, Koren & Somekh, Almost Optimal Exploration in Multi-Armed Bandits, ICML 2013, for the form; SHSR
    is that of Khurshid, Abdulla & Ghatak, 2024 (arXiv 2406.06552; github.com/sabrina-201/ucb_rssr), SHVV that of
    Khurshid, Ghatak & Abdulla, Variance-Optimal Arm Selection, 2025 (arXiv 2505.11985).

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.GaussianArms(means=[0, 0, 0], variances=[1, 4, 1]), rb.LargestVariance())
    >>> rb.identify(problem, SequentialHalving(), budget=600, runs=20, seed=1, progress=False).errors
    0
    """

    def choose(self, samples: Any, risk: RiskMeasure, budget: int, confidence: float | None) -> Decision:
        alive = list(range(samples.size))
        seen = 0
        for pulls in rounds(samples.size, budget):
            values = {k: value_of_sample(risk, samples.first(k, seen + pulls)[seen:]) for k in alive}
            seen += pulls
            # Among equals the lowest index survives, as everywhere.
            alive = sorted(alive, key=lambda k: (-values[k], k))[: math.ceil(len(alive) / 2)]
        return Decision(alive[0])


def rounds(arms: int, budget: int) -> list[int]:
    """The pulls of each surviving arm in each round."""
    number = math.ceil(math.log2(arms)) if arms > 1 else 0
    if budget < arms * number:
        raise must_be("The budget of sequential halving", f"at least {arms * number} for {arms} arms", budget)
    return [budget // (math.ceil(arms / 2**r) * number) for r in range(number)]
