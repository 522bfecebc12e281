"""Pictures and notebooks: the scripts of `examples/gallery` are run, the notebooks of `examples` are played."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import notebooks
from package_age import stale
from sphinx.application import Sphinx
from sphinx.errors import SphinxError

SCRIPTS = notebooks.EXAMPLES / "gallery"


def scripts() -> list[Path]:
    """The scripts, in the order of the gallery."""
    return sorted(SCRIPTS.glob("*.py"))


def draw(due: list[Path], folder: Path) -> None:
    """Run scripts one after another in one process, which compiles once what several need, and leave pictures there."""
    code = "import runpy, sys\nfor path in sys.argv[1:]:\n    runpy.run_path(path, run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, due)],
        cwd=folder,
        env={**os.environ, "MPLBACKEND": "svg"},
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    missing = [one.name for one in due if stale(_picture(folder, one), one)]
    if missing or done.returncode:
        raise SphinxError(f"The gallery cannot be drawn ({', '.join(missing)}):\n{done.stderr}")


def _picture(folder: Path, script: Path) -> Path:
    return folder / f"{script.stem[3:]}.svg"


def alike(one: Path) -> bool:
    """Whether an example plays the policy that most of them play: these need the same compiled code."""
    return "rb.MVTS()" in one.read_text(encoding="utf-8")


def played(pictures: Path, copies: Path, due_notebooks: list[Path]) -> None:
    """Draw the pictures that are older than their scripts or the package, and play these notebooks, side by side.

    What needs the same compiled code is not done at the same time, or each would compile it: scripts that need it
    share a process, and notebooks that need it wait for these.
    """
    pictures.mkdir(parents=True, exist_ok=True)
    due = [one for one in scripts() if stale(_picture(pictures, one), one)]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with ThreadPoolExecutor(cores) as threads:

        def begun(kind: bool) -> list[Future[None]]:
            return [threads.submit(notebooks.play, one, copies) for one in due_notebooks if alike(one) is kind]

        groups = [[one for one in due if alike(one) is kind] for kind in (True, False)]
        drawing = [threads.submit(draw, group, pictures) for group in groups if group]
        others = begun(False)
        for one in drawing[:1]:
            one.result()
        for one in (*begun(True), *drawing, *others):
            one.result()


def borrowed(pictures: Path, kept: Path) -> None:
    """For a quick build: the pictures under version control, as old as can be, so that a whole build draws its own."""
    pictures.mkdir(parents=True, exist_ok=True)
    for one in scripts():
        picture = _picture(pictures, one)
        if not picture.exists():
            shutil.copyfile(_picture(kept, one), picture)
            os.utime(picture, (0, 0))


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


def generate(app: Sphinx) -> None:
    """Before anything is read."""
    folder, copies = Path(app.srcdir) / "gallery", Path(app.srcdir) / "notebooks"
    due_notebooks = notebooks.bring(copies, app.config.play_examples)
    if app.config.play_examples:
        played(folder / "pictures", copies, due_notebooks)
    else:
        borrowed(folder / "pictures", Path(app.srcdir) / "figures" / "gallery")
    path = folder / "index.md"
    text = page()
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Draw and play when a build begins."""
    app.add_config_value("play_examples", True, "env", bool)
    app.connect("builder-inited", generate)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
