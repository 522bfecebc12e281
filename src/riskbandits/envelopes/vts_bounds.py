"""Bounds for `VTS`: tails of rho m - beta/y for y ~ Gamma(alpha, rate 1) and a known m."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from riskbandits.compiled import function
from riskbandits.statistics.moments import COUNT, MEAN
from riskbandits.statistics.posteriors import gamma_parameters
from riskbandits.statistics.tails import (
    gamma_low_proposal,
    gamma_proposal,
    log_gamma_low_mass,
    log_gamma_mass,
    low_gamma_share,
    probability,
)
from riskbandits.statistics.variates import exponential

FLOOR, HIGHEST_SHARE, LOG_MASS = range(3)
MARGIN = 0.5  # how far, in their own deviations, m and the variance may move before the bound must be renewed


class VTSBounds(NamedTuple):
    """For scores rho m - 1/tau with the draws of `VTS`; its methods are those of `envelopes.contract`."""

    shape: float
    rate: float

    def watch(self, state: Any, k: int, risk: Any, deviations: float, cells: Any) -> tuple[float, float]:
        """A floor below which the arm's score seldom falls, and a bound on how often."""
        alpha, beta = gamma_parameters(state, k, self.shape, self.rate)
        bound = watch(state[k, MEAN], state[k, COUNT], alpha, beta, risk.rho, deviations, cells, k)
        return cells[k, FLOOR], bound

    def steady(self, state: Any, k: int, risk: Any, cells: Any) -> bool:
        """Whether that bound holds after what was learnt since."""
        alpha, beta = gamma_parameters(state, k, self.shape, self.rate)
        return beta <= cells[k, HIGHEST_SHARE] * alpha * (risk.rho * state[k, MEAN] - cells[k, FLOOR])

    def draw_dip(self, state: Any, k: int, risk: Any, cells: Any, rng: Any) -> float:
        """A score below the floor, or NaN."""
        alpha, beta = gamma_parameters(state, k, self.shape, self.rate)
        return dip(state[k, MEAN], alpha, beta, risk.rho, cells, k, rng)

    def tail(self, state: Any, k: int, threshold: float, risk: Any, cells: Any) -> float:
        """A bound on the probability that the arm's score reaches the threshold."""
        alpha, beta = gamma_parameters(state, k, self.shape, self.rate)
        return mass(risk.rho * state[k, MEAN] - threshold, alpha, beta)

    def draw_above(self, state: Any, k: int, threshold: float, risk: Any, cells: Any, rng: Any) -> float:
        """A score that reaches the threshold, or NaN."""
        alpha, beta = gamma_parameters(state, k, self.shape, self.rate)
        known = risk.rho * state[k, MEAN]
        return known - beta / gamma_proposal(rng, alpha, beta / (known - threshold))


@function
def mass(reach: float, alpha: float, beta: float) -> float:
    """A bound on the probability that beta/y <= reach."""
    if not beta > 0.0:
        return 1.0
    return probability(log_gamma_mass(alpha, beta / reach)) if reach > 0.0 else 0.0


@function
def watch(m: float, count: float, alpha: float, beta: float, rho: float, z: float, cells: Any, k: int) -> float:
    """Choose a floor about z deviations down and bound the probability of a value below it. Fills row k of `cells`.

    A value below the floor c means y < beta/(rho m - c); with that written as r alpha the envelope's mass falls in
    alpha for fixed r < 1 and rises in r. So it bounds all later ones while r is at most HIGHEST_SHARE.
    """
    share = low_gamma_share(alpha, z)
    cells[k, FLOOR] = -math.inf
    if not share > 0.0 or not beta > 0.0:
        return 1.0
    variance = beta / alpha
    root = math.sqrt(count)
    highest = variance * (1.0 + MARGIN * math.sqrt(2.0) / root)
    cells[k, FLOOR] = rho * (m - MARGIN * math.sqrt(variance) / root) - highest / share
    cells[k, HIGHEST_SHARE] = share
    cells[k, LOG_MASS] = log_gamma_low_mass(alpha, share * alpha)
    return probability(cells[k, LOG_MASS])


@function
def dip(m: float, alpha: float, beta: float, rho: float, cells: Any, k: int, rng: Any) -> float:
    """One thinned draw of a value below the floor, or NaN, at a step at which the clock of mass `watch` rings."""
    y = beta / (rho * m - cells[k, FLOOR])
    if exponential(rng) < cells[k, LOG_MASS] - log_gamma_low_mass(alpha, y):
        return math.nan
    return rho * m - beta / gamma_low_proposal(rng, alpha, y)
