"""What MVTS itself can reach: its draws concentrate at a rate of their own, not at K."""

from __future__ import annotations

from typing import Any

import numpy as np

from riskbandits.numerics import divergences
from riskbandits.problem import Problem
from riskbandits.theory.bound import Bound, ratio, square
from riskbandits.theory.instance import Instance, gaussian

# Halvings of an interval inside [0, 1]: beyond the last bit of a double.
HALVINGS = 64

_log_excess = np.vectorize(divergences.log_excess, otypes=[float])


@np.errstate(over="ignore")
def mvts_rate(problem: Problem, rho: Any = None) -> Bound:
    """E[T_i]/ln n -> 1/K_i for MVTS, with K_i = min over {rho th - v >= MV_best} of (th - mu_i)^2/2 + h(s_i^2/v).

    A large-deviation heuristic, no theorem: after T pulls the drawn mean deviates at the rate (th - mu)^2/2
    and the drawn variance at h(s^2/v), and arm i is drawn above the best arm with probability about
    exp(-T K_i). Regret terms are (Delta_i + Gamma_i^2)/K_i, as in the lower bound.

    It counts the pulls that arm i wins by its own draws. If the best arm's variance is above 1, MVTS also comes back
    to the best arm too rarely, and regret grows like a power of n: then this rate does not apply.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.GaussianArms([0, 2], [0.1, 1.0]), rb.MeanVariance(0.4))
    >>> mvts_rate(problem).pulls.round(1).tolist()
    [0.0, 384.2]
    """
    it = gaussian("The rate of MVTS", problem, rho)
    pulls = np.where(it.gaps > 0.0, ratio(1.0, mvts_exponent(it)), 0.0)
    comes_back = np.broadcast_to(it.best_variance <= 1.0, it.gaps.shape)
    words = "s_best^2 <= 1 (with more, MVTS comes back to the best arm too rarely)"
    return it.bound("MVTS rate", pulls, it.exact_weight, {"best_variance_at_most_1": (words, comes_back)})


def mvts_exponent(it: Instance) -> np.ndarray:
    """K_i of MVTS. With the variance v = s^2 - t Delta and the mean moved by x = (1 - t) Delta/rho, the least
    cost is where 2 v^2 (1 - t) = rho^2 t; the left side falls in t, the right side rises.
    """
    rho, gap, variance = np.broadcast_arrays(it.rho, it.gaps, it.variances)
    gap = np.where(gap > 0.0, gap, 1.0)  # arms with no gap are set to 0 below
    low, high = np.zeros(gap.shape), np.minimum(1.0, variance / gap)
    for _ in range(HALVINGS):
        share = 0.5 * (low + high)
        # Roots of both sides, as neither rho nor a variance need be of a size that can be squared.
        below = np.sqrt(2.0 * (1.0 - share)) * (variance - share * gap) > rho * np.sqrt(share)
        low, high = np.where(below, share, low), np.where(below, high, share)
    remaining = variance - low * gap
    # x = (1 - t) Delta/rho = rho t Delta/(2 v^2): each form where it does not divide by little.
    with np.errstate(divide="ignore", invalid="ignore"):
        by_mean = (1.0 - low) * (gap / rho)
        by_variance = 0.5 * (rho / remaining) * (low * gap / remaining)
        move = np.where(rho > np.sqrt(2.0) * remaining, by_mean, by_variance)
        excess = np.where(low * gap > 0.0, low * gap / remaining, 0.0)
    exponent = 0.5 * square(move) + 0.5 * np.asarray(_log_excess(excess))
    return np.where(it.gaps > 0.0, exponent, 0.0)
