"""The errata of the paper, from `errata.toml`: the groups that the report shows, and the page `docs/errata.md`."""

from __future__ import annotations

import textwrap
import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from riskbandits.core import files
from riskbandits.paper.report.content import ErrataGroup, Erratum

# The parts of an entry, in the order in which they are read, and what they are called.
FIELDS = {"printed": "Printed", "right": "Right", "checked": "Checked by", "conclusion": "Changes a conclusion?"}
ANSWERS = {"yes": "**yes**", "partly": "partly: see each", "no": "no"}


def data() -> dict[str, Any]:
    """The file as it is."""
    return tomllib.loads((resources.files("riskbandits.paper.report") / "errata.toml").read_text(encoding="utf-8"))


def read(source: Mapping[str, Any]) -> tuple[str, tuple[ErrataGroup, ...]]:
    """The introduction (Markdown, with a table of all entries at its end) and the groups."""
    changes = {kind["name"]: kind["changes"] for kind in source["kinds"]}
    groups = tuple(
        ErrataGroup(
            group["title"],
            tuple(
                Erratum(
                    entry["name"],
                    entry["title"],
                    tuple((label, entry[field].strip()) for field, label in FIELDS.items()),
                    changes[entry["kind"]],
                )
                for entry in group.get("entries", ())
            ),
            group.get("text", "").strip(),
        )
        for group in source["groups"]
    )
    return f"{source['introduction'].strip()}\n\n{_table(source)}", groups


def page(source: Mapping[str, Any]) -> str:
    """The document that people read, as Markdown."""
    introduction, groups = read(source)
    parts = [f"# {source['title']}", introduction]
    for group in groups:
        parts += [f"## {group.title}", *([group.text] if group.text else []), *map(_entry, group.entries)]
    return "\n\n".join(parts) + "\n"


def _entry(entry: Erratum) -> str:
    items = [
        textwrap.indent(f"**{label}{'' if label.endswith('?') else ':'}** {text}", "  ").replace("  ", "- ", 1)
        for label, text in entry.fields
    ]
    return "\n".join([f"### {entry.name}. {entry.title}", *items])


def _table(source: Mapping[str, Any]) -> str:
    """Which entries there are of each kind, and whether they change a conclusion."""
    entries = [entry for group in source["groups"] for entry in group.get("entries", ())]
    rows = ["| entries | about | changes a conclusion? |", "|---|---|---|"]
    for kind in source["kinds"]:
        numbers = sorted(int(entry["name"][1:]) for entry in entries if entry["kind"] == kind["name"])
        rows.append(f"| {_names(numbers)} | {kind['about']} | {ANSWERS[kind['changes']]} |")
    return "\n".join(rows)


def _names(numbers: Sequence[int]) -> str:
    """Numbers in ascending order as a reader would list them.

    >>> _names([1, 4, 5, 6, 8, 9])
    'E1, E4 to E6, E8, E9'
    """
    parts: list[str] = []
    start = 0
    for end in range(1, len(numbers) + 1):
        if end == len(numbers) or numbers[end] != numbers[end - 1] + 1:
            names = [f"E{number}" for number in numbers[start:end]]
            parts += names if len(names) < 3 else [f"{names[0]} to {names[-1]}"]
            start = end
    return ", ".join(parts)


def write(path: str | Path) -> None:
    """Write the page to a file, at once or not at all (`make errata`)."""
    with files.replacing(path) as temporary:
        Path(temporary).write_text(page(data()), encoding="utf-8")
