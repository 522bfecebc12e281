"""The checker of the built site finds what is broken, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"

GOOD = '<a href="other.html#here">x</a><a href="https://example.org">y</a><img src="picture.svg"><a href="#">z</a>'


@pytest.fixture
def site(tmp_path):
    (tmp_path / "picture.svg").write_text("<svg/>")
    (tmp_path / "other.html").write_text('<h1 id="here">Here</h1>')
    return tmp_path


def found(site, body):
    import links

    (site / "page.html").write_text(body)
    return links.problems(site)


def test_a_site_without_faults(site):
    assert found(site, GOOD) == []


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('<a href="gone.html">x</a>', "which is not there"),
        ('<a href="other.html#gone">x</a>', "no such place"),
        ('<a href="#gone">x</a>', "no such place"),
        ('<img src="gone.png">', "which is not there"),
        ('<iframe src="gone.html"></iframe>', "which is not there"),
        ('<script src="https://example.org/a.js"></script>', "loads https://example.org/a.js"),
        ('<link href="//example.org/a.css">', "loads //example.org/a.css"),
    ],
)
def test_faults_are_named(site, body, words):
    [problem] = found(site, body)
    assert problem.startswith("page.html")
    assert words in problem


def test_links_out_of_the_folder_find_their_page():
    import outside_documents as outside

    docs = outside.ROOT / "docs"
    text = (
        "[a](../../CONTRIBUTING.md#arms), [b](../../benchmarks/results/bench.md), [c](../rho.md), [d](https://x.org/y)"
    )
    assert outside.led(text, docs / "how-to", outside.pages(), here=True) == (
        "[a](/project/contributing.md#arms), [b](/project/benchmarks-results-bench.md), [c](../rho.md), [d](https://x.org/y)"
    )


def test_links_of_the_documents_outside_find_the_pages_inside():
    import outside_documents as outside

    text = "[a](docs/rho.md#x), [b](SECURITY.md), [c](LICENSE), [d](gone.md)"
    assert outside.led(text, outside.ROOT, outside.pages(), here=False) == (
        "[a](/rho.md#x), [b](/project/security.md), [c](/../LICENSE), [d](gone.md)"
    )


def test_every_report_of_a_benchmark_has_a_page(tmp_path):
    import outside_documents as outside

    outside.write(tmp_path)
    written = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "project").iterdir()}
    assert "benchmarks-gpu-results-timings.md" in written
    assert written["benchmarks-results-bench.md"].startswith("---\norphan: true\n---\n# ")
    assert written["changelog.md"].startswith("# Changes")


@pytest.mark.parametrize("folder", ["how-to", "explanation", "studies", "decisions"])
def test_an_index_links_to_every_page_without_the_site_too(folder):
    """The table of contents that Sphinx reads is no list of links where a repository is shown."""
    index = DOCS / folder / "index.md"
    text = index.read_text(encoding="utf-8")
    listed = re.findall(r"^- \[(.+)\]\((.+)\.md\)", text, re.MULTILINE)
    assert {path.stem for path in index.parent.glob("*.md")} - {"index"} <= {name for _, name in listed}
    for words, name in listed:
        page = (index.parent / f"{name}.md").read_text(encoding="utf-8")
        assert page.splitlines()[0] == f"# {words}"
