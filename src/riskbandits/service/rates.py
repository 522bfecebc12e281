"""The rate limit of a key: a token bucket."""

from __future__ import annotations

import time

from riskbandits.service.errors import Refusal

PER_SECOND = 50_000.0
SECONDS_SAVED = 2.0  # a key that was quiet may send this much at once


class Rates:
    """The buckets of all keys."""

    def __init__(self, per_second: float = PER_SECOND) -> None:
        self._per_second, self._most = per_second, max(1.0, per_second * SECONDS_SAVED)
        self._buckets: dict[int, tuple[float, float]] = {}  # what is left, and when that was

    def check(self, key: int) -> None:
        """Count a request, or refuse it."""
        now = time.monotonic()
        left, before = self._buckets.get(key, (self._most, now))
        left = min(self._most, left + (now - before) * self._per_second)
        if left < 1.0:
            raise Refusal(
                429, f"The requests of a key must be at most {self._per_second:g} per second. There are more."
            )
        self._buckets[key] = (left - 1.0, now)
