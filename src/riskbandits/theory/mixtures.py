"""Whether playing a single arm is best, or a mixture of arms: at every step an arm drawn with fixed probabilities.

A mixture's rewards have the mixture of the arms' distributions. A measure that never rises above the larger of two
values when two distributions are mixed (a *quasi-convex* one) is best served by a single arm; for others a mixture may
be worth more than every arm, and regret against the best arm is not regret against the best policy. Tatli, Mukherjee,
Prashanth, Shanmugam & Tajer (Risk-sensitive Bandits: Arm Mixture Optimality and Regret-efficient Algorithms, AISTATS
2025, arXiv 2503.08896) show that there are such measures among the distortion risk measures.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.arms.contract import distribution_of, refuse_drift
from riskbandits.core.checks import listed
from riskbandits.core.errors import must_be
from riskbandits.core.records import checked
from riskbandits.problem import Problem, check_problem
from riskbandits.risk import (
    CVaR,
    Entropic,
    Expectile,
    LargestVariance,
    Mean,
    MeanCVaR,
    MeanSemideviation,
    MeanVariance,
    Semivariance,
    Sharpe,
    ValueAtRisk,
    Variance,
)
from riskbandits.risk.contract import RISK_METHODS, is_of_moments

if TYPE_CHECKING:
    from riskbandits.types import RiskMeasure

PARTS = 64  # shares of a pair of arms that are tried, before the best is refined
HALVINGS = 40

# Why one arm is always best, per measure. With P the distribution of a reward:
SINGLE = {
    Mean: "it is linear in P",
    Semivariance: "it is linear in P",
    Entropic: "it is a rising function of E exp(-l X), which is linear in P",
    ValueAtRisk: "a quantile of a mixture lies between those of its parts",
    CVaR: "it is the largest of functions that are linear in P, so convex in P",
    MeanCVaR: "it is the sum of a linear and a convex function of P",
    Expectile: "it is the root of an equation that is linear in P: that of a mixture lies between those of its parts",
    MeanVariance: "the variance is concave in P: mixing adds the spread of the means to it",
    Variance: "the variance is concave in P, and it is to be small",
}


class Mixture(NamedTuple):
    """Probabilities with which arms are played, the value of such rewards, and how far it exceeds the best arm's."""

    weights: np.ndarray
    value: float
    gain: float


def single_arm_is_best(risk: RiskMeasure) -> tuple[bool | None, str]:
    """Whether one arm is best whatever the arms are, and why; None where that is not known.

    >>> import riskbandits as rb
    >>> single_arm_is_best(rb.CVaR(0.05))
    (True, 'it is the largest of functions that are linear in P, so convex in P')
    >>> single_arm_is_best(rb.LargestVariance())[0], single_arm_is_best(rb.Sharpe())[0]
    (False, False)
    """
    risk = checked(risk, "risk measure", RISK_METHODS)
    if isinstance(risk, LargestVariance):
        return False, "the variance is concave in P: two calm arms with distant means make a wild mixture"
    if isinstance(risk, Sharpe):
        if risk.squares_mean:
            return (
                True,
                "a value of at most c says that (1 + c rho) mu^2 - c (L + rho E X^2), convex in P, is at most 0",
            )
        return (
            False,
            "one arm is best where some mean is >= 0; if all are below, mixing adds variance, which divides a loss",
        )
    if isinstance(risk, MeanSemideviation) and risk.weight > 0.0:
        return False, "an arm with rare losses and one with rare gains that is worth as much make a better mixture"
    if isinstance(risk, MeanSemideviation):
        return True, SINGLE[Mean]
    reason = SINGLE.get(type(risk))
    return (None, "nothing is known of this measure") if reason is None else (True, reason)


def mixture_value(problem: Problem, weights: Sequence[float] | np.ndarray) -> float:
    """The value of rewards that come from arm k with probability weights[k].

    For measures of mean and variance it is exact, for others as good as `sample_value` on a grid of quantiles.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.GaussianArms([0, 2], [1, 1]), rb.LargestVariance())
    >>> mixture_value(problem, [0.5, 0.5])
    2.0
    """
    return _value(check_problem(problem), _checked(problem, weights), _samples(problem))


def best_mixture(problem: Problem) -> Mixture:
    """The best mixture of at most two arms.

    Two are enough wherever the value of a mixture depends on its first two moments and rises or falls with the second,
    as it does for all measures of mean and variance here.

    >>> import riskbandits as rb
    >>> found = best_mixture(rb.Problem(rb.GaussianArms([0, 2], [1, 1.5]), rb.LargestVariance()))
    >>> found.weights.round(3).tolist(), round(found.gain, 3)
    ([0.438, 0.562], 0.766)
    """
    refuse_drift(check_problem(problem).arms, "The best mixture")
    corners = np.eye(problem.size)
    if single_arm_is_best(problem.risk)[0] or (isinstance(problem.risk, Sharpe) and problem.means.max() >= 0.0):
        return Mixture(corners[problem.best_arm], float(problem.values[problem.best_arm]), 0.0)
    samples = _samples(problem)
    alone = [_value(problem, corner, samples) for corner in corners]
    best = int(np.argmax(alone))
    weights, value = corners[best], alone[best]
    for i, j in combinations(range(problem.size), 2):

        def of(share: float, i: int = i, j: int = j) -> float:
            return _value(problem, share * corners[i] + (1.0 - share) * corners[j], samples)

        share = _highest(of)
        if (found := of(share)) > value:
            weights, value = share * corners[i] + (1.0 - share) * corners[j], found
    return Mixture(weights, value, value - alone[best])


def _checked(problem: Problem, weights: Any) -> np.ndarray:
    refuse_drift(problem.arms, "The value of a mixture")
    wanted = f"{problem.size} numbers >= 0, one per arm, that add up to 1"
    given = listed("The weights of a mixture", wanted, weights)
    try:
        found = np.array(given, dtype=float)
    except (TypeError, ValueError):
        raise must_be("The weights of a mixture", wanted, weights) from None
    if found.shape != (problem.size,) or not (found >= 0.0).all() or abs(found.sum() - 1.0) > 1e-9:
        raise must_be("The weights of a mixture", wanted, weights)
    return found


def _samples(problem: Problem) -> list[tuple[np.ndarray, np.ndarray]]:
    """Per arm a weighted sample that stands for its distribution; none where mean and variance are enough."""
    if is_of_moments(problem.risk):
        return []
    pairs = [distribution_of(problem.arms, k).sample() for k in range(problem.size)]
    return [(np.asarray(values, dtype=float), np.asarray(mass, dtype=float) / np.sum(mass)) for values, mass in pairs]


def _value(problem: Problem, weights: np.ndarray, samples: list[tuple[np.ndarray, np.ndarray]]) -> float:
    if not samples:
        mean = float(weights @ problem.means)
        return float(problem.risk.value(mean, float(weights @ (problem.variances + (problem.means - mean) ** 2))))
    chosen = np.flatnonzero(weights)
    values = np.concatenate([samples[k][0] for k in chosen])
    masses = np.concatenate([weights[k] * samples[k][1] for k in chosen])
    order = np.argsort(values, kind="stable")
    return float(problem.risk.sample_value(values[order], masses[order]))


def _highest(of: Any) -> float:
    """Where a function on [0, 1] is largest: a grid, then ever smaller steps around its best point."""
    share = max(np.linspace(0.0, 1.0, PARTS + 1), key=of)
    step = 1.0 / PARTS
    for _ in range(HALVINGS):
        step *= 0.5
        share = max((share, max(0.0, share - step), min(1.0, share + step)), key=of)
    return float(share)
