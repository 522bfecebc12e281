"""Every block of code on the site is run by a test: here, or in the test of the page that has it."""

from __future__ import annotations

import doctest
import re
import shlex
import sys
from pathlib import Path

import pytest

from riskbandits.compiling import jit

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
FENCE = re.compile(r"^[ \t]*(?:`{3,}|~{3,}|:{3,})[ \t]*(\S*)", re.MULTILINE)
LANGUAGES = {"", "python", "text", "sh", "bibtex", "nginx", "ini", "yaml", "{toctree}", "{figure}", "{playground}"}
PAGES = sorted(
    str(path.relative_to(DOCS))
    for pattern in ("index.md", "choosing.md", "how-to/*.md", "explanation/*.md")
    for path in DOCS.glob(pattern)
    if BLOCK.search(path.read_text(encoding="utf-8"))
)
# About compiled code, or with more steps than plain Python takes in seconds: compiled here too.
COMPILED = {"how-to/add-your-own.md", "how-to/rewards-often-zero.md", "explanation/lazy-sampling-and-leaps.md"}
# Run by tests/documentation/test_documents.py, tests/service/test_service_in_docs.py and tests/arms/test_correlated.py.
ELSEWHERE = {"tutorial.md", "rho.md", "production.md", "markets.md", "service.md", "dependent-arms.md"}


def sources():
    """The pages that are under version control, and not made by a build."""
    made = ("_build", "gallery", "notebooks", "api", "project")
    return [path for path in DOCS.rglob("*.md") if not set(made) & set(path.relative_to(DOCS).parts)]


def documents():
    """Every document of the repository, by its path: pages of the site and those that have a page on it."""
    paths = [*sources(), *ROOT.glob("*.md"), *ROOT.glob("examples/*.md"), *ROOT.glob("benchmarks/**/*.md")]
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in sorted(paths)}


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
    monkeypatch.setattr(jit, "entry", lambda function, classes, checked=False: function)
    session(page)


@pytest.mark.parametrize("page", ["how-to/add-your-own.md", "how-to/rewards-often-zero.md"])
def test_pages_that_must_be_compiled(page, session):
    session(page)


@pytest.mark.full
@pytest.mark.parametrize("page", PAGES)
def test_pages_say_what_compiled_code_answers(page, session):
    session(page)


def test_no_page_has_code_that_nobody_runs():
    with_code = {name for name, text in documents().items() if BLOCK.search(text)}
    assert with_code == {f"docs/{page}" for page in (*PAGES, *ELSEWHERE)} | {"README.md"}


@pytest.mark.parametrize("page", sorted(ELSEWHERE - {"service.md", "dependent-arms.md"}))
def test_every_block_of_a_session_is_a_file_or_is_typed(page):
    """Their tests type what follows `>>>` and save what begins with a file's name; anything else would not be run."""
    for block in BLOCK.findall((DOCS / page).read_text(encoding="utf-8")):
        assert re.match(r">>> |# \w+\.py\n", block), block


def hiding(text):
    """Why some Python on a page would not be run: it is in a block of another language, in a directive, or indented."""
    languages = FENCE.findall(text)
    found = [f"a block of {one}" for one in languages if one not in LANGUAGES]
    if languages.count("python") != len(BLOCK.findall(text)):
        found.append("a block of Python that is indented or has other fences")
    rest = BLOCK.sub("", text)
    return found + [line[0] for line in re.finditer(r"^\s*(>>> |(import|from) riskbandits).*", rest, re.MULTILINE)]


def test_no_python_hides_from_the_tests():
    assert {name: found for name, text in documents().items() if (found := hiding(text))} == {}


@pytest.mark.parametrize(
    "block",
    [
        "```py\n1 / 0\n```",
        "~~~python\n1 / 0\n~~~",
        "- in a list\n\n  ```python\n  1 / 0\n  ```",
        "```{code-block} python\n1 / 0\n```",
        "```\n>>> 1 / 0\n```",
        "    import riskbandits as rb",
    ],
)
def test_python_that_hides_is_found(block):
    assert len(hiding(f"# New\n\n{block}\n")) == 1


def test_commands_on_pages_are_understood(command):
    """Options and all: an unknown one is an error even before `--help`."""
    lines = [
        line for text in documents().values() for line in re.findall(r"^riskbandits ([^#\n]*)", text, re.MULTILINE)
    ]
    assert lines
    for line in lines:
        code, _, err = command(*shlex.split(line), "--help")
        assert code == 0, f"{line}: {err}"
