"""The page as text: complete, sound, and nothing on it from anywhere else."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from riskbandits.core.errors import FileError
from riskbandits.paper import report
from riskbandits.paper.figures import FIGURES

EMPTY = {"meta", "link", "img", "br", "input", "hr"}


class Outline(HTMLParser):
    """What the checks need to know of a page."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.addresses, self.images, self.headings, self.open = [], [], [], [], []
        self.tables, self.labels = 0, []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.ids += [attributes["id"]] if "id" in attributes else []
        self.addresses += [attributes[name] for name in ("href", "src") if name in attributes]
        self.images += [attributes] if tag == "img" else []
        self.headings += [int(tag[1])] if tag in ("h1", "h2", "h3", "h4") else []
        self.tables += tag == "table"
        self.labels += [attributes["aria-labelledby"]] if tag == "table" and "aria-labelledby" in attributes else []
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def text(content):
    return report.html(content)


@pytest.fixture(scope="module")
def outline(text):
    return Outline(text)


def test_every_part_is_closed_and_every_name_is_used_once(outline):
    assert outline.open == []
    assert [name for name, count in Counter(outline.ids).items() if count > 1] == []


def test_it_needs_nothing_else(outline, text):
    assert all(address.startswith(("#", "data:")) for address in outline.addresses)
    for word in ("http://", "https://", "@import", "url("):
        assert word not in text


def test_links_lead_somewhere(outline):
    links = [address for address in outline.addresses if address.startswith("#")]
    assert len(links) > 15
    assert {link[1:] for link in links} <= set(outline.ids)


def test_headings_step_down_one_at_a_time(outline):
    assert outline.headings[0] == 1
    assert outline.headings.count(1) == 1
    assert all(after - before <= 1 for before, after in zip(outline.headings, outline.headings[1:], strict=False))


def test_every_figure_in_every_view_with_words_for_those_who_cannot_see_it(outline, content):
    assert len(outline.images) == sum(len(figure.views) for figure in FIGURES.values())
    assert all(len(image["alt"]) > 40 for image in outline.images)
    over_time = next(figure for figure in content.figures if figure.name == "figure-4").pictures[0].alternative
    assert "smallest first" in over_time
    assert "MVLCB:sani" in over_time
    assert [p.wide for f in content.figures if f.name == "figure-6" for p in f.pictures] == [False, False, True]


def test_tables_have_captions_outside_of_the_box_that_scrolls(outline, content):
    plain = 3  # tables inside the errata, which have a heading instead
    assert len(outline.labels) == outline.tables - plain
    assert set(outline.labels) <= set(outline.ids)
    assert len(outline.labels) == 2 + len(content.comparisons) + len(content.bounds) + sum(
        claim.evidence is not None for claim in content.claims
    )


def test_the_same_data_give_the_same_page(built, text):
    assert report.html(built()) == text


def test_the_time_taken_is_the_only_thing_that_depends_on_when(content, text):
    changed = report.html(replace(content, seconds="simulating 999 s"))
    assert changed.replace("simulating 999 s", content.seconds) == text


def test_what_is_shown_is_escaped(content):
    changed = replace(content, extent="<script>alert(1)</script> & `<b>`")
    text = report.html(changed)
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; <code>&lt;b&gt;</code>" in text


def test_it_is_written_at_once_or_not_at_all(content, tmp_path, monkeypatch):
    path = report.write(tmp_path / "report.html", content)
    before = path.read_bytes()
    assert before.startswith(b"<!DOCTYPE html>")
    with pytest.raises(FileError, match="could not be written"):
        report.write(tmp_path / "missing" / "report.html", content)
    monkeypatch.setattr(report.page, "html", lambda *given: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        report.write(path, content)
    assert path.read_bytes() == before
