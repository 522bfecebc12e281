"""Access keys, their roles, and how many requests each may send: bearer tokens of which only hashes are stored."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
import secrets
import threading
import time
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.security import HTTPBearer

from riskbandits.core.errors import ParameterError, must_be
from riskbandits.service import times
from riskbandits.service.db.storage import KeyRow, Storage
from riskbandits.service.errors import ProblemError, service_unavailable

ROLES = ("read", "decide", "admin")  # each may do what those before it may
FORM = re.compile(r"rb_([1-9]\d{0,9})_([A-Za-z0-9_-]{43})", re.ASCII)
LONGEST_NOTE = 200
SECONDS_BETWEEN_QUERIES = 0.05  # for keys that are not known: whoever guesses does not keep the database busy
SECONDS_FOR_QUERY = 4.0
SECONDS_CACHED = 0.25  # for so long a key that was revoked may still be taken
REQUESTS_PER_SECOND = 50_000.0
SECONDS_SAVED = 2.0  # a key that was quiet may send this much at once
MOST_QUESTIONS = 8  # of one key that are computed, or wait for that, whether or not somebody waits for the answers


def check_key(role: str, note: str) -> None:
    """Refuse what no key can have: before a database is created for it."""
    if role not in ROLES:
        raise must_be("The role", f"one of {', '.join(ROLES)}", role)
    if len(note) > LONGEST_NOTE or not note.isprintable():
        raise must_be("The note", f"a printable text of at most {LONGEST_NOTE} characters", note)


def add_key(storage: Storage, role: str, note: str = "") -> str:
    """Create a key and return it; it cannot be read again."""
    check_key(role, note)
    secret = secrets.token_urlsafe(32)
    with storage.writing() as transaction:
        number = transaction.add_key(role, note, _digest(secret), times.now())
        transaction.commit()
    return f"rb_{number}_{secret}"


def list_keys(storage: Storage) -> list[KeyRow]:
    """All keys, including revoked ones; the keys themselves cannot be recovered from what is stored."""
    with storage.reading() as transaction:
        return transaction.access_keys()


def revoke_key(storage: Storage, number: int) -> bool:
    """Revoke a key; returns whether it was valid until now."""
    with storage.writing() as transaction:
        valid = transaction.revoke_key(number, times.now())
        transaction.commit()
    if valid is None:
        raise ParameterError(f"There is no key {number}.")
    return valid


class Keyring:
    """The valid keys, re-read from the database often enough for revocation to be immediate."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._lock = threading.Lock()
        self._known: dict[int, tuple[bytes, str]] = {}
        self._until = 0.0
        self._query: asyncio.Task[None] | None = None  # one for all who wait, even if the database hangs

    async def find(self, header: str | None) -> tuple[int, str]:
        """The key's id and role, from an Authorization header, or 401."""
        if not self._is_fresh:
            await self._refreshed()
        try:
            return self._find(header)
        except ProblemError:
            if header is None or not self._may_be_newer:
                raise
            await self._refreshed(True)
            return self._find(header)

    async def _refreshed(self, at_once: bool = False) -> None:
        """Wait until the database was queried, but not for ever."""
        query = self._query
        if query is None or query.done():
            query = self._query = asyncio.create_task(asyncio.to_thread(self._refresh, at_once))
        done, _ = await asyncio.wait([query], timeout=SECONDS_FOR_QUERY)
        if not done:
            raise service_unavailable("The database does not answer.")
        query.result()

    def _find(self, header: str | None) -> tuple[int, str]:
        if header is None:
            raise ProblemError(401, "A key is required: send the header 'Authorization: Bearer KEY'.")
        scheme, _, key = header.partition(" ")
        found = FORM.fullmatch(key.strip())
        known = self._known.get(int(found[1])) if found else None
        if scheme.lower() == "bearer" and found and known and hmac.compare_digest(known[0], _digest(found[2])):
            return int(found[1]), known[1]
        raise ProblemError(401, "The key is unknown or revoked.")

    @property
    def _is_fresh(self) -> bool:
        """Whether the cached keys may be used without querying the database."""
        return time.monotonic() < self._until

    @property
    def _may_be_newer(self) -> bool:
        """Whether an unknown key may have been created since the last query."""
        return time.monotonic() > self._until - SECONDS_CACHED + SECONDS_BETWEEN_QUERIES

    def _refresh(self, at_once: bool = False) -> None:
        """Query the database, unless that has just been done."""
        with self._lock:
            if self._is_fresh and not (at_once and self._may_be_newer):
                return
            self._known = {key.id: (key.digest, key.role) for key in list_keys(self._storage) if key.revoked is None}
            self._until = time.monotonic() + SECONDS_CACHED


class RateLimiter:
    """How many requests a key may send: a token bucket for each."""

    def __init__(self, per_second: float = REQUESTS_PER_SECOND) -> None:
        self._per_second, self._most = per_second, max(1.0, per_second * SECONDS_SAVED)
        self._buckets: dict[int, tuple[float, float]] = {}  # what is left, and when that was

    def check(self, key: int) -> None:
        """Count a request, or refuse it."""
        now = time.monotonic()
        left, before = self._buckets.get(key, (self._most, now))
        left = min(self._most, left + (now - before) * self._per_second)
        if left < 1.0:
            limit = f"at most {self._per_second:g} per second"
            raise ProblemError(429, f"The requests of a key must be {limit}. There are more.")
        self._buckets[key] = (left - 1.0, now)


async def authorize(request: Request, role: str) -> None:
    """Raise unless the request has a key with this role, which may send another request now."""
    service = request.app.state.service
    headers = request.headers.getlist("authorization")
    if len(headers) > 1:
        raise ProblemError(401, f"There must be one Authorization header. Got {len(headers)}.")
    number, has = await service.keyring.find(headers[0] if headers else None)
    request.scope["key"], request.scope["role"] = number, has  # for the log and the page
    if ROLES.index(has) < ROLES.index(role):
        raise ProblemError(403, f"The key must have the role {role!r} for this. It has {has!r}.")
    service.rate_limiter.check(number)


async def _count_question(request: Request) -> AsyncIterator[None]:
    asked, key = request.app.state.service.questions, request.scope["key"]
    if asked[key] >= MOST_QUESTIONS:
        raise ProblemError(429, f"At most {MOST_QUESTIONS} questions of a key are answered at a time. There are more.")
    asked[key] += 1
    try:
        yield
    finally:
        asked[key] -= 1


LIMITED = Depends(_count_question)  # for what takes long, after `require_role`: a key never holds up all others
_bearer = HTTPBearer(auto_error=False, scheme_name="key")


def require_role(role: str) -> Any:
    """A FastAPI dependency: the request must have a key with this role."""

    async def dependency(request: Request, described: Annotated[Any, Depends(_bearer)]) -> None:
        await authorize(request, role)

    return Depends(dependency)


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
