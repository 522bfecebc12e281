"""Successive rejects with truncated rewards: mean, CVaR and their sum under heavy tails (Kagrecha et al. 2020)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np

from riskbandits.core.records import Limits, Positive
from riskbandits.identification.contract import Decision
from riskbandits.identification.successive_rejects import phases, reject, value_of_sample
from riskbandits.risk import CVaR, Mean, MeanCVaR

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure


class TruncatedRejects(NamedTuple):
    """`SuccessiveRejects` with estimates that are robust to extreme rewards, for `Mean`, `CVaR` and `MeanCVaR`.

    Use it to identify the best arm with a fixed budget when nothing is known about the tails: the threshold
    b = scale T^growth at which rewards are truncated grows with the number of pulls T, so the estimates are consistent
    for every distribution with a moment of order above 1. A small `growth` gives more protection and more bias. With
    light tails `SuccessiveRejects` is at least as good.

    Phases are those of `SuccessiveRejects` (the authors' round down). In the mean, rewards with |x| > b count as 0; in
    the CVaR, rewards are clipped to [-b, b]; `MeanCVaR` combines the two. `growth` is in [0, 1]; at 0 the threshold is
    `scale` > 0 throughout, for users who know a moment. The default 1/2 is ours.

    Reference: Kagrecha, Nair & Jagannathan, Statistically Robust, Risk-Averse Best Arm Identification in Multi-Armed
    Bandits, 2020 (arXiv 2008.13629), after Distribution Oblivious, Risk-Aware Algorithms for Multi-Armed Bandits with
    Unbounded Rewards, NeurIPS 2019, whose published scripts (github.com/akagrecha/Neurips-2019-simulations) have both
    estimates, with `scale` 1.

    >>> import riskbandits as rb
    >>> arms = rb.StudentTArms(locations=[0, 1, 0], scales=[1, 1, 1], freedoms=[2.5, 2.5, 2.5])
    >>> rb.identify(
    ...     rb.Problem(arms, rb.MeanCVaR(level=0.2)), TruncatedRejects(), budget=1500, runs=20, seed=1, progress=False
    ... ).errors
    0
    """

    growth: Annotated[float, Limits(low=0.0, high=1.0)] = 0.5
    scale: Positive = 1.0

    def choose(self, samples: Any, risk: Any, budget: int, confidence: float | None) -> Decision:
        alive = list(range(samples.size))
        for pulls in phases(samples.size, budget):
            border = self.scale * float(pulls) ** self.growth
            reject(alive, [truncated_value(risk, samples.first(k, pulls), border) for k in alive])
        return Decision(alive[0])

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        """Truncation is defined for the mean and for CVaR."""
        if isinstance(risk, (Mean, CVaR, MeanCVaR)):
            return None
        return f"TruncatedRejects is defined for Mean, CVaR and MeanCVaR only. Got {type(risk).__name__} instead."


def truncated_value(risk: Any, rewards: np.ndarray, border: float) -> float:
    """The value of rewards, with those beyond the threshold set to 0 in the mean and clipped in the CVaR."""
    if isinstance(risk, Mean):
        return float(np.where(np.abs(rewards) > border, 0.0, rewards).mean())
    if isinstance(risk, CVaR):
        return value_of_sample(risk, np.clip(rewards, -border, border))
    mean, tail = truncated_value(Mean(), rewards, border), truncated_value(CVaR(risk.level), rewards, border)
    return float(risk.mean_weight * mean + risk.tail_weight * tail)
