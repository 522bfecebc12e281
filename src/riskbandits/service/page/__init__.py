"""The page: files of our own alone, nothing from the network, nothing inline. They need no key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

FOLDER = Path(__file__).parent
FILES = {
    "/": ("index.html", "text/html"),
    "/page.css": ("page.css", "text/css"),
    "/page.js": ("page.js", "text/javascript"),
    "/charts.js": ("charts.js", "text/javascript"),
    "/favicon.svg": ("favicon.svg", "image/svg+xml"),
}
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
}


def _endpoint(name: str, media_type: str) -> Any:
    content = (FOLDER / name).read_bytes()

    async def file(request: Request) -> Response:
        return Response(content, headers=HEADERS, media_type=media_type)

    return file


ROUTES = [Route(path, _endpoint(*file), methods=["GET"]) for path, file in FILES.items()]
