"""Bounds for `SwitchingAware`, around those of the policy inside it."""

from __future__ import annotations

from typing import Any, NamedTuple


class SwitchingAwareBounds(NamedTuple):
    """The policy's own bounds, which do not count the charge: it only takes away, so they hold whatever it becomes."""

    inner: Any

    def watch(self, state: Any, k: int, risk: Any, deviations: float, cells: Any) -> tuple[float, float]:
        """The policy's own floor. How seldom a score falls below it changes with the charge: a leader is drawn."""
        floor, _ = self.inner.watch(state, k, risk, deviations, cells)
        return floor, 1.0

    def tail(self, state: Any, k: int, threshold: float, risk: Any, cells: Any) -> float:
        return self.inner.tail(state, k, threshold, risk, cells)

    def draw_above(self, state: Any, k: int, threshold: float, risk: Any, cells: Any, rng: Any) -> float:
        return self.inner.draw_above(state, k, threshold, risk, cells, rng)
