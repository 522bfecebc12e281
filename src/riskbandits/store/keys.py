"""Names for results: a digest of everything that determines the numbers, so that a name is never ambiguous."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

DIGITS = 40


def as_text(about: Mapping[str, Any]) -> str:
    """A description in one form only: the same values give the same text on every machine."""
    return json.dumps(about, sort_keys=True, default=repr)


def content_key(about: Mapping[str, Any]) -> str:
    """The key of a description.

    >>> content_key({"seed": 1, "runs": 2}) == content_key({"runs": 2, "seed": 1})
    True
    """
    return hashlib.sha256(as_text(about).encode()).hexdigest()[:DIGITS]
