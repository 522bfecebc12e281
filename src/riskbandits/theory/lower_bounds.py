"""What no consistent policy can beat: Lai & Robbins's argument for the mean-variance."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from riskbandits.arms import GaussianArms
from riskbandits.core.checks import as_number
from riskbandits.core.errors import must_be
from riskbandits.numerics import divergences
from riskbandits.problem import Problem
from riskbandits.theory.bound import Bound, ratio, square
from riskbandits.theory.instance import Instance, gaussian, gaussian_or_bernoulli, variance_h

_gaussian = np.vectorize(divergences.gaussian_k_inf_from_gap, otypes=[float])
_bernoulli = np.vectorize(divergences.bernoulli_k_inf_from_roots, otypes=[float])


@np.errstate(over="ignore")
def lower_bound(problem: Problem, rho: Any = None, *, largest_variance: float = math.inf) -> Bound:
    """The least growth: E[T_i]/ln n >= 1/K_i, E[exact pseudo-regret]/ln n >= sum_i (Delta_i + Gamma_i^2)/K_i.

    Both in the limit n -> inf (liminf). It binds every policy that is consistent (E[T_i] = o(n^a) for every
    a > 0) on all problems with arms of this kind. K_i is the least divergence from arm i to an arm worth as much
    as the best: until arm i has been pulled ln n/K_i times, that arm cannot be distinguished from it. An arm tied with
    the best has no terms.

    With `largest_variance` only Gaussian arms up to that variance count. The bound is then smaller, as fewer arms can
    be mistaken for one another, and it binds more policies: those that are consistent only on that class. MTS and
    MVTS are designed for variances <= 1 (section 3 of the paper) and are not consistent beyond.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.GaussianArms([0, 2], [0.1, 1.0]), rb.MeanVariance(0.4))
    >>> lower_bound(problem).pulls.round(1).tolist()
    [0.0, 380.9]
    """
    largest = as_number(largest_variance)
    if largest is None or not largest > 0.0:
        raise must_be("largest_variance", "a number > 0", largest_variance)
    if largest == math.inf:
        it = gaussian_or_bernoulli("The lower bound", problem, rho)
        name, assumptions, k = "lower bound", {}, _k_inf(it)
    else:
        it = gaussian("The lower bound with a largest variance", problem, rho)
        name, assumptions, k = f"lower bound (s^2 <= {largest:g})", _in_class(it, largest), limited_k_inf(it, largest)
    pulls = np.where(it.gaps > 0.0, ratio(1.0, k), 0.0)
    return it.bound(name, pulls, it.exact_weight, assumptions)


@np.errstate(over="ignore")
def k_inf(problem: Problem, rho: Any = None) -> np.ndarray:
    """K_i per arm: the information about arm i that one pull gives; 0 for arms with Delta_i = 0."""
    it = gaussian_or_bernoulli("K", problem, rho)
    values = _k_inf(it)
    return values[0] if it.scalar else values


def _k_inf(it: Instance) -> np.ndarray:
    return gaussian_k_inf(it) if isinstance(it.problem.arms, GaussianArms) else bernoulli_k_inf(it)


def gaussian_k_inf(it: Instance) -> np.ndarray:
    """K_i = h(s_i^2/v*) + (mu_i - m*)^2/(2 v*), from the gaps: the same for rewards shifted by any constant."""
    return np.asarray(_gaussian(it.variances, variance_threshold(it), it.gaps, it.rho))


def limited_k_inf(it: Instance, largest: float) -> np.ndarray:
    """K_i when the other arm's variance is at most V: where v* > V the minimum is at v = V.

    Along rho m - v = MV_best the divergence falls until v*, where v^2/rho^2 + v = s_i^2 + (v0/rho)^2, and then
    rises; v0 = s_best^2 - rho Gamma_i as in `variance_threshold`.
    """
    v0 = variance_threshold(it)
    with np.errstate(divide="ignore", invalid="ignore"):
        beyond = np.where(
            it.rho > 1.0,
            largest - it.variances + square(largest / it.rho) - square(v0 / it.rho) < 0.0,
            square(it.rho) * (largest - it.variances) + (largest - v0) * (largest + v0) < 0.0,
        )
        move = np.where(it.rho > 0.0, np.maximum((largest - it.best_variance) / it.rho + it.mean_gaps, 0.0), 0.0)
    at_limit = variance_h(it.variances, largest) + 0.5 * square(move / math.sqrt(largest))
    return np.where(beyond & (it.gaps > 0.0), at_limit, gaussian_k_inf(it))


def bernoulli_k_inf(it: Instance) -> np.ndarray:
    """K_i = min{d(p_i, p_best), d(p_i, q) if 0 < q < 1}, q = 1 - rho - p_best."""
    best = it.problem.means[it.best][:, None]
    other = 1.0 - it.rho - best
    values = _bernoulli(it.problem.means, np.minimum(best, other), np.maximum(best, other))
    return np.where(it.gaps > 0.0, values, 0.0)


def variance_threshold(it: Instance) -> np.ndarray:
    """The variance with which arm i would be as good as the best: rho mu_i - MV_best = s_best^2 - rho Gamma_i."""
    return it.best_variance - it.rho * it.mean_gaps


def _in_class(it: Instance, largest: float) -> dict[str, tuple[str, np.ndarray]]:
    words = f"s_i^2 <= {largest:g} and s_best^2 <= {largest:g}"
    return {"variances_in_class": (words, (it.variances <= largest) & (it.best_variance <= largest))}
