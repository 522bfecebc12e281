"""Bounds for `BernoulliTS`: tails of x ~ Beta(a, b).

They are those of `BMVTS` far right of its parabola: with a large rho its value rises with x alone. Thresholds are
probabilities here, so that the borders are the thresholds themselves.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from riskbandits.bounds import regions
from riskbandits.bounds.bmvts_bounds import LEAST_DISTANCE, MARGIN, tail_mass
from riskbandits.compiling.jit import always_inline
from riskbandits.numerics.bernoulli_counts import PULLS, SUCCESSES
from riskbandits.numerics.tails import beta_proposal, log_beta_mass, probability
from riskbandits.numerics.variates import exponential

if TYPE_CHECKING:
    from riskbandits.types import Arms, Cells, RiskMeasure, Rng, State

FLOOR, LOWEST_SHARE, LOG_MASS = range(3)


class BernoulliTSBounds(NamedTuple):
    """For draws of `BernoulliTS`; the methods are those of `bounds.contract`."""

    successes_prior: float
    failures_prior: float

    def watch(self, state: State, k: int, risk: RiskMeasure, deviations: float, cells: Cells) -> tuple[float, float]:
        """The mass at a somewhat smaller estimate bounds it while the estimate stays above that: see `BMVTSBounds`."""
        a, b = self.posterior(state, k)
        n = a + b
        deviation = math.sqrt(a * b / (n * n * (n + 1.0)))
        return self.floor_at(a, b, a / n - MARGIN * deviation, deviations * deviation, cells, k)

    def lasting_region(
        self, state: State, k: int, risk: RiskMeasure, deviations: float, cells: Cells, arms: Arms
    ) -> tuple[float, float]:
        a, b = self.posterior(state, k)
        n = a + b
        lowest = regions.mean_level(a / n, n, arms, k, -1.0)
        if not lowest > 0.0:
            return -math.inf, 1.0
        deviation = math.sqrt(max(a * b / (n * n), lowest * (1.0 - lowest)) / (n + 1.0))
        return self.floor_at(a, b, lowest, deviations * deviation, cells, k)

    def floor_at(self, a: float, b: float, lowest: float, depth: float, cells: Cells, k: int) -> tuple[float, float]:
        """Floor and mass for an estimate that stays above `lowest`."""
        n = a + b
        floor = lowest - depth
        cells[k, FLOOR] = floor
        cells[k, LOWEST_SHARE] = lowest
        rest = (1.0 - lowest) * n
        if not floor > 0.0 or min(a, b) < 1.0 or depth * n < LEAST_DISTANCE or rest < 1.0:
            return floor, 1.0
        cells[k, LOG_MASS] = log_beta_mass(rest, lowest * n, floor)
        return floor, probability(cells[k, LOG_MASS])

    def steady(self, state: State, k: int, risk: RiskMeasure, cells: Cells) -> bool:
        a, b = self.posterior(state, k)
        return a >= cells[k, LOWEST_SHARE] * (a + b)

    def draw_dip(self, state: State, k: int, risk: RiskMeasure, cells: Cells, rng: Rng) -> float:
        a, b = self.posterior(state, k)
        floor = cells[k, FLOOR]
        if exponential(rng) < cells[k, LOG_MASS] - log_beta_mass(b, a, floor):
            return math.nan
        drawn = beta_proposal(rng, b, a, floor)
        return drawn if drawn < floor else math.nan  # NaN compares as false

    def tail(self, state: State, k: int, threshold: float, risk: RiskMeasure, cells: Cells) -> float:
        a, b = self.posterior(state, k)
        return tail_mass(a, b, 1.0 - threshold)

    def draw_above(self, state: State, k: int, threshold: float, risk: RiskMeasure, cells: Cells, rng: Rng) -> float:
        a, b = self.posterior(state, k)
        drawn = 1.0 - beta_proposal(rng, a, b, 1.0 - threshold)
        return drawn if drawn >= threshold else math.nan  # NaN compares as false

    @always_inline
    def posterior(self, state: State, k: int) -> tuple[float, float]:
        """The parameters of the Beta distribution."""
        successes = state[k, SUCCESSES]
        return self.successes_prior + successes, self.failures_prior + state[k, PULLS] - successes
