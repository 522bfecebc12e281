"""Times as microseconds since 1970, and in ISO format."""

from __future__ import annotations

import functools
import time
from datetime import UTC, datetime, timedelta

BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
LATEST = 253_402_300_799_000_000  # the end of the year 9999, after which dates have no four digits


def now() -> int:
    """The time now."""
    return time.time_ns() // 1000


class ClockMonitor:
    """How far the clock was moved by somebody, beside running."""

    def __init__(self) -> None:
        self._offset = now() / 1e6 - time.monotonic()

    def step(self) -> float:
        """By how many seconds the clock was set since the last call."""
        before, self._offset = self._offset, now() / 1e6 - time.monotonic()
        return self._offset - before


@functools.lru_cache(256)  # all decisions of a batch end at the same time
def isoformat(at: int) -> str:
    """A time as in RFC 3339.

    >>> isoformat(1_700_000_000_000_000)
    '2023-11-14T22:13:20.000000Z'
    """
    return (BEGINNING + timedelta(microseconds=min(at, LATEST))).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
