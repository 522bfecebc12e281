"""The errata of the paper, read from the document that people read: `docs/errata.md`, which wheels carry along."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

from riskbandits.errors import FileError
from riskbandits.report import markdown
from riskbandits.report.content import ErrataGroup, Erratum

LAST_FIELD = "Changes a conclusion?"


def document() -> str:
    """The text of the document: beside this file in an installed package, under docs/ in a checkout."""
    packaged = resources.files("riskbandits.report") / "errata.md"
    in_checkout = Path(__file__).parents[3] / "docs" / "errata.md"
    for place in (packaged, in_checkout):
        if place.is_file():
            return place.read_text(encoding="utf-8")
    raise FileError("errata.md, a part of riskbandits, is missing: install the package again.")


def read(text: str) -> tuple[str, tuple[ErrataGroup, ...]]:
    """The introduction (blocks of Markdown) and the groups of a document."""
    head, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
    introduction = head.split("\n", 1)[1]
    sorted_by_weight = _weights(introduction)
    return introduction, tuple(_group(section, sorted_by_weight) for section in sections)


def _group(section: str, weights: dict[str, str]) -> ErrataGroup:
    title, rest = section.split("\n", 1)
    text, *entries = re.split(r"^### ", rest, flags=re.MULTILINE)
    return ErrataGroup(title.strip(), tuple(_entry(entry, weights) for entry in entries), text.strip())


def _entry(entry: str, weights: dict[str, str]) -> Erratum:
    heading, body = entry.split("\n", 1)
    name, title = heading.split(". ", 1)
    fields = []
    for item in markdown.items(body):
        label, text = item.removeprefix("**").split("**", 1)
        fields.append((label.rstrip(":"), text.strip()))
    return Erratum(name, title.strip(), tuple(fields), weights.get(name, "no"))


def _weights(introduction: str) -> dict[str, str]:
    """From the table at the head of the document: which entries change a conclusion."""
    weights = {}
    for line in introduction.splitlines():
        if line.startswith("| E"):
            which, _, answer = (cell.strip().strip("*") for cell in line.strip("|").split("|"))
            for name in _names(which):
                weights[name] = answer.split(":")[0].strip("* ")
    return weights


def _names(text: str) -> list[str]:
    """The entries meant by "E1, E4, E18 to E23".

    >>> _names("E1, E4 to E6")
    ['E1', 'E4', 'E5', 'E6']
    """
    names = []
    for part in text.split(","):
        ends = [int(number) for number in re.findall(r"E(\d+)", part)]
        names += [f"E{number}" for number in range(ends[0], ends[-1] + 1)]
    return names
