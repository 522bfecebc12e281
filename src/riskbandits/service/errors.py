"""Errors of the service: problem details (RFC 9457) whose `detail` is one sentence.

RiskBanditsError                  a bad request: 422
ProblemError                  any other status
StorageError                  the database does not answer: 503
RequestValidationError            FastAPI's and Pydantic's own: 422
HTTPException                     Starlette's own: no such address, no such method
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Match

from riskbandits.core.errors import RiskBanditsError, must_be, shown
from riskbandits.service.db.storage import StorageError

WHAT = {
    "string_type": "a text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "bool_type": "true or false",
}
LIMITS = {
    "greater_than_equal": ("at least {}", "ge"),
    "less_than_equal": ("at most {}", "le"),
    "string_too_short": ("a text of at least {} characters", "min_length"),
    "string_too_long": ("a text of at most {} characters", "max_length"),
    "too_short": ("a list of at least {}", "min_length"),
    "too_long": ("a list of at most {}", "max_length"),
}
NEW_PHRASES = {413: "Content Too Large", 422: "Unprocessable Content"}  # RFC 9110; Python's own since 3.13
HEADERS = {401: {"www-authenticate": "Bearer"}, 429: {"retry-after": "1"}, 503: {"retry-after": "1"}}

log = logging.getLogger("riskbandits.service")


class ProblemError(RiskBanditsError):
    """A request that cannot be served: an HTTP status and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def phrase(status: int) -> str:
    """HTTP's own phrase for a status, as RFC 9457 wants it for a title.

    >>> phrase(404)
    'Not Found'
    """
    return NEW_PHRASES.get(status) or HTTPStatus(status).phrase


def service_unavailable(why: str) -> ProblemError:
    """The database or the server is temporarily unavailable."""
    return ProblemError(503, f"{why} Retry; with the same Idempotency-Key nothing happens twice.")


class ProblemResponse(Response):
    """An answer in the form of RFC 9457."""

    media_type = "application/problem+json"

    def __init__(self, status: int, detail: str, headers: dict[str, str] | None = None) -> None:
        problem = {"type": "about:blank", "title": phrase(status), "status": status, "detail": detail}
        super().__init__(json.dumps(problem), status, {**HEADERS.get(status, {}), **(headers or {})})


def problem_response(error: Exception) -> ProblemResponse:
    """The answer to a request that failed."""
    if isinstance(error, StorageError):
        log.error("the database failed", extra={"error": str(error)})
        error = service_unavailable("The database is unavailable.")
    if not isinstance(error, RiskBanditsError):
        log.error("a request failed", exc_info=error)
        error = ProblemError(500, "Internal error: see the log of the service.")
    return ProblemResponse(error.status if isinstance(error, ProblemError) else 422, str(error))


def validation_error(errors: Sequence[Any]) -> RiskBanditsError:
    """Pydantic's first error as one sentence."""
    first = errors[0]
    kind, place, context = first["type"], first["loc"], first.get("ctx", {})
    thing = f"'{_path(place)}'" if place else "The body"
    if kind == "json_invalid":
        return ProblemError(422, f"The body must be JSON. It is not: {context.get('error', 'something is missing')}.")
    if kind == "missing":
        return ProblemError(422, f"{thing} must be given. It is missing.")
    if kind == "extra_forbidden":
        return ProblemError(422, f"There is no field {thing} here.")
    if kind in LIMITS:
        what, name = LIMITS[kind]
        return must_be(thing, what.format(context[name]), first["input"])
    what = first["msg"].removeprefix("Input should be ")
    return must_be(thing, WHAT.get(kind, what[:1].lower() + what[1:]), first["input"])


def object_of_different_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON; raises if it has two values of one name."""
    made = dict(pairs)
    if len(made) < len(pairs):
        [(twice, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise ProblemError(422, f"{shown(twice)} must be given once. It is repeated.")
    return made


def add_exception_handlers(app: FastAPI, routes: Sequence[Any]) -> None:
    """Every error of every route becomes a problem response."""

    async def problem(request: Request, error: Exception) -> Response:
        return problem_response(error)

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        errors = [{**one, "loc": _without_source(one)} for one in error.errors()]
        return problem_response(validation_error(errors))

    async def no_route(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == 405:
            return ProblemResponse(405, "This address does not take this method.", {"allow": _methods(request, routes)})
        return ProblemResponse(error.status_code, "There is nothing at this address.")

    app.add_exception_handler(RiskBanditsError, problem)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, no_route)


def _methods(request: Request, routes: Sequence[Any]) -> str:
    """The methods that an address takes."""
    matching = [route for route in routes if route.matches(request.scope)[0] is not Match.NONE]
    return ", ".join(sorted({method for route in matching for method in route.methods}))


def _without_source(error: Any) -> tuple[Any, ...]:
    """Where an error is, without FastAPI's word for the part of the request; JSON errors have a position there."""
    return () if error["type"] == "json_invalid" else tuple(error["loc"][1:])


def _path(place: Sequence[int | str]) -> str:
    """The location of an error, as in `rewards[3].reward`."""
    written = ""
    for one in place:
        written += f"[{one}]" if isinstance(one, int) else f".{one}" if written else str(one)
    return written
