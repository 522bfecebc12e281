"""The report as one HTML file that needs nothing else: no network, no other file."""

from __future__ import annotations

import os
from functools import partial
from importlib import resources
from pathlib import Path

from riskbandits.core import files
from riskbandits.paper import claims, layout
from riskbandits.paper.report import markdown, pictures
from riskbandits.paper.report.build import build
from riskbandits.paper.report.content import Content
from riskbandits.paper.reproduction import Reproduction

PLAYGROUND = "playground.html"  # as `riskbandits playground` calls it: a page beside this one is linked


def html(content: Content, playground: str = "") -> str:
    """The page, with a link to a playground if there is one. The same content gives the same text."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("riskbandits.paper.report", "assets"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"inline": markdown.inline, "blocks": markdown.blocks, "maths": markdown.maths}
    assets = resources.files("riskbandits.paper.report") / "assets"
    # Our own files, which must not be escaped.
    own = {name: Markup((assets / name).read_text(encoding="utf-8")) for name in ("style.css", "page.js")}
    template = environment.get_template("page.html")
    return template.render(page=content, playground=playground, style=own["style.css"], script=own["page.js"])


def write(path: str | os.PathLike[str], content: Content) -> Path:
    """Write the page to a file, at once or not at all."""
    text = html(content, PLAYGROUND if Path(path).with_name(PLAYGROUND).is_file() else "")
    with files.replacing(path) as temporary:
        Path(temporary).write_text(text, encoding="utf-8")
    return Path(path)


def report(done: Reproduction) -> Path:
    """Write the page of a reproduction beside its figures and return its path."""
    content = build(
        done.outcomes,
        claims.decide(done.outcomes),
        partial(pictures.figures, done.out, done.figures),
        done.settings,
        done.versions,
        done.seconds,
    )
    return write(layout.report(done.out), content)
