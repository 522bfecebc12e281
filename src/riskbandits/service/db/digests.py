"""Chained digests of a bandit's events: each covers what the bandit is, its event, and the digest before it.

Changing, removing, inserting or moving an event breaks the chain from there on; only the end of a log can be cut
without a trace. What the bandit is enters every digest, so that it can be checked in a compacted log too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

SIZE = 16  # bytes
SECRET_BYTES = 32
COVERED = ("sequence", "kind", "decides", "settles", "arm", "reward", "at", "available", "key", "count")
_encode = json.JSONEncoder(separators=(",", ":"), sort_keys=True, check_circular=False).encode


def bandit_digest(bandit_id: int, name: str, spec: Any, secret: bytes, created: int) -> str:
    """The digest of the bandit itself, with which the chain begins; of its secret the part that it was created with."""
    key = secret[:SECRET_BYTES]
    return blake2b(_encode([bandit_id, name, spec, created]).encode(), key=key, digest_size=SIZE).hexdigest()


def secret_digest(secret: bytes) -> str:
    """The digest of a whole secret, for the event that has renewed it."""
    return blake2b(secret, digest_size=SIZE).hexdigest()


def event_digest(bandit: str, previous: str, event: Mapping[str, Any]) -> str:
    """The digest of an event of a bandit, after that of the event before it.

    >>> event = dict.fromkeys(COVERED) | {"sequence": 1, "data": None}
    >>> event_digest("00", "00", event) != event_digest("00", "01", event)
    True
    """
    content = [bandit, previous, *[event[name] for name in COVERED], event["data"]]
    return blake2b(_encode(content).encode(), digest_size=SIZE).hexdigest()
