"""The playground inside the site: compiled when the whole site is built, kept as long as the package stays the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

import riskbandits

FRAME = (
    '<iframe class="playground" src="playground.html" title="The playground: move arms and rho"></iframe>'
    '<p><a href="playground.html">Open the playground in a window of its own.</a></p>'
)
WITHOUT = "This build has no playground: `make docs` puts it here, and `riskbandits playground` writes it by itself."


class Playground(Directive):
    """The page in a frame, or a sentence where it was not built."""

    def run(self) -> list[nodes.Node]:
        """One raw node: the frame is HTML."""
        if self.state.document.settings.env.config.playground:
            return [nodes.raw("", FRAME, format="html")]
        return [nodes.paragraph("", WITHOUT)]


def generate(app: Sphinx, exception: Exception | None) -> None:
    """Put the page beside the front page, made again when the package is newer than it."""
    path = Path(app.outdir) / "playground.html"
    if exception is not None or not app.config.playground or app.builder.name != "html":
        return
    package = Path(riskbandits.__file__).parent
    newest = max(
        file.stat().st_mtime for file in package.rglob("*") if file.suffix in (".py", ".js", ".css", ".zig", ".html")
    )
    if not path.exists() or path.stat().st_mtime < newest:
        from riskbandits.playground import write

        write(path)


def setup(app: Sphinx) -> dict[str, Any]:
    """A directive for the front page, and the page itself before links are checked."""
    app.add_config_value("playground", True, "html", bool)
    app.add_directive("playground", Playground)
    app.connect("build-finished", generate, priority=400)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
