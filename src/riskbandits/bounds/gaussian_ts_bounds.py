"""Bounds for `GaussianTS`: tails of theta ~ N(m, deviation^2/T)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from riskbandits.bounds import mts_bounds, regions
from riskbandits.numerics.moments import COUNT, MEAN
from riskbandits.numerics.tails import normal_above, normal_tail

if TYPE_CHECKING:
    from riskbandits.types import Arms, Cells, RiskMeasure, Rng, State


class GaussianTSBounds(NamedTuple):
    """For draws of `GaussianTS`; the methods are those of `bounds.contract`."""

    deviation: float

    def watch(self, state: State, k: int, risk: RiskMeasure, deviations: float, cells: Cells) -> tuple[float, float]:
        """The bound holds while the mean is above LOWEST_CENTRE: the deviation only falls with T."""
        spread = self.deviation / math.sqrt(state[k, COUNT])
        return mts_bounds.floor_and_mass(state[k, MEAN] - mts_bounds.MARGIN * spread, spread, deviations, cells, k)

    def lasting_region(
        self, state: State, k: int, risk: RiskMeasure, deviations: float, cells: Cells, arms: Arms
    ) -> tuple[float, float]:
        lowest = regions.mean_level(state[k, MEAN], state[k, COUNT], arms, k, -1.0)
        return mts_bounds.floor_and_mass(lowest, self.deviation / math.sqrt(state[k, COUNT]), deviations, cells, k)

    def steady(self, state: State, k: int, risk: RiskMeasure, cells: Cells) -> bool:
        return state[k, MEAN] >= cells[k, mts_bounds.LOWEST_CENTRE]

    def draw_dip(self, state: State, k: int, risk: RiskMeasure, cells: Cells, rng: Rng) -> float:
        return mts_bounds.low_draw(state[k, MEAN], self.deviation / math.sqrt(state[k, COUNT]), cells, k, rng)

    def tail(self, state: State, k: int, threshold: float, risk: RiskMeasure, cells: Cells) -> float:
        return normal_tail((threshold - state[k, MEAN]) * math.sqrt(state[k, COUNT]) / self.deviation)

    def draw_above(self, state: State, k: int, threshold: float, risk: RiskMeasure, cells: Cells, rng: Rng) -> float:
        spread = self.deviation / math.sqrt(state[k, COUNT])
        return state[k, MEAN] + spread * normal_above(rng, (threshold - state[k, MEAN]) / spread)
