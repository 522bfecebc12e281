"""Keys: random, stored only as hashes, each with a role."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import threading
import time
from typing import Any, NamedTuple

from sqlalchemy import Engine, insert, select, update

from riskbandits.core.errors import ParameterError, must_be
from riskbandits.service import times
from riskbandits.service.db import engine as database
from riskbandits.service.db.tables import keys as table
from riskbandits.service.errors import Refusal

ROLES = ("read", "decide", "admin")  # each may do what those before it may
FORM = re.compile(r"rb_([1-9]\d{0,9})_([A-Za-z0-9_-]{43})", re.ASCII)
LONGEST_NOTE = 200
SECONDS_BETWEEN_LOOKS = 0.05  # for keys that are not known: whoever guesses does not keep the database busy
SECONDS_KNOWN = 0.25  # for so long a key that was revoked may still be taken


class Key(NamedTuple):
    """What is known of a key."""

    id: int
    role: str
    note: str
    created: int
    revoked: int | None


def check(role: str, note: str) -> None:
    """Refuse what no key can have: before a database is created for it."""
    if role not in ROLES:
        raise must_be("The role", f"one of {', '.join(ROLES)}", role)
    if len(note) > LONGEST_NOTE or not (note.isprintable()):
        raise must_be("The note", f"a printable text of at most {LONGEST_NOTE} characters", note)


def add(engine: Engine, role: str, note: str = "") -> str:
    """Create a key and return it; it cannot be read again."""
    check(role, note)
    secret = secrets.token_urlsafe(32)
    values = {"role": role, "note": note, "digest": _digest(secret), "created": times.now(), "revoked": None}
    with database.writing(engine).begin() as connection:
        made = connection.execute(insert(table).values(values)).inserted_primary_key
        assert made is not None
    return f"rb_{made[0]}_{secret}"


def listed(engine: Engine) -> list[Key]:
    """All keys, including revoked ones; the keys themselves cannot be recovered from what is stored."""
    wanted = select(table.c.id, table.c.role, table.c.note, table.c.created, table.c.revoked).order_by(table.c.id)
    with engine.connect() as connection:
        return [Key(*row) for row in connection.execute(wanted)]


def revoke(engine: Engine, number: int) -> bool:
    """Revoke a key; returns whether it was valid until now."""
    with database.writing(engine).begin() as connection:
        if connection.execute(select(table.c.id).where(table.c.id == number)).first() is None:
            raise ParameterError(f"There is no key {number}.")
        valid = update(table).where(table.c.id == number, table.c.revoked.is_(None)).values(revoked=times.now())
        return connection.execute(valid).rowcount == 1


class Keyring:
    """The valid keys, re-read from the database often enough for revocation to be immediate."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._known: dict[int, tuple[bytes, str]] = {}
        self._until = 0.0

    @property
    def is_fresh(self) -> bool:
        """Whether the cached keys may be used without querying the database."""
        return time.monotonic() < self._until

    @property
    def may_be_newer(self) -> bool:
        """Whether an unknown key may have been created since the last query."""
        return time.monotonic() > self._until - SECONDS_KNOWN + SECONDS_BETWEEN_LOOKS

    def refresh(self, at_once: bool = False) -> None:
        """Query the database, unless that has just been done."""
        with self._lock:
            if self.is_fresh and not (at_once and self.may_be_newer):
                return
            wanted = select(table.c.id, table.c.digest, table.c.role).where(table.c.revoked.is_(None))
            with self._engine.connect() as connection:
                self._known = {number: (bytes(digest), role) for number, digest, role in connection.execute(wanted)}
            self._until = time.monotonic() + SECONDS_KNOWN

    def role(self, header: bytes | None) -> tuple[int, str]:
        """The key's id and role, from an Authorization header, or 401."""
        if header is None:
            raise _refused("A key is required: send the header 'Authorization: Bearer KEY'.")
        scheme, _, key = header.decode("latin-1").partition(" ")
        found = FORM.fullmatch(key.strip())
        known = self._known.get(int(found[1])) if found else None
        if scheme.lower() != "bearer" or found is None or known is None:
            raise _refused("The key is unknown or revoked.")
        if not hmac.compare_digest(known[0], _digest(found[2])):
            raise _refused("The key is unknown or revoked.")
        return int(found[1]), known[1]


def may(role: str, needed: str) -> bool:
    """Whether a role may do what needs another."""
    return ROLES.index(role) >= ROLES.index(needed)


def _refused(sentence: str) -> Refusal:
    return Refusal(401, sentence)


def _digest(secret: Any) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
