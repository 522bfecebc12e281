"""Chained digests of a bandit's events: each covers its event and the digest before it.

The first is made from what the bandit is. Changing, removing, inserting or moving an event breaks the chain from there
on; only the end of a log can be cut without a trace.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

SIZE = 16  # bytes
COVERED = ("sequence", "kind", "decides", "settles", "arm", "reward", "at", "available", "key", "count")
_encode = json.JSONEncoder(separators=(",", ":"), sort_keys=True, check_circular=False).encode


def first_digest(bandit_id: int, name: str, spec: Any, secret: bytes, created: int) -> str:
    """The digest before the first event: of the bandit itself."""
    return blake2b(_encode([bandit_id, name, spec, created]).encode(), key=secret, digest_size=SIZE).hexdigest()


def next_digest(previous: str, event: Mapping[str, Any]) -> str:
    """The digest of an event, after that of the event before it.

    >>> event = dict.fromkeys(COVERED) | {"sequence": 1, "data": None}
    >>> next_digest("00", event) != next_digest("01", event)
    True
    """
    content = [previous, *[event[name] for name in COVERED], event["data"]]
    return blake2b(_encode(content).encode(), digest_size=SIZE).hexdigest()
