"""The scraper of the gallery: pictures that a script saves as files, as the documentation of sphinx-gallery shows."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from sphinx_gallery.scrapers import figure_rst


def scraper(block: Any, variables: dict[str, Any], settings: dict[str, Any]) -> str:
    """Move the pictures that a script saved in its folder to the gallery, and show them."""
    names = []
    for picture in sorted(Path(variables["src_file"]).parent.glob("*.svg")):
        names.append(str(Path(variables["image_path_iterator"].next()).with_suffix(".svg")))
        shutil.move(picture, names[-1])
    return str(figure_rst(names, settings["src_dir"]))
