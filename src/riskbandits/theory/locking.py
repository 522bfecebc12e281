"""How often a policy can settle on a wrong arm for good: a bound on the share of such runs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from riskbandits.arms import GaussianArms
from riskbandits.problem import Problem
from riskbandits.risk import MeanVariance

NEVER_DRAWN = {"MTS": "variance", "VTS": "mean"}  # what each takes from its sample, right or wrong
PULLS = 100_000  # later terms of the sums are nothing where the sums are less than 1


def lock_share(policy: str, problem: Problem) -> float:
    """At most which share of runs "MTS" or "VTS" can lose for good, on Gaussian arms; 1 where nothing better is known.

    VTS never draws a mean. It can leave the best arm for good only if after some number T of pulls the sample mean m is
    so low that less than half of the arm's variance s^2 is left for the drawn one: rho (mu - m) > s^2/2. MTS never
    draws a variance, and is in danger only if the sample variance v is so high that one standard deviation of the drawn
    mean, 1/sqrt(T), does not make up for it: v - s^2 > rho/sqrt(T). The sum of these probabilities over T bounds the
    share.

    >>> import riskbandits as rb
    >>> [lock_share("VTS", rb.problems.zhu_tan_gaussian(rho)) for rho in (0.001, 1)]
    [0.0, 1.0]
    """
    if policy not in NEVER_DRAWN or type(problem.arms) is not GaussianArms or type(problem.risk) is not MeanVariance:
        return 1.0
    variance, rho = float(problem.variances[problem.best_arm]), float(problem.risk.rho)
    pulls = np.arange(2.0, PULLS + 1.0)
    return min(1.0, float(_low_mean(pulls, variance, rho) if policy == "VTS" else _high_variance(pulls, variance, rho)))


def _low_mean(pulls: np.ndarray, variance: float, rho: float) -> Any:
    from scipy.special import ndtr

    if rho == 0.0:
        return 0.0
    deviations = 0.5 * math.sqrt(variance) / rho
    return ndtr(-deviations) + ndtr(-deviations * np.sqrt(pulls)).sum()


def _high_variance(pulls: np.ndarray, variance: float, rho: float) -> Any:
    """After one pull the sample variance is 0."""
    from scipy.special import chdtrc

    return chdtrc(pulls - 1.0, pulls + np.sqrt(pulls) * rho / variance).sum() if variance > 0.0 else 0.0
