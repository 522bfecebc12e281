"""Every block of code on the site is run by a test: here, or in the test of the page that has it."""

from __future__ import annotations

import doctest
import re
import sys
from pathlib import Path

import pytest

from riskbandits.core import compiled

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
PAGES = sorted(
    str(path.relative_to(DOCS))
    for folder in ("how-to", "explanation")
    for path in (DOCS / folder).glob("*.md")
    if BLOCK.search(path.read_text(encoding="utf-8"))
)
# About compiled code: it is compiled here too, which takes longer.
COMPILED = {"how-to/add-your-own.md", "explanation/lazy-sampling-and-leaps.md"}
# Run by tests/test_documents.py, docs/service.md by tests/service/test_service_in_docs.py, docs/dependent-arms.md by
# tests/arms/test_correlated.py.
ELSEWHERE = {"tutorial.md", "rho.md", "production.md", "markets.md", "service.md", "dependent-arms.md"}


@pytest.fixture
def session(tmp_path, monkeypatch):
    """Plays a page in an empty folder: files that it shows are saved, then lines are typed and answers compared."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")

    def play(page):
        blocks = BLOCK.findall((DOCS / page).read_text(encoding="utf-8"))
        files = {found[1]: block for block in blocks if (found := re.match(r"# (\w+\.py)\n", block))}
        for name, block in files.items():
            Path(name).write_text(block, encoding="utf-8")
        typed = [block for block in blocks if block.startswith(">>>")]
        assert len(typed) + len(files) == len(blocks), "a block is neither a file nor a session"
        examples = doctest.DocTestParser().get_doctest("\n".join(typed), {}, page, page, 0)
        problems: list[str] = []
        runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE)
        results = runner.run(examples, out=problems.append)
        for name in files:
            sys.modules.pop(name.removesuffix(".py"), None)
        assert results.attempted
        assert not results.failed, "".join(problems)

    return play


@pytest.mark.parametrize("page", [page for page in PAGES if page not in COMPILED])
def test_pages_say_what_python_answers(page, session, monkeypatch):
    monkeypatch.setattr(compiled, "entry", lambda function, classes, checked=False: function)
    session(page)


@pytest.mark.full
@pytest.mark.parametrize("page", PAGES)
def test_pages_say_what_compiled_code_answers(page, session):
    session(page)


def test_no_page_has_code_that_nobody_runs():
    pages = {path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8") for path in sources()}
    assert {page for page, text in pages.items() if BLOCK.search(text)} == {*PAGES, *ELSEWHERE}


def test_commands_on_pages_are_understood(command):
    lines = [
        line for path in sources() for line in re.findall(r"^riskbandits ([^#\n]*)", path.read_text(), re.MULTILINE)
    ]
    assert len(lines) > 15
    for line in lines:
        words = line.split()
        code, _, err = command(*words[:2] if words[0] == "keys" else words[:1], "--help")
        assert code == 0, f"{line}: {err}"


def sources():
    """The pages that are under version control, and not made by a build."""
    made = ("_build", "gallery", "notebooks", "api", "project")
    return [path for path in DOCS.rglob("*.md") if not set(made) & set(path.relative_to(DOCS).parts)]
