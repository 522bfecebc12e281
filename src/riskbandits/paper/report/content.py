"""What the page shows, as plain data: texts, tables, pictures. The template adds nothing but their arrangement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

# Headings and texts may hold marks of `markdown.inline`: `code`, **bold**, links.


class Cell(NamedTuple):
    """A cell of a table: what is read, by what the column is sorted, and a class for its looks."""

    text: str
    order: float | str
    style: str = ""


class Column(NamedTuple):
    """A column of a table: its heading and whether it holds numbers."""

    title: str
    numeric: bool = True


@dataclass(frozen=True)
class Table:
    """A table that can be sorted. `name` is unique on the page; `notes` explain its columns and marks."""

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: str = ""


class Picture(NamedTuple):
    """A figure in one of its views; `source` is a data: address."""

    view: str
    source: str
    caption: str
    alternative: str
    wide: bool
    links: tuple[tuple[str, str], ...] = ()  # words and addresses: the same as PDF, its numbers as CSV


@dataclass(frozen=True)
class Figure:
    """A figure in all its views, with what to see in it."""

    name: str
    number: str  # as it is printed
    title: str
    caption: str
    pictures: tuple[Picture, ...]

    @property
    def columns(self) -> int:
        """How many pictures stand side by side: all that are not wide, up to three."""
        narrow = sum(not picture.wide for picture in self.pictures)
        return max(1, narrow if narrow <= 3 else 2)


@dataclass(frozen=True)
class Verdict:
    """A verdict and how often it was given. `style` names its colour; the symbol survives grey print."""

    name: str
    symbol: str
    style: str
    number: int = 0


@dataclass(frozen=True)
class Claim:
    """A claim of the paper with its verdict and evidence."""

    name: str
    statement: str
    place: str
    measure: str
    verdict: Verdict
    condition: str  # with what it holds, if it holds only with something
    sentence: str
    evidence: Table | None


class Finding(NamedTuple):
    """A sentence for the first screen, and where on the page its evidence is."""

    headline: str
    text: str
    anchor: str


class Fact(NamedTuple):
    """A setting and its value."""

    name: str
    value: str


class Difference(NamedTuple):
    """A place where the paper's text and the authors' scripts part, what is done here, and what it amounts to."""

    subject: str
    printed: str
    scripts: str
    here: str
    amount: str  # from the runs or from theory; may be empty


@dataclass(frozen=True)
class Erratum:
    """One entry of the errata."""

    name: str
    title: str
    fields: tuple[tuple[str, str], ...]
    verdict: str  # "yes", "partly" or "no": whether it changes a conclusion


@dataclass(frozen=True)
class ErrataGroup:
    """Errata under one heading; `text` is what stands there besides entries, as blocks of `markdown`."""

    title: str
    entries: tuple[Erratum, ...]
    text: str


@dataclass(frozen=True)
class Content:
    """The whole page."""

    introduction: tuple[str, ...]
    extent: str  # how much was run, in a sentence
    findings: tuple[Finding, ...]
    verdicts: tuple[Verdict, ...]
    multiplicity: str  # what so many claims at once mean for the verdicts, in a sentence
    facts: tuple[Fact, ...]
    experiments: Table
    figures: tuple[Figure, ...]
    claims: tuple[Claim, ...]
    comparisons: tuple[Table, ...]
    better: tuple[Table, ...]  # the recommended policies beside the paper's; empty if they were not simulated
    growth: tuple[Table, ...]  # up to 10^12 steps; empty if it was not simulated
    bounds: tuple[Table, ...]
    bounds_notes: tuple[str, ...]
    differences: tuple[Difference, ...]
    errata_introduction: str
    errata: tuple[ErrataGroup, ...]
    seconds: str
