"""The gallery and the notebooks: scripts that draw, listed in examples/README.md, and notebooks with their output."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted((ROOT / "examples" / "gallery").glob("*.py"))
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))
LISTED = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_scripts_have_a_title_and_a_picture_and_are_listed(script):
    title = (ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or "").splitlines()[0]
    assert f"**{title}**" in LISTED
    assert f"(gallery/{script.name})" in LISTED
    assert (ROOT / "docs" / "figures" / "gallery" / f"{script.stem[3:]}.svg").exists()


def test_a_script_draws_its_picture_and_the_gallery_takes_it(tmp_path):
    """One that simulates nothing; the build runs them all."""
    import saved_pictures

    script = tmp_path / "02_plane.py"
    script.write_bytes((ROOT / "examples" / "gallery" / script.name).read_bytes())
    subprocess.run([sys.executable, str(script)], cwd=tmp_path, check=True)
    assert (tmp_path / "plane.svg").read_text(encoding="utf-8").rstrip().endswith("</svg>")
    (tmp_path / "images").mkdir()

    class Paths:
        def next(self):
            return str(tmp_path / "images" / "first.png")

    variables = {"src_file": str(script), "image_path_iterator": Paths()}
    shown = saved_pictures.scraper(None, variables, {"src_dir": str(tmp_path)})
    assert "first.svg" in shown
    assert (tmp_path / "images" / "first.svg").exists()


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_notebooks_hold_the_output_of_a_whole_run_and_are_listed(notebook):
    cells = [one for one in json.loads(notebook.read_text(encoding="utf-8"))["cells"] if one["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert sum(bool(cell["outputs"]) for cell in cells) >= len(cells) // 2
    assert not any(output["output_type"] == "error" for cell in cells for output in cell["outputs"])
    assert notebook.stat().st_size < 1_000_000
    assert f"({notebook.name})" in LISTED


@pytest.mark.full
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_a_fresh_run_of_a_notebook_gives_the_output_that_it_shows(notebook, monkeypatch):
    """Texts to the letter; of pictures, that they are there: their bytes are those of a version of matplotlib."""
    pytest.importorskip("nbclient")
    monkeypatch.syspath_prepend(ROOT / "examples")
    import execute

    fresh = execute.executed(notebook)
    shown = json.loads(notebook.read_text(encoding="utf-8"))
    assert [said(cell) for cell in fresh.cells] == [said(cell) for cell in shown["cells"]]


def said(cell):
    """What a cell printed, and which kinds of pictures it drew."""
    found = []
    for output in cell.get("outputs", []):
        data = {"text": output["text"]} if output["output_type"] == "stream" else output["data"]
        found += [(kind, "" if kind.startswith("image/") else "".join(words)) for kind, words in sorted(data.items())]
    return found
