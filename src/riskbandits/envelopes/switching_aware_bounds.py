"""Bounds for `SwitchingAware`, around those of the policy inside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from riskbandits.types import Cells, RiskMeasure, Rng, State


class SwitchingAwareBounds(NamedTuple):
    """The policy's own bounds, which do not count the charge: it only takes away, so they hold whatever it becomes."""

    inner: Any

    def watch(self, state: State, k: int, risk: RiskMeasure, deviations: float, cells: Cells) -> tuple[float, float]:
        """The policy's own floor. How seldom a score falls below it changes with the charge: a leader is drawn."""
        floor, _ = self.inner.watch(state, k, risk, deviations, cells)
        return floor, 1.0

    def tail(self, state: State, k: int, threshold: float, risk: RiskMeasure, cells: Cells) -> float:
        return self.inner.tail(state, k, threshold, risk, cells)

    def draw_above(self, state: State, k: int, threshold: float, risk: RiskMeasure, cells: Cells, rng: Rng) -> float:
        return self.inner.draw_above(state, k, threshold, risk, cells, rng)
