"""The application as the web server calls it."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from riskbandits.service.door import PROBLEM, Door, refused
from riskbandits.service.errors import Refusal

BUSY = "decide"  # the role of the doors that products use all day


class Front:
    """A fast path to the busy endpoints, found by the parts of the URL; everything else goes through FastAPI."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app
        self._doors: dict[tuple[str, int], list[tuple[list[str], Door]]] = {}
        for door in app.routes:
            if isinstance(door, Door) and door.role == BUSY:
                parts = door.path.split("/")
                for method in door.methods or ():
                    self._doors.setdefault((method, len(parts)), []).append((parts, door))

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """One request, or the beginning and end of it all."""
        if scope["type"] == "http":
            parts = scope["path"].split("/")
            for pattern, door in self._doors.get((scope["method"], len(parts)), ()):
                found = _read(pattern, parts)
                if found is not None:
                    scope["app"], scope["path_params"] = self.app, found
                    await door.enter(scope, receive, send)
                    return
        await self.app(scope, receive, send)


async def nowhere(request: Request, error: Exception) -> Response:
    """The answer at an address where nothing is, or not for this method."""
    known = isinstance(error, HTTPException) and error.status_code == 405
    words = "This address does not take this method." if known else "There is nothing at this address."
    answer = refused(Refusal(405 if known else 404, words))
    headers = {name.decode(): value.decode() for name, value in PROBLEM}
    if known:
        headers["allow"] = allowed(request.app, request.url.path)
    return Response(answer.body, answer.status, headers=headers)


def _read(pattern: list[str], parts: list[str]) -> dict[str, str] | None:
    """What an address gives for the names in a pattern; None if it is another one.

    >>> _read(["", "v1", "{name}"], ["", "v1", "funds"]), _read(["", "v1", "{name}"], ["", "v2", "funds"])
    ({'name': 'funds'}, None)
    """
    found = {}
    for wanted, part in zip(pattern, parts, strict=True):
        if wanted[:1] == "{" and part:
            found[wanted[1:-1]] = part
        elif wanted != part:
            return None
    return found


def allowed(app: FastAPI, path: str) -> str:
    """The methods that an address takes."""
    doors = [route for route in app.routes if isinstance(route, Door) and route.path_regex.match(path)]
    return ", ".join(sorted(method for door in doors for method in door.methods or ()))
