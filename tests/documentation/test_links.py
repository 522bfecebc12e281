"""The checker of the built site finds what is broken, and nothing else."""

from __future__ import annotations

import pytest

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
    import links

    source = ["[a](../CONTRIBUTING.md#arms), [b](../../benchmarks/results/bench.md), [c](../src/x.py), [d](rho.md)"]
    links.to_pages(None, "page", source)
    assert source[0] == ("[a](/contributing.md#arms), [b](/benchmarks-in-full.md), [c](../src/x.py), [d](rho.md)")
