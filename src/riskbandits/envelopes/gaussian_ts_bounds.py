"""Bounds for `GaussianTS`: tails of theta ~ N(m, deviation^2/T)."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from riskbandits.envelopes import mts_bounds, regions
from riskbandits.numerics.moments import COUNT, MEAN
from riskbandits.numerics.tails import normal_above, normal_tail


class GaussianTSBounds(NamedTuple):
    """For draws of `GaussianTS`; the methods are those of `envelopes.contract`."""

    deviation: float

    def watch(self, state: Any, k: int, risk: Any, deviations: float, cells: Any) -> tuple[float, float]:
        """The bound holds while the mean is above LOWEST_CENTRE: the deviation only falls with T."""
        spread = self.deviation / math.sqrt(state[k, COUNT])
        return mts_bounds.watch(state[k, MEAN] - mts_bounds.MARGIN * spread, spread, deviations, cells, k)

    def region(
        self, state: Any, k: int, risk: Any, deviations: float, cells: Any, arms: Any, run: Any, until: float
    ) -> tuple[float, float]:
        lowest = regions.mean_level(state[k, MEAN], state[k, COUNT], arms, k, -1.0)
        return mts_bounds.watch(lowest, self.deviation / math.sqrt(state[k, COUNT]), deviations, cells, k)

    def steady(self, state: Any, k: int, risk: Any, cells: Any) -> bool:
        return state[k, MEAN] >= cells[k, mts_bounds.LOWEST_CENTRE]

    def draw_dip(self, state: Any, k: int, risk: Any, cells: Any, rng: Any) -> float:
        return mts_bounds.dip(state[k, MEAN], self.deviation / math.sqrt(state[k, COUNT]), cells, k, rng)

    def tail(self, state: Any, k: int, threshold: float, risk: Any, cells: Any) -> float:
        return normal_tail((threshold - state[k, MEAN]) * math.sqrt(state[k, COUNT]) / self.deviation)

    def draw_above(self, state: Any, k: int, threshold: float, risk: Any, cells: Any, rng: Any) -> float:
        spread = self.deviation / math.sqrt(state[k, COUNT])
        return state[k, MEAN] + spread * normal_above(rng, (threshold - state[k, MEAN]) / spread)
