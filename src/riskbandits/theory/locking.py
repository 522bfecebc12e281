"""How often a policy can settle on a wrong arm for good: a bound on the share of such runs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from riskbandits.arms import GaussianArms
from riskbandits.core.errors import unknown_name
from riskbandits.problem import Problem, check_problem
from riskbandits.risk import MeanVariance

NEVER_DRAWN = {"MTS": "variance", "VTS": "mean"}  # what each takes from its sample, right or wrong
PULLS = 100_000  # later terms of the sums are nothing where the sums are less than 1


def lock_share(policy: str, problem: Problem) -> float:
    """At most which share of runs "MTS" or "VTS" can lose for good, on Gaussian arms; 1 where nothing better is known.

    VTS never draws a mean. As long as the best arm's sample mean m after T pulls is above mu - s^2/rho, a variance
    drawn near 0 has it played again sooner or later, so a run is lost for good only if rho (mu - m) > s^2 for some T.
    Half of that, rho (mu - m) > s^2/2, leaves a margin for finite runs, in which "sooner or later" may be too late. The
    sum of these probabilities over T bounds the share.

    MTS never draws a variance, but its drawn means are unbounded, so that no run is lost for ever. A finite run counts
    as in danger if the sample variance v is so high that one standard deviation of the drawn mean, 1/sqrt(T), does
    not make up for it: v - s^2 > rho/sqrt(T), again summed over T. Both margins are conventions, not theorems: how long
    a run takes to recover depends on the horizon, and nothing is proved about that.

    >>> import riskbandits as rb
    >>> [lock_share("VTS", rb.problems.zhu_tan_gaussian(rho)) for rho in (0.001, 1)]
    [0.0, 1.0]
    """
    if not isinstance(policy, str) or policy not in NEVER_DRAWN:
        raise unknown_name("policy that locks called", policy, NEVER_DRAWN)
    if type(check_problem(problem).arms) is not GaussianArms or type(problem.risk) is not MeanVariance:
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
