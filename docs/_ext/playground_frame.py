"""The playground inside the site, compiled when the whole site is built."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx
from sphinx.errors import SphinxError

FRAME = (
    '<iframe class="playground" src="playground.html?embed" title="The playground: move arms and rho"></iframe>'
    '<p><a href="playground.html">Open the whole playground</a>: more policies, one run step by step, and examples.</p>'
)
WITHOUT = "This quick build has no playground; the whole one puts it here."


class Playground(Directive):
    """The page in a frame, or a sentence where it was not built."""

    def run(self) -> list[nodes.Node]:
        """One raw node: the frame is HTML."""
        if self.state.document.settings.env.config.playground:
            return [nodes.raw("", FRAME, format="html")]
        return [nodes.paragraph("", WITHOUT)]


def start(app: Sphinx) -> None:
    """Begin to compile, beside everything else."""
    path = Path(app.outdir) / "playground.html"
    app.being_compiled = None  # type: ignore[attr-defined]
    if not app.config.playground or app.builder.name != "html":
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "riskbandits", "playground", "--out", str(path)]
    app.being_compiled = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)  # type: ignore[attr-defined]


def finish(app: Sphinx, exception: Exception | None) -> None:
    """Wait for it, before links are checked."""
    compiler = app.being_compiled  # type: ignore[attr-defined]
    if compiler is None:
        return
    if exception is not None:
        compiler.terminate()
    _, complaint = compiler.communicate()
    if exception is None and compiler.returncode:
        raise SphinxError(f"The playground cannot be made: {complaint}")


def setup(app: Sphinx) -> dict[str, Any]:
    """A directive for the front page, and the page itself."""
    app.add_config_value("playground", True, "html", bool)
    app.add_directive("playground", Playground)
    app.connect("builder-inited", start, priority=300)
    app.connect("build-finished", finish, priority=400)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
