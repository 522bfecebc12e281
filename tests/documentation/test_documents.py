"""The documents are true: their code runs, their commands exist."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

import riskbandits as rb

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)


def blocks(name: str) -> list[str]:
    return BLOCK.findall((ROOT / name).read_text())


def written(folder: Path) -> list[Path]:
    """The pages of a folder that people wrote: a build of the site makes more of them."""
    made = {"_build", "gallery", "notebooks", "project", "api"}
    return [path for path in folder.rglob("*.md") if not made & set(path.relative_to(folder).parts)]


@pytest.mark.parametrize("number", [n for n, block in enumerate(blocks("README.md")) if "Learner(" not in block])
def test_the_code_in_the_readme_runs(number, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", blocks("README.md")[number]], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    if number == 0:
        [shown] = re.findall(r"```text\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
        assert done.stdout == shown


def test_the_page_on_rho():
    session = "\n".join(blocks("docs/rho.md"))
    examples = doctest.DocTestParser().get_doctest(session, {}, "rho", "docs/rho.md", 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    assert examples.examples
    assert runner.run(examples).failed == 0


def test_the_tutorial_says_what_python_answers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    code = blocks("docs/tutorial.md")
    files = {block.split("\n", 1)[0].removeprefix("# "): block for block in code if block.startswith("# ")}
    assert set(files) == {"lotteries.py", "curious.py"}
    for name, block in files.items():
        Path(name).write_text(block)
    session = "\n".join(block for block in code if block.startswith(">>>"))
    examples = doctest.DocTestParser().get_doctest(session, {}, "tutorial", "docs/tutorial.md", 0)
    problems: list[str] = []
    results = doctest.DocTestRunner(verbose=False).run(examples, out=problems.append)
    for name in files:
        sys.modules.pop(name.removesuffix(".py"), None)
    assert results.attempted
    assert not results.failed, "".join(problems)
    assert Path("regret.png").stat().st_size > 0


def test_the_readme_shows_a_learner_that_works(tmp_path, monkeypatch):
    """It names the better of its two funds, and mostly played it, after a restart too."""
    monkeypatch.chdir(tmp_path)
    [code] = [block for block in blocks("README.md") if "Learner(" in block]
    scope: dict = {}
    exec(code, scope)
    learner = scope["learner"]
    assert learner.best().arm == "bond"  # 0.2 * 0.0003 - 0.004 ** 2 > 0.2 * 0.0006 - 0.02 ** 2
    assert learner.summary().set_index("arm").share["bond"] > 0.7


def test_the_page_on_production_says_what_python_answers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("secrets.token_hex", lambda count: "9f1c03ab")  # the token of its ids
    session = "\n".join(blocks("docs/production.md"))
    examples = doctest.DocTestParser().get_doctest(session, {}, "production", "docs/production.md", 0)
    problems: list[str] = []
    results = doctest.DocTestRunner(verbose=False).run(examples, out=problems.append)
    assert results.attempted
    assert not results.failed, "".join(problems)


@pytest.mark.full
def test_the_page_on_markets_says_what_python_answers():
    pytest.importorskip("arch", reason="docs/markets.md takes its prices from the package arch, which is not installed")
    session = "\n".join(blocks("docs/markets.md"))
    examples = doctest.DocTestParser().get_doctest(session, {}, "markets", "docs/markets.md", 0)
    problems: list[str] = []
    results = doctest.DocTestRunner(verbose=False).run(examples, out=problems.append)
    assert results.attempted
    assert not results.failed, "".join(problems)


def test_commands_in_the_readme_are_understood(command):
    lines = re.findall(r"^riskbandits (.*)$", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert lines
    for line in lines:
        code, _, err = command(*line.split(), "--help")
        assert code == 0, err


@pytest.mark.parametrize(
    "page", [*ROOT.glob("*.md"), *written(ROOT / "docs"), *ROOT.glob("examples/*.md")], ids=lambda page: page.name
)
def test_links_between_documents_lead_somewhere(page):
    """In a fresh clone, that is: a file that is not under version control exists only where it was made."""
    targets = re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
    missing = [one for one in targets if "://" not in one and not (page.parent / one).exists()]
    assert not missing


def test_files_that_documents_name_exist():
    """From the root, or from the package; what commands write is in `results/`."""
    missing = []
    for page in [*ROOT.glob("*.md"), *written(ROOT / "docs"), *ROOT.glob("examples/*.md")]:
        text = page.read_text(encoding="utf-8")
        for name in re.findall(r"`((?!results/)[\w-]+/[\w/.-]+\.(?:py|md|toml|csv))\b[^`]*`", text):
            if not any((folder / name).exists() for folder in (ROOT, ROOT / "src" / "riskbandits")):
                missing.append(f"{page.name} names {name}")
    assert missing == []


def test_every_public_name_has_a_docstring():
    for name in rb.__all__:
        if not name.startswith("__"):
            assert (getattr(rb, name).__doc__ or "").strip(), name


def test_every_package_is_on_the_map():
    text = (ROOT / "ARCHITECTURE.md").read_text()
    for path in (ROOT / "src" / "riskbandits").iterdir():
        if path.is_dir() and not path.name.startswith("__"):
            assert f"`{path.name}/`" in text, path.name


def test_versions_agree():
    assert f"version: {rb.__version__}" in (ROOT / "CITATION.cff").read_text()
    assert f"## {rb.__version__}" in (ROOT / "CHANGELOG.md").read_text()
