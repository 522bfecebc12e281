"""The gallery: short scripts, each with its picture under version control, all named in examples/README.md."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted((ROOT / "examples" / "gallery").glob("*.py"))
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_scripts_are_short_and_have_a_picture(script):
    text = script.read_text(encoding="utf-8")
    doc = ast.get_docstring(ast.parse(text))
    title = doc.splitlines()[0]
    assert title.endswith(".")
    assert len(doc.splitlines()) > 1
    code = [line for line in text.split('"""', 2)[2].splitlines() if line.strip() and "import" not in line]
    assert len(code) <= 20
    assert f'figure.savefig("{script.stem[3:]}.svg")' in code[-1]
    assert (ROOT / "docs" / "figures" / "gallery" / f"{script.stem[3:]}.svg").stat().st_size < 400_000
    listed = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
    assert f"**{title.rstrip('.')}**" in listed
    assert f"(gallery/{script.name})" in listed


def test_the_page_shows_every_script():
    import gallery

    page = gallery.page()
    for script in SCRIPTS:
        assert f"pictures/{script.stem[3:]}.svg" in page
        assert "import riskbandits as rb" in page


def test_a_script_draws_its_picture(tmp_path):
    """One that simulates nothing; the build runs them all."""
    script = next(one for one in SCRIPTS if one.stem == "02_plane")
    subprocess.run([sys.executable, str(script)], cwd=tmp_path, check=True)
    assert (tmp_path / "plane.svg").read_text(encoding="utf-8").rstrip().endswith("</svg>")


def test_a_script_that_fails_is_an_error_that_names_it(tmp_path, monkeypatch):
    import gallery
    from sphinx.errors import SphinxError

    (tmp_path / "01_bad.py").write_text("raise ValueError('nothing to draw')")
    monkeypatch.setattr(gallery, "SCRIPTS", tmp_path)
    with pytest.raises(SphinxError, match=r"01_bad\.py(.|\n)*nothing to draw"):
        gallery.played(tmp_path / "pictures", tmp_path, [])


def test_a_quick_build_borrows_pictures_that_a_whole_one_draws_again(tmp_path):
    import gallery
    from package_age import stale

    gallery.borrowed(tmp_path, ROOT / "docs" / "figures" / "gallery")
    for script in SCRIPTS:
        picture = tmp_path / f"{script.stem[3:]}.svg"
        assert picture.read_bytes() == (ROOT / "docs" / "figures" / "gallery" / picture.name).read_bytes()
        assert stale(picture, script)


def notebook(path, code):
    import nbformat

    cell = nbformat.v4.new_code_cell(code)
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    return path


def test_notebooks_are_played_when_they_or_the_package_changed(tmp_path, monkeypatch):
    import nbformat
    import notebooks

    (tmp_path / "examples").mkdir()
    source = notebook(tmp_path / "examples" / "a.ipynb", "print(6 * 7)")
    monkeypatch.setattr(notebooks, "EXAMPLES", source.parent)
    folder = tmp_path / "copies"
    assert notebooks.bring(folder, played=False) == []
    assert notebooks.bring(folder, played=True) == [source]  # a quick build left a copy without output
    notebooks.play(source, folder)
    [cell] = nbformat.read(folder / "a.ipynb", 4).cells
    assert cell.outputs[0].text == "42\n"
    assert notebooks.bring(folder, played=True) == []
    os.utime(folder / "a.ipynb", (0, 0))
    assert notebooks.bring(folder, played=True) == [source]
    source.unlink()
    assert notebooks.bring(folder, played=True) == []
    assert list(folder.iterdir()) == []


def test_a_notebook_that_fails_is_an_error_that_names_it(tmp_path):
    import notebooks
    from sphinx.errors import SphinxError

    source = notebook(tmp_path / "bad.ipynb", "raise ValueError('nothing to show')")
    with pytest.raises(SphinxError, match=r"bad\.ipynb(.|\n)*nothing to show"):
        notebooks.play(source, tmp_path)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_notebooks_hold_no_output_and_are_listed(notebook):
    """Output is made when the site is built, and would be stale here."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    assert all(not cell["outputs"] for cell in cells if cell["cell_type"] == "code")
    assert f"({notebook.name})" in (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
