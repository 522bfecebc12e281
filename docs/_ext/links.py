"""Links: after the build every one inside the site must lead somewhere, and no page may need the network."""

from __future__ import annotations

import functools
import os
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag

from sphinx.application import Sphinx
from sphinx.errors import SphinxError

OUTSIDE = re.compile(r"[a-z]+:|//")
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href", "a": "href"}


class Page(HTMLParser):
    """What a page offers to link to, and what it links to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = {"", "top"}
        self.targets: list[tuple[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note ids, names and addresses."""
        given = dict(attrs)
        self.anchors.update(given[key] or "" for key in ("id", "name") if key in given)
        if address := given.get(LOADED.get(tag, "")):
            self.targets.append((tag, address))


def problems(folder: Path) -> list[str]:
    """A sentence per link of a built site that leads nowhere, or makes a page fetch something from the network."""
    root = folder.resolve()
    pages = {str(path): Page(path.read_text(encoding="utf-8")) for path in sorted(root.rglob("*.html"))}
    _file.cache_clear()
    found = []
    for path, page in pages.items():
        place = Path(path).relative_to(root)
        if place.name == "playground.html" or "_static" in place.parts:
            continue  # one file that carries all it needs, tested by itself
        for tag, address in page.targets:
            if OUTSIDE.match(address):
                if tag != "a" and not address.startswith("data:"):
                    found.append(f"{place} loads {address}")
                continue
            bare, anchor = urldefrag(address)
            goal = _file(os.path.dirname(path), bare) if bare else path
            if goal is None:
                found.append(f"{place} links to {address}, which is not there")
            elif goal in pages and tag == "a" and unquote(anchor) not in pages[goal].anchors:
                if place.parts[0] == "_modules":
                    continue  # the right page; Sphinx takes all objects of a file for members of one module
                found.append(f"{place} links to {address}: no such place on that page")
    return found


@functools.cache
def _file(folder: str, address: str) -> str | None:
    """The file that an address without an anchor leads to from a folder: pages share most of theirs."""
    goal = os.path.normpath(os.path.join(folder, unquote(address.split("?")[0])))
    goal = os.path.join(goal, "index.html") if os.path.isdir(goal) else goal
    return goal if os.path.exists(goal) else None


def check(app: Sphinx, exception: Exception | None) -> None:
    """Fail the build if a link is broken, and name them all."""
    if exception is not None or app.builder.name != "html":
        return
    folder = Path(app.outdir).resolve()
    remove_stale(folder, {*app.env.found_docs, "genindex", "search", "py-modindex", "playground"})
    if found := problems(folder):
        raise SphinxError("\n".join(["Links of the site lead nowhere:", *found]))


def remove_stale(folder: Path, names: set[str]) -> None:
    """Take away pages of an earlier build whose source is gone."""
    for path in folder.rglob("*.html"):
        place = path.relative_to(folder)
        if place.parts[0] not in ("_modules", "_static") and place.with_suffix("").as_posix() not in names:
            path.unlink()


def setup(app: Sphinx) -> dict[str, Any]:
    """After pages are written."""
    app.connect("build-finished", check, priority=900)  # when everything else has had its turn
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
