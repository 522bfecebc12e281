"""Remark 3's limits of MVTS's regret as rho goes to its extremes, and Lemma 1's additive constant."""

from __future__ import annotations

from typing import Any

import numpy as np

from riskbandits.core.checks import array
from riskbandits.core.errors import must_be
from riskbandits.problem import Problem
from riskbandits.theory.bound import Bound, plain, product, ratio, square
from riskbandits.theory.instance import gaussian, gaussian_or_bernoulli, variance_h


@np.errstate(over="ignore")
def remark_3_large_rho(problem: Problem) -> Bound:
    """sum_i 2/Gamma_i, a bound on the regret over rho ln n as rho -> inf (Remark 3, first display).

    The best arm is then that with the largest mean (the smaller variance among equals), whatever the
    problem's own rho. `per_arm` is divided by rho, as in the paper; `pulls` is not.
    """
    gaussian("Remark 3", problem)
    means, variances = problem.means, problem.variances
    best = int(np.lexsort((variances, -means))[0])
    gap = means[best] - means
    pulls = ratio(2.0, square(gap))
    return _limit("Remark 3, rho -> inf", best, np.inf, pulls, ratio(2.0, gap))


@np.errstate(over="ignore")
def remark_3_small_rho(problem: Problem) -> Bound:
    """sum_i (s_i^2 - s_best^2 + 2 Gamma_i,max^2)/h(s_i^2/s_best^2), the limit rho -> 0 (Remark 3, second display).

    The best arm is then that with the smallest variance (the larger mean among equals).
    """
    it = gaussian("Remark 3", problem)
    means, variances = problem.means, problem.variances
    best = int(np.lexsort((-means, variances))[0])
    weight = variances - variances[best] + 2.0 * it.widest_mean_gap_squared[0]
    pulls = ratio(1.0, variance_h(variances, variances[best]))
    return _limit("Remark 3, rho -> 0", best, 0.0, pulls, product(pulls, weight))


def lemma_1(problem: Problem, pseudo_regret: Any = 0.0) -> Any:
    """E[R_n] <= E[pseudo-regret as printed] + 3 sum_i s_i^2 (Lemma 1, equation (8)): the right-hand side.

    >>> import riskbandits as rb
    >>> lemma_1(rb.Problem(rb.GaussianArms([0, 1], [0.5, 1.0]), rb.MeanVariance(1.0)))
    4.5
    """
    it = gaussian_or_bernoulli("Lemma 1", problem)
    what = "a finite number, or an array of them"
    regret = array("The pseudo-regret", what, pseudo_regret, axes=tuple(range(33)))
    if not np.isfinite(regret).all():
        raise must_be("The pseudo-regret", what, pseudo_regret)
    return plain(regret + 3.0 * float(it.problem.variances.sum()))


def _limit(name: str, best: int, rho: float, pulls: np.ndarray, per_arm: np.ndarray) -> Bound:
    others = np.arange(len(pulls)) != best
    return Bound(name, np.where(others, per_arm, 0.0), np.where(others, pulls, 0.0), {}, {}, rho)
