"""The page: files of our own alone, nothing from the network, nothing inline."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import FastAPI

from riskbandits.service.door import Page, needs

FOLDER = Path(__file__).parent
FILES = {
    "/": ("index.html", b"text/html; charset=utf-8"),
    "/page.css": ("page.css", b"text/css; charset=utf-8"),
    "/page.js": ("page.js", b"text/javascript; charset=utf-8"),
    "/charts.js": ("charts.js", b"text/javascript; charset=utf-8"),
    "/favicon.svg": ("favicon.svg", b"image/svg+xml"),
}
POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    b"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = ((b"content-security-policy", POLICY), (b"x-frame-options", b"DENY"), (b"referrer-policy", b"no-referrer"))


def add(app: FastAPI) -> None:
    """The doors to the page's files, which need no key: they hold nothing of anybody's."""
    for path, (name, kind) in FILES.items():
        app.get(path, include_in_schema=False)(_door((FOLDER / name).read_bytes(), kind))


def _door(content: bytes, kind: bytes) -> Any:
    @needs(None)
    async def show() -> Any:
        return Page(kind, content, HEADERS)

    return show
