"""What no consistent policy can beat: Lai & Robbins's argument for the mean-variance."""

from __future__ import annotations

from typing import Any

import numpy as np

from riskbandits.arms import GaussianArms
from riskbandits.problem import Problem
from riskbandits.statistics import divergences
from riskbandits.theory.bound import Bound, ratio
from riskbandits.theory.instance import Instance, gaussian_or_bernoulli

_gaussian = np.vectorize(divergences.gaussian_k_inf_from_gap, otypes=[float])
_bernoulli = np.vectorize(divergences.bernoulli_k_inf_from_roots, otypes=[float])


def lower_bound(problem: Problem, rho: Any = None) -> Bound:
    """The least growth: E[T_i]/ln n >= 1/K_i, E[exact pseudo-regret]/ln n >= sum_i (Delta_i + Gamma_i^2)/K_i.

    Both in the limit n -> inf (liminf). It binds every policy that is consistent (E[T_i] = o(n^a) for every
    a > 0) on all problems with arms of this kind. K_i is the least divergence from arm i to an arm worth as much
    as the best: until arm i has been pulled ln n/K_i times, that arm cannot be told from it. An arm tied with the
    best has no terms.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.GaussianArms([0, 2], [0.1, 1.0]), rb.MeanVariance(0.4))
    >>> lower_bound(problem).pulls.round(1).tolist()
    [0.0, 380.9]
    """
    it = gaussian_or_bernoulli("The lower bound", problem, rho)
    pulls = np.where(it.gaps > 0.0, ratio(1.0, _k_inf(it)), 0.0)
    return it.bound("lower bound", pulls, it.exact_weight, {})


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


def bernoulli_k_inf(it: Instance) -> np.ndarray:
    """K_i = min{d(p_i, p_best), d(p_i, q) if 0 < q < 1}, q = 1 - rho - p_best."""
    best = it.problem.means[it.best][:, None]
    other = 1.0 - it.rho - best
    values = _bernoulli(it.problem.means, np.minimum(best, other), np.maximum(best, other))
    return np.where(it.gaps > 0.0, values, 0.0)


def variance_threshold(it: Instance) -> np.ndarray:
    """The variance with which arm i would be as good as the best: rho mu_i - MV_best = s_best^2 - rho Gamma_i."""
    return it.best_variance - it.rho * it.mean_gaps
