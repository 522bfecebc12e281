"""Pictures and notebooks: the scripts of `examples/gallery` are run, the notebooks of `examples` are brought in."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import SphinxError

EXAMPLES = Path(__file__).parents[2] / "examples"
SCRIPTS = EXAMPLES / "gallery"


def scripts() -> list[Path]:
    """The scripts, in the order of the gallery."""
    return sorted(SCRIPTS.glob("*.py"))


def drawn(folder: Path) -> list[Path]:
    """The pictures, made in this folder by scripts that are newer than theirs, a share of them per core."""
    folder.mkdir(parents=True, exist_ok=True)
    due = [one for one in scripts() if _older(folder / f"{one.stem[3:]}.svg", one)]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    shares = [share for share in (due[first::cores] for first in range(cores)) if share]
    code = "import runpy, sys\nfor path in sys.argv[1:]:\n    runpy.run_path(path, run_name='__main__')"
    drawing = [
        subprocess.Popen(
            [sys.executable, "-c", code, *map(str, share)],
            cwd=folder,
            env={**os.environ, "MPLBACKEND": "svg"},
            stderr=subprocess.PIPE,
            text=True,
        )
        for share in shares
    ]
    complaints = [process.communicate()[1] for process in drawing]
    missing = [one.name for one in due if _older(folder / f"{one.stem[3:]}.svg", one)]
    if missing or any(process.returncode for process in drawing):
        raise SphinxError("\n".join([f"The gallery cannot be drawn ({', '.join(missing)}):", *complaints]))
    return [folder / f"{one.stem[3:]}.svg" for one in scripts()]


def _older(picture: Path, script: Path) -> bool:
    return not picture.exists() or picture.stat().st_mtime < script.stat().st_mtime


def page() -> str:
    """Each picture with what it shows and the lines that draw it."""
    parts = [
        "# Gallery",
        "Every picture is drawn by the lines below it when this site is built; each is a file in `examples/gallery/`.",
    ]
    for script in scripts():
        text = script.read_text(encoding="utf-8")
        doc = ast.get_docstring(ast.parse(text)) or ""
        title, _, words = doc.partition("\n\n")
        code = text.split('"""', 2)[2].strip()
        parts += [
            f"## {title.rstrip('.')}",
            words,
            f"```{{image}} pictures/{script.stem[3:]}.svg\n:alt: {title.rstrip('.')}\n:width: 100%\n```",
            f"```python\n{code}\n```",
        ]
    return "\n\n".join(parts) + "\n"


def bring_notebooks(folder: Path) -> None:
    """Copy the notebooks into the site's sources, those that have not changed left alone."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {one.name: one for one in EXAMPLES.glob("*.ipynb")}
    for old in folder.glob("*.ipynb"):
        if old.name not in wanted:
            old.unlink()
    for name, source in wanted.items():
        if not (folder / name).exists() or (folder / name).read_bytes() != source.read_bytes():
            shutil.copyfile(source, folder / name)


def generate(app: Sphinx) -> None:
    """Before anything is read."""
    folder = Path(app.srcdir) / "gallery"
    drawn(folder / "pictures")
    path = folder / "index.md"
    text = page()
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
    bring_notebooks(Path(app.srcdir) / "notebooks")


def setup(app: Sphinx) -> dict[str, Any]:
    """Draw when a build begins."""
    app.connect("builder-inited", generate)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
