"""Successive rejects for any risk measure (CVaR-SR)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.core.errors import must_be
from riskbandits.identification.contract import Decision
from riskbandits.risk.contract import sample_value

if TYPE_CHECKING:
    from riskbandits.types import RiskMeasure


class SuccessiveRejects(NamedTuple):
    """Spend a budget in K - 1 phases and drop the arm with the worst sample value after each.

    Use it when the number of trials is fixed beforehand. With `CVaR` it is the CVaR-SR of Kolla et al. (2019), with
    `Mean` the successive rejects of Audibert, Bubeck & Munos (2010); the measure is the problem's.

    Phase k = 1 .. K-1 ends when each surviving arm has n_k = ceil((n - K)/(L (K + 1 - k))) pulls, where
    L = 1/2 + 1/2 + 1/3 + ... + 1/K and n is the budget (more than K).

    Reference: Kolla, Prashanth, Bhat & Jagannathan, Concentration Bounds for Empirical Conditional Value-at-Risk: The
    Unbounded Case, 2019; for the mean Audibert, Bubeck & Munos, Best Arm Identification in Multi-Armed Bandits, 2010.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.GaussianArms(means=[0, 1, 0], variances=[1, 1, 1]), rb.CVaR(level=0.2))
    >>> rb.identify(problem, SuccessiveRejects(), budget=600, runs=20, seed=1, progress=False).errors
    0
    """

    def choose(self, samples: Any, risk: RiskMeasure, budget: int, confidence: float | None) -> Decision:
        alive = list(range(samples.size))
        for pulls in phases(samples.size, budget):
            reject(alive, [value_of_sample(risk, samples.first(k, pulls)) for k in alive])
        return Decision(alive[0])


def reject(alive: list[int], values: list[float]) -> None:
    """Drop the arm with the worst value; among equals the last one: the lowest index survives, as everywhere."""
    del alive[max(range(len(alive)), key=lambda place: (-values[place], place))]


def phases(arms: int, budget: int) -> list[int]:
    """n_1, .., n_(K-1): the pulls of each surviving arm at the end of each phase."""
    if arms > 1 and budget <= arms:
        raise must_be("The budget of successive rejects", f"more than the number of arms ({arms})", budget)
    logs = 0.5 + math.fsum(1.0 / i for i in range(2, arms + 1))
    return [math.ceil((budget - arms) / (logs * (arms + 1 - k))) for k in range(1, arms)]


def value_of_sample(risk: RiskMeasure, rewards: np.ndarray) -> float:
    """The value of rewards that all weigh the same."""
    return float(sample_value(risk, np.sort(rewards), np.ones(len(rewards))))
