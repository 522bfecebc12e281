"""Ids of decisions: the bandit, the number, and an unguessable tag.

The tag comes from a secret of the bandit, so that the log holds numbers alone and a replay makes the same ids.
"""

from __future__ import annotations

import hmac
import re
import secrets
from hashlib import blake2b

from riskbandits.core.errors import shown
from riskbandits.service.db.digests import SECRET_BYTES
from riskbandits.service.errors import ProblemError

NUMBER_BYTES = 8
TAG_BYTES = 8
LONGEST = 60
MOST_BANDITS = 2**31 - 1  # what the database counts to
FORM = re.compile(r"([1-9]\d{0,9})-([1-9]\d{0,15})-([0-9a-f]{16})", re.ASCII)


def new_secret() -> bytes:
    """A secret for a new bandit."""
    return secrets.token_bytes(SECRET_BYTES)


def make_id(secret: bytes, bandit_id: int, number: int) -> str:
    """The id of a bandit's decision.

    >>> make_id(b"secret", 3, 17)
    '3-17-ac814ad3a74145d5'
    """
    head = f"{bandit_id}-{number}"
    key = secret if len(secret) <= SECRET_BYTES else _secret_for(secret, number)
    return f"{head}-{blake2b(head.encode(), key=key, digest_size=TAG_BYTES).hexdigest()}"


def renewed_secret(secret: bytes, number: int) -> bytes:
    """A bandit's secret, of which a new part counts for decisions from this number on.

    >>> renewed = renewed_secret(new_secret(), 8)
    >>> make_id(renewed, 3, 7) == make_id(renewed[:SECRET_BYTES], 3, 7)
    True
    >>> make_id(renewed, 3, 8) == make_id(renewed[:SECRET_BYTES], 3, 8)
    False
    """
    return secret + number.to_bytes(NUMBER_BYTES, "big") + new_secret()


def secret_after(secret: bytes, renewals: int) -> bytes:
    """A bandit's secret as it was after so many renewals."""
    return secret[: SECRET_BYTES + renewals * (NUMBER_BYTES + SECRET_BYTES)]


def _secret_for(secret: bytes, number: int) -> bytes:
    """The part of a secret that counts for a decision: the last one that begins at its number or before."""
    found = secret[:SECRET_BYTES]
    for start in range(SECRET_BYTES, len(secret), NUMBER_BYTES + SECRET_BYTES):
        first = start + NUMBER_BYTES
        if int.from_bytes(secret[start:first], "big") <= number:
            found = secret[first : first + SECRET_BYTES]
    return found


def parse_id(text: str) -> tuple[int, int]:
    """The bandit and the number in an id; its tag is checked with the bandit's secret."""
    found = FORM.fullmatch(text)
    if found is None or int(found[1]) > MOST_BANDITS:
        raise unknown_decision(text)
    return int(found[1]), int(found[2])


def check_id(text: str, secret: bytes, bandit_id: int, number: int) -> None:
    """Raise unless this is the id that was given for the decision."""
    if not hmac.compare_digest(text.encode(), make_id(secret, bandit_id, number).encode()):
        raise unknown_decision(text)


def unknown_decision(text: str) -> ProblemError:
    """There is no such decision."""
    return ProblemError(404, f"There is no decision {shown(text)}.")
