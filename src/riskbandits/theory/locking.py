"""How often a policy can settle on a wrong arm for good: a bound on the share of such runs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from riskbandits import arms
from riskbandits.core.errors import unknown_name
from riskbandits.problem import Problem, check_problem
from riskbandits.risk import MeanVariance

NEVER_DRAWN = {"MTS": "variance", "VTS": "mean"}  # what each takes from its sample, right or wrong
COMMITS = ("ExpExp",)  # for good, to whatever looks best after its exploration
PULLS = 100_000  # later terms of the sums are nothing where the sums are less than 1


def lock_share(policy: str, problem: Problem) -> float:
    """At most which share of runs "MTS" or "VTS" can lose for good, on Gaussian arms; 1 where nothing better is known.

    *VTS, proved.* It never draws a mean. Let arm 1 be the best one, m its sample mean after T pulls, and suppose that
    rho (mu - m) < s^2 after every number of pulls T that it ever has. Then it is played infinitely often, with
    probability 1. For otherwise m stays what it is from some step on, with rho m > rho mu - s^2 = MV_1. A drawn
    precision is unbounded, so that the index rho m - 1/tau exceeds MV_1 with the same positive probability in every
    step. The index of an arm that is played infinitely often goes to its own value, which is below MV_1; that of an
    arm that is not stays below MV_1 with a positive probability that does not change either. So arm 1 is the choice
    with a probability that is bounded away from 0 given the past, and is played again (Levy's form of the second
    Borel-Cantelli lemma). Then all that is known of it becomes right, and the share of wrong pulls goes to 0. Hence a
    run is lost for good only if rho (mu - m) >= s^2 for some T. Rewards of an arm are independent whenever they are
    met, so the share of such runs is at most the sum over T of P(rho (mu - m) >= s^2) = Phi(-s sqrt(T)/rho).

    *VTS, assumed.* "Sooner or later" may be too late in a run that ends. The value returned is the sum for half the
    distance, rho (mu - m) > s^2/2: that all runs which look lost at the horizon are among these is an assumption, made
    to be on the safe side, not a theorem. Near ties break it: on N(0.2, 0.5) and N(0, 0.6) at rho = 0 one run in 800
    is on the wrong arm after 4000 steps, as with MVTS, and the sum is 0. Intervals therefore use it only as
    long as no run is seen to be lost (`inference.rare`).

    *MTS.* It never draws a variance, but its drawn means are unbounded, so that by the same argument no run is lost for
    good. In a finite run it is assumed to be in danger only if the sample variance v is so high that one standard
    deviation of the drawn mean, 1/sqrt(T), does not make up for it: v - s^2 > rho/sqrt(T), again summed over T.

    >>> import riskbandits as rb
    >>> [lock_share("VTS", rb.problems.zhu_tan_gaussian(rho)) for rho in (0.001, 1)]
    [0.0, 1.0]
    """
    if not isinstance(policy, str) or policy not in NEVER_DRAWN:
        raise unknown_name("policy that locks called", policy, NEVER_DRAWN)
    if type(check_problem(problem).arms) is not arms.GaussianArms or type(problem.risk) is not MeanVariance:
        return 1.0
    variance, rho = float(problem.variances[problem.best_arm]), float(problem.risk.rho)
    pulls = np.arange(2.0, PULLS + 1.0)
    return min(1.0, float(_low_mean(pulls, variance, rho) if policy == "VTS" else _high_variance(pulls, variance, rho)))


def known_share(policy: Mapping[str, Any], problem: Problem) -> float:
    """At most which share of a policy's runs can settle on a wrong arm for good: 0 unless it is known to do so.

    The policy is plain data (`core.records.canonical`), and may be wrapped in another one: what the inner one never
    draws, the outer one does not either. NPTS without an anchor gives no arm more than the best of its rewards.

    >>> import riskbandits as rb
    >>> from riskbandits.core.records import canonical
    >>> problem = rb.problems.zhu_tan_gaussian(1)
    >>> [known_share(canonical(one), problem) for one in (rb.MVTS(), rb.SwitchingAware(rb.VTS()), rb.ExpExp())]
    [0.0, 1.0, 1.0]
    """
    name, fields = policy.get("class"), policy.get("fields") or {}
    if isinstance(name, str) and name in NEVER_DRAWN:
        return lock_share(name, problem)
    if name in COMMITS or (name == "NPTS" and not fields.get("use_anchor", True)):
        return 1.0
    return max((known_share(one, problem) for one in fields.values() if isinstance(one, Mapping)), default=0.0)


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
