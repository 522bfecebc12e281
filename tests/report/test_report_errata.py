"""The errata on the page are those of the document."""

from __future__ import annotations

import html
import re
from pathlib import Path

from riskbandits import report
from riskbandits.report import errata

DOCUMENT = Path(__file__).parents[2] / "docs" / "errata.md"


def test_all_entries_with_all_fields():
    _, groups = errata.read(errata.document())
    entries = [entry for group in groups for entry in group.entries]
    text = DOCUMENT.read_text(encoding="utf-8")
    assert [entry.name for entry in entries] == re.findall(r"^### (E\d+)\.", text, flags=re.MULTILINE)
    for entry in entries:
        assert [label for label, _ in entry.fields] == ["Printed", "Right", "Checked by", "Changes a conclusion?"]
        assert all(text for _, text in entry.fields)


def test_which_change_a_conclusion():
    _, groups = errata.read(errata.document())
    weights = {entry.name: entry.verdict for group in groups for entry in group.entries}
    assert {name for name, weight in weights.items() if weight == "yes"} == {"E6", "E8", "E9"}
    assert weights["E24"] == "partly"
    assert weights["E20"] == "no"


def test_no_word_of_the_document_is_lost(content):
    def words(text):
        return set(re.findall(r"[A-Za-z0-9_]{3,}", text))

    shown = html.unescape(re.sub(r"<[^>]+>", " ", report.html(content)))
    _, rest = DOCUMENT.read_text(encoding="utf-8").split("\n", 1)
    assert words(rest) - words(shown) == set()
    assert "exp(-(y/rho)^2)" in shown
