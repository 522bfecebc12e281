"""Bounds for `VTS`: tails of rho m - beta/y for y ~ Gamma(alpha, rate 1) and a known m."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from riskbandits.bounds import regions
from riskbandits.compiling.jit import always_inline
from riskbandits.numerics.moments import COUNT, MEAN
from riskbandits.numerics.posteriors import gamma_parameters
from riskbandits.numerics.tails import (
    gamma_low_proposal,
    gamma_proposal,
    log_gamma_low_mass,
    log_gamma_mass,
    low_gamma_share,
    probability,
)
from riskbandits.numerics.variates import exponential

if TYPE_CHECKING:
    from riskbandits.risk.mean_variance import MeanVariance
    from riskbandits.types import Arms, Cells, Rng, State

FLOOR, HIGHEST_SHARE, LOG_MASS = range(3)
MARGIN = 0.5  # how far, in their own deviations, m and the variance may move before the bound must be renewed


class VTSBounds(NamedTuple):
    """For scores rho m - 1/tau with the draws of `VTS`; the methods are those of `bounds.contract`."""

    shape: float
    rate: float

    def watch(self, state: State, k: int, risk: MeanVariance, deviations: float, cells: Cells) -> tuple[float, float]:
        """A value below the floor c means y < beta/(rho m - c).

        With that written as r alpha the envelope's mass falls in alpha for fixed r < 1 and rises in r. So it bounds all
        later ones while r is at most HIGHEST_SHARE.
        """
        alpha, beta = gamma_parameters(state, k, self.shape, self.rate)
        share = low_gamma_share(alpha, deviations)
        cells[k, FLOOR] = -math.inf
        if not share > 0.0 or not beta > 0.0:
            return cells[k, FLOOR], 1.0
        variance = beta / alpha
        root = math.sqrt(state[k, COUNT])
        highest = variance * (1.0 + MARGIN * math.sqrt(2.0) / root)
        lowest = state[k, MEAN] - MARGIN * math.sqrt(variance) / root
        return self.floor_at(alpha, risk.rho * lowest - highest / share, share, cells, k)

    def lasting_region(
        self, state: State, k: int, risk: MeanVariance, deviations: float, cells: Cells, arms: Arms
    ) -> tuple[float, float]:
        alpha, beta = gamma_parameters(state, k, self.shape, self.rate)
        share = low_gamma_share(alpha, deviations)
        cells[k, FLOOR] = -math.inf
        if not share > 0.0 or not beta > 0.0:
            return cells[k, FLOOR], 1.0
        lowest = regions.mean_level(state[k, MEAN], state[k, COUNT], arms, k, -1.0)
        highest = regions.variance_level(state[k, MEAN], state[k, COUNT], alpha, beta, arms, k)
        return self.floor_at(alpha, risk.rho * lowest - highest / share, share, cells, k)

    @always_inline
    def floor_at(self, alpha: float, floor: float, share: float, cells: Cells, k: int) -> tuple[float, float]:
        """A floor, and the mass below it for as long as r is at most `share`."""
        if not math.isfinite(floor):
            return cells[k, FLOOR], 1.0
        cells[k, FLOOR] = floor
        cells[k, HIGHEST_SHARE] = share
        cells[k, LOG_MASS] = log_gamma_low_mass(alpha, share * alpha)
        return cells[k, FLOOR], probability(cells[k, LOG_MASS])

    def steady(self, state: State, k: int, risk: MeanVariance, cells: Cells) -> bool:
        alpha, beta = gamma_parameters(state, k, self.shape, self.rate)
        return beta <= cells[k, HIGHEST_SHARE] * alpha * (risk.rho * state[k, MEAN] - cells[k, FLOOR])

    def draw_dip(self, state: State, k: int, risk: MeanVariance, cells: Cells, rng: Rng) -> float:
        alpha, beta = gamma_parameters(state, k, self.shape, self.rate)
        known = risk.rho * state[k, MEAN]
        y = beta / (known - cells[k, FLOOR])
        if exponential(rng) < cells[k, LOG_MASS] - log_gamma_low_mass(alpha, y):
            return math.nan
        return known - beta / gamma_low_proposal(rng, alpha, y)

    def tail(self, state: State, k: int, threshold: float, risk: MeanVariance, cells: Cells) -> float:
        alpha, beta = gamma_parameters(state, k, self.shape, self.rate)
        reach = risk.rho * state[k, MEAN] - threshold
        if not beta > 0.0:
            return 1.0
        return probability(log_gamma_mass(alpha, beta / reach)) if reach > 0.0 else 0.0

    def draw_above(self, state: State, k: int, threshold: float, risk: MeanVariance, cells: Cells, rng: Rng) -> float:
        alpha, beta = gamma_parameters(state, k, self.shape, self.rate)
        known = risk.rho * state[k, MEAN]
        return known - beta / gamma_proposal(rng, alpha, beta / (known - threshold))
