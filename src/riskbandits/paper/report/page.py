"""From content to one HTML file that needs nothing else: no network, no other file."""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path

from riskbandits.core import files
from riskbandits.paper.report import markdown
from riskbandits.paper.report.content import Content

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
