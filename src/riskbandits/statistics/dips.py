"""How seldom a leader falls below its floor: bounds that stay valid while the leader is played and learns.

The score of a leader is rho theta - v, where theta ~ N(m, 1/T) and v = beta/y with y ~ Gamma(alpha, rate 1).
It falls below c = rho a - s only if theta < a or v > s. Each of the two has an envelope whose mass
falls when T grows, when the sample mean m rises and when the estimate beta/alpha falls:

    theta < a:  phi(z)/z                          z = sqrt(T) (m - a)
    v > s:      f(y) y/(alpha - y)                y = beta/s; with y = r alpha it falls in alpha for fixed r < 1

So the masses at a somewhat lower mean and a somewhat higher variance bound those at all later times at which the
sample mean and variance are no worse than that: the leader is then *steady*. A clock set by such a mass rings a
little too often; `dip` makes good for it by thinning with the masses of the moment.
"""

from __future__ import annotations

import math
from typing import Any

from riskbandits.compiled import function
from riskbandits.statistics.tails import (
    gamma_low_proposal,
    log_gamma_low_mass,
    log_normal_mass,
    low_gamma_share,
    normal_proposal,
    probability,
)
from riskbandits.statistics.variates import exponential, gamma

FLOOR, LOWEST_MEAN, HIGHEST_SHARE, MEAN_BORDER, VARIANCE_BORDER, LOG_MEAN_MASS, LOG_VARIANCE_MASS = range(7)
MARGIN = 0.5  # how far, in their own deviations, sample mean and variance may move before the bound must be renewed


@function
def watch(m: float, count: float, alpha: float, beta: float, rho: float, z: float, cells: Any, k: int) -> float:
    """Choose a floor about z deviations down and bound the probability of a score below it. Fills row k of `cells`."""
    share = low_gamma_share(alpha, z)
    cells[k, FLOOR] = -math.inf
    if not share > 0.0 or not beta > 0.0:
        return 1.0
    variance = beta / alpha
    root = math.sqrt(count)
    cells[k, LOWEST_MEAN] = m - MARGIN * math.sqrt(variance) / root
    cells[k, MEAN_BORDER] = cells[k, LOWEST_MEAN] - z / root
    cells[k, VARIANCE_BORDER] = variance * (1.0 + MARGIN * math.sqrt(2.0) / root) / share
    cells[k, HIGHEST_SHARE] = share
    cells[k, FLOOR] = rho * cells[k, MEAN_BORDER] - cells[k, VARIANCE_BORDER]
    cells[k, LOG_MEAN_MASS] = log_normal_mass(z)
    cells[k, LOG_VARIANCE_MASS] = log_gamma_low_mass(alpha, share * alpha)
    return min(1.0, probability(cells[k, LOG_MEAN_MASS]) + probability(cells[k, LOG_VARIANCE_MASS]))


@function
def steady(m: float, alpha: float, beta: float, cells: Any, k: int) -> bool:
    """Whether the bounds in row k of `cells` still hold."""
    return m >= cells[k, LOWEST_MEAN] and beta <= cells[k, HIGHEST_SHARE] * cells[k, VARIANCE_BORDER] * alpha


@function
def dip(m: float, count: float, alpha: float, beta: float, rho: float, cells: Any, k: int, rng: Any) -> float:
    """One thinned draw of a score below the floor, or NaN, at a step at which the clock of mass `watch` rings."""
    by_mean = probability(cells[k, LOG_MEAN_MASS])
    border = cells[k, MEAN_BORDER]
    root = math.sqrt(count)
    if rng.random() * (by_mean + probability(cells[k, LOG_VARIANCE_MASS])) < by_mean:
        z = root * (m - border)
        if exponential(rng) < cells[k, LOG_MEAN_MASS] - log_normal_mass(z):
            return math.nan
        theta = m - normal_proposal(rng, z) / root
        variance = beta / gamma(rng, alpha)
    else:
        y = beta / cells[k, VARIANCE_BORDER]
        if exponential(rng) < cells[k, LOG_VARIANCE_MASS] - log_gamma_low_mass(alpha, y):
            return math.nan
        theta = m + rng.standard_normal() / root
        if theta < border:  # counted among the low means already
            return math.nan
        variance = beta / gamma_low_proposal(rng, alpha, y)
    score = rho * theta - variance
    return score if score < cells[k, FLOOR] else math.nan
