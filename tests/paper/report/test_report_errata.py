"""The errata are data: the document and the page of the report say all of it, and the document is up to date."""

from __future__ import annotations

import copy
import html
import re
from pathlib import Path

from markdown_it import MarkdownIt

from riskbandits.paper import report
from riskbandits.paper.report import errata, markdown

DOCUMENT = Path(__file__).parents[3] / "docs" / "errata.md"
FIELDS = ["Printed", "Right", "Checked by", "Changes a conclusion?"]


def entries():
    return [entry for group in errata.read(errata.data())[1] for entry in group.entries]


def words(text):
    return set(re.findall(r"[A-Za-z0-9_]{3,}", text))


def test_the_document_is_up_to_date():
    assert DOCUMENT.read_text(encoding="utf-8") == errata.page(errata.data()), "run `make errata`"


def test_writing_it(tmp_path):
    errata.write(tmp_path / "errata.md")
    assert (tmp_path / "errata.md").read_bytes() == DOCUMENT.read_bytes()


def test_all_entries_with_all_fields_numbered_without_a_gap():
    assert sorted(int(entry.name[1:]) for entry in entries()) == list(range(1, len(entries()) + 1))
    for entry in entries():
        assert [label for label, _ in entry.fields] == FIELDS
        assert all(text for _, text in entry.fields)


def test_the_document_reads_as_it_was_meant():
    # A line that happens to begin with a minus sign would become a list inside an entry.
    tokens = MarkdownIt("commonmark").enable("table").parse(errata.page(errata.data()))
    assert sum(token.type == "list_item_open" for token in tokens) == len(FIELDS) * len(entries())
    levels = [token.tag for token in tokens if token.type == "heading_open"]
    assert levels.count("h3") == len(entries())
    for entry in entries():
        for _, text in entry.fields:
            shown = re.sub(r"<math.*?</math>|<[^>]+>", "", str(markdown.inline(text)))
            assert html.unescape(shown) == re.sub(r"\$[^$]+\$|[`*]", "", text)  # no _ or [ ] was taken for a mark


def test_the_table_at_its_head_lists_every_entry_once():
    introduction, _ = errata.read(errata.data())
    listed = []
    for cell in re.findall(r"^\| (E[^|]+) \|", introduction, flags=re.MULTILINE):
        for part in cell.split(","):
            ends = [int(number) for number in re.findall(r"E(\d+)", part)]
            listed += range(ends[0], ends[-1] + 1)
    assert sorted(listed) == list(range(1, len(entries()) + 1))


def test_which_change_a_conclusion():
    weights = {entry.name: entry.verdict for entry in entries()}
    assert {"E6", "E8", "E9"} <= {name for name, weight in weights.items() if weight == "yes"}
    assert weights["E24"] == "partly"
    assert weights["E20"] == "no"


def test_a_changed_word_changes_document_and_report():
    changed = copy.deepcopy(errata.data())
    changed["groups"][0]["entries"][0]["right"] = "Something else."
    assert "- **Right:** Something else.\n" in errata.page(changed)
    assert errata.read(changed)[1][0].entries[0].fields[1] == ("Right", "Something else.")


def test_no_word_of_the_data_is_lost(content):
    shown = html.unescape(re.sub(r"<[^>]+>", " ", report.html(content)))
    _, rest = re.sub(r"\$[^$]+\$", "", DOCUMENT.read_text(encoding="utf-8")).split("\n", 1)
    assert words(rest) - words(shown) == set()
