"""`--figure`: a figure of the results, refused beforehand if it could not be written."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from riskbandits.core import files
from riskbandits.core.errors import must_be

FORMATS = (".png", ".pdf", ".svg")
FIGURE_HELP = "Draw the result: .png, .pdf or .svg."


def check_figure(path: Path | None) -> None:
    """Refuse a file that could not be written, before doing the work."""
    if path is None:
        return
    if path.suffix.lower() not in FORMATS:
        raise must_be("--figure", f"a file that ends in {', '.join(FORMATS)}", str(path))
    if not os.access(path.parent, os.W_OK):
        raise must_be("--figure", "in a folder that exists and can be written to", str(path))
    files.check_replaceable(path)


def write_figure(path: Path, draw: Callable[[Any], Any], width: float = 7.2, height: float = 4.2) -> None:
    """Let a function draw on axes, and write them."""
    from riskbandits import plotting

    with plotting.printed():
        page = plotting.page(width, height)
        draw(page.subplots())
        plotting.save(page, [path])
    print(f"Written: {path}", file=sys.stderr)
