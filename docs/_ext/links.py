"""Links: those that leave the folder find their page, and after the build every inside link must lead somewhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag

from sphinx.application import Sphinx
from sphinx.errors import SphinxError

ROOMS = {
    "api": "simulate-and-compare",
    "results": "what-comes-back",
    "learner": "live",
    "policies": "policies",
    "risk": "risk-measures",
    "arms": "arms",
    "identification": "rules-that-name-the-best-arm",
}
# Files of the repository that have a page here.
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "SUPPORT.md": "support.md",
    "SECURITY.md": "security.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
    "benchmarks/results/bench.md": "benchmarks-in-full.md",
    "examples/README.md": "examples.md",
    **{f"src/riskbandits/{room}": f"reference/api/list-{name}.md" for room, name in ROOMS.items()},
    **{f"src/riskbandits/{module}": f"reference/api/{module}.md" for module in ("theory", "metrics")},
}
OUTWARD = re.compile(r"\]\((?:\.\./)+(?P<file>[^)#\s]+)")
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href", "a": "href"}


def to_pages(app: Sphinx, docname: str, source: list[str]) -> None:
    """Turn `](../CONTRIBUTING.md` into a link to the page that shows this file."""

    def target(found: re.Match[str]) -> str:
        page = PAGES.get(found["file"])
        return f"](/{page}" if page else found[0]

    source[0] = OUTWARD.sub(target, source[0])


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
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        if path.name == "playground.html" or "_static" in path.parts:
            continue  # one file that carries all it needs, tested by itself
        for tag, address in page.targets:
            place = path.relative_to(folder)
            if re.match(r"[a-z]+:|//", address):
                if tag != "a" and not address.startswith("data:"):
                    found.append(f"{place} loads {address}")
                continue
            bare, anchor = urldefrag(address)
            goal = (path.parent / unquote(bare.split("?")[0])).resolve() if bare else path
            goal = goal / "index.html" if goal.is_dir() else goal
            if not goal.exists():
                found.append(f"{place} links to {address}, which is not there")
            elif goal in pages and tag == "a" and unquote(anchor) not in pages[goal].anchors:
                found.append(f"{place} links to {address}: no such place on that page")
    return found


def check(app: Sphinx, exception: Exception | None) -> None:
    """Fail the build on the first broken link, and name them all."""
    if exception is None and app.builder.name == "html" and (found := problems(Path(app.outdir).resolve())):
        raise SphinxError("\n".join(["Links of the site lead nowhere:", *found]))


def setup(app: Sphinx) -> dict[str, Any]:
    """Before pages are read, and after they are written."""
    app.connect("source-read", to_pages)
    app.connect("build-finished", check)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
