"""How a request is received and answered.

FastAPI describes the doors; what goes through one goes the short way: the key, then the body, once and within limits,
then the answer, as bytes. Nothing of a request is looked at before its key.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, NamedTuple, get_type_hints
from urllib.parse import parse_qsl

from fastapi.routing import APIRoute
from pydantic import BaseModel, TypeAdapter, ValidationError
from sqlalchemy.exc import SQLAlchemyError

from riskbandits.core.errors import RiskBanditsError, must_be
from riskbandits.service import auth, complaints, schemas
from riskbandits.service.errors import TITLES, Refusal, not_now
from riskbandits.service.operations import Answer

LARGEST_BODY = 1 << 20  # bytes
LARGEST_DRAINED = 1 << 26  # of a body that is refused: whoever sends it then reads why
ALWAYS = [
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
]
JSON = [(b"content-type", b"application/json"), *ALWAYS]
PROBLEM = [(b"content-type", b"application/problem+json"), *ALWAYS]

log = logging.getLogger("riskbandits.service")

Headers = Sequence[tuple[bytes, bytes]]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
Scope = Any


class Page(NamedTuple):
    """An answer that is not JSON: bytes, or a stream of them."""

    kind: bytes
    content: bytes | AsyncIterator[bytes]
    headers: Headers = ()


class GoneAwayError(Exception):
    """The client has closed the connection."""


def needs(role: str | None) -> Callable[[Any], Any]:
    """Mark an endpoint with the role it requires; None: no key."""

    def mark(endpoint: Any) -> Any:
        endpoint.role = role
        return endpoint

    return mark


class Door(APIRoute):
    """One route, the short way."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **others: Any) -> None:
        super().__init__(path, endpoint, **others)
        self.role: str | None = endpoint.role  # type: ignore[attr-defined]
        self._method = next(iter(self.methods or {"GET"}))
        hints = get_type_hints(endpoint, include_extras=True)
        self._body: type[BaseModel] | None = hints.get("body")
        body = inspect.signature(endpoint).parameters.get("body")
        self._optional_body = body is not None and body.default is not body.empty
        self._header = any(one.alias == "Idempotency-Key" for one in self.dependant.header_params)
        self._query = {one.name: TypeAdapter(hints[one.name]) for one in self.dependant.query_params}
        self.app = self.enter

    async def enter(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request and send its answer."""
        begun = time.perf_counter()
        house = scope["app"].state.house
        number = 0
        try:
            if self.role is not None:
                number = await _admitted(scope, house, self.role)
            answer = await self.endpoint(**await self._arguments(scope, receive))
        except GoneAwayError:
            return
        except Exception as error:
            answer = refused(error)
        status = await _sent(answer, send)
        seconds = time.perf_counter() - begun
        house.metrics.answered(self._method, self.path_format, status, seconds)
        if status >= 400 or house.logs_all:
            house.log_request(self._method, scope["path"], status, seconds, number)

    async def _arguments(self, scope: Scope, receive: Receive) -> dict[str, Any]:
        found = dict(scope["path_params"])
        if self._body is not None:
            content = await _body(receive)
            try:
                found["body"] = self._body.model_validate_json(content or b"{}" if self._optional_body else content)
            except ValidationError as error:
                raise complaints.of_body(error) from None
        if self._header:
            found["idempotency_key"] = _idempotency_key(scope)
        if self._query:
            found.update(self._read_query(scope))
        return found

    def _read_query(self, scope: Scope) -> dict[str, Any]:
        found = {}
        for name, value in parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True):
            if name not in self._query or name in found:
                raise Refusal(422, f"There is no parameter {name!r} here, or more than one.")
            try:
                found[name] = self._query[name].validate_strings(value)
            except ValidationError as error:
                what = error.errors(include_url=False)[0]["msg"]
                raise must_be(f"'{name}'", f"as described ({what.lower()})", value) from None
        return found


async def _admitted(scope: Scope, house: Any, needed: str) -> int:
    """The id of the key, if there is one with the required role."""
    header = next((value for name, value in scope["headers"] if name == b"authorization"), None)
    if not house.keyring.is_fresh:
        await asyncio.to_thread(house.keyring.refresh)
    number: int
    try:
        number, role = house.keyring.role(header)
    except Refusal:
        if header is None or not house.keyring.may_be_newer:
            raise
        await asyncio.to_thread(house.keyring.refresh, True)
        number, role = house.keyring.role(header)
    if not auth.may(role, needed):
        raise Refusal(403, f"The key must have the role {needed!r} for this. It has {role!r}.")
    house.rates.check(number)
    return number


def refused(error: Exception) -> Answer:
    """An error as a problem (RFC 9457)."""
    if isinstance(error, SQLAlchemyError):
        log.error("the database failed", extra={"error": type(error).__name__})
        error = not_now("The database is unavailable.")
    if not isinstance(error, RiskBanditsError):
        log.error("a request failed", exc_info=error)
        error = Refusal(500, "Internal error: see the log of the service.")
    status = error.status if isinstance(error, Refusal) else 422
    return Answer(status, json.dumps(schemas.problem(status, TITLES[status], str(error))).encode())


async def _sent(answer: Answer | Page, send: Send) -> int:
    if isinstance(answer, Page):
        return await _page_sent(answer, send)
    status, body = answer
    headers = [(b"content-length", b"%d" % len(body)), *(JSON if status < 400 else PROBLEM)]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    elif status in (429, 503):
        headers.append((b"retry-after", b"1"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
    return status


async def _page_sent(page: Page, send: Send) -> int:
    headers = [(b"content-type", page.kind), *ALWAYS, *page.headers]
    if isinstance(page.content, bytes):
        headers.append((b"content-length", b"%d" % len(page.content)))
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    if isinstance(page.content, bytes):
        await send({"type": "http.response.body", "body": page.content})
        return 200
    async for part in page.content:
        await send({"type": "http.response.body", "body": part, "more_body": True})
    await send({"type": "http.response.body", "body": b""})
    return 200


async def _body(receive: Receive) -> bytes:
    """The body, if it is not too large."""
    message = await receive()
    if not message.get("more_body", False) and message["type"] == "http.request":
        part: bytes = message.get("body", b"")
        if len(part) <= LARGEST_BODY:
            return part
    parts, size = [], 0
    while True:
        if message["type"] == "http.disconnect":
            raise GoneAwayError
        size += len(message.get("body", b""))
        if size <= LARGEST_BODY:
            parts.append(message.get("body", b""))
        if not message.get("more_body", False) or size > LARGEST_DRAINED:
            break
        message = await receive()
    if size > LARGEST_BODY:
        raise Refusal(413, f"The body must be at most {LARGEST_BODY} bytes. It is longer.")
    return b"".join(parts)


def _idempotency_key(scope: Scope) -> str | None:
    found = [value for name, value in scope["headers"] if name == b"idempotency-key"]
    if not found:
        return None
    key = found[0].decode("latin-1")
    if len(found) > 1 or not (1 <= len(key) <= schemas.LONGEST_KEY and key.isascii() and key.isprintable()):
        raise must_be("The Idempotency-Key", f"one text of 1 to {schemas.LONGEST_KEY} printable ASCII characters", key)
    return key
