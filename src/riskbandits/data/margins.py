"""Lines above and below a table that are not part of it: titles, who made it, where it is from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from riskbandits.core.errors import shown
from riskbandits.data import dates, numerals


class Line(NamedTuple):
    """A row of the file, and where it ends."""

    number: int
    cells: list[str]


def without_margins(rows: list[Line]) -> tuple[list[Line], list[str]]:
    """The rows of the table, and a sentence about the lines around it; all rows where there is no telling.

    Above a table may stand lines of another width, or with nothing but a first cell, if then comes a header: a line of
    the table's width in which no cell is a number or a date. Below it may stand lines with nothing but a first cell
    that is no number and no date.
    """
    if len(rows) < 3:
        return rows, []
    width = Counter(len(line.cells) for line in rows).most_common(1)[0][0]
    if width < 2:
        return rows, []
    last = len(rows)
    while last > 0 and _is_outside(rows[last - 1]):
        last -= 1
    first = next((place for place, line in enumerate(rows) if len(line.cells) == width and not _is_outside(line)), 0)
    if first and not _is_header(rows[first]):
        first = 0
    if last <= first + 1:
        return rows, []
    _check_one_table(rows[first:last])
    above, below = rows[:first], rows[last:]
    return rows[first:last], [*_said(above, "above"), *_said(below, "below")]


def readable(cell: str) -> bool:
    """Whether a cell is a number, a date or missing."""
    return numerals.is_missing(cell) or numerals.is_numeral(cell) or dates.is_date(cell)


def _is_remark(line: Line) -> bool:
    """Whether a line has nothing but a first cell, and that is neither a number nor a date."""
    cells = line.cells
    return not any(cells[1:]) and bool(cells[0]) and not readable(cells[0])


def _is_outside(line: Line) -> bool:
    return not any(line.cells) or _is_remark(line)


def _is_header(line: Line) -> bool:
    filled = [cell for cell in line.cells if cell]
    return bool(filled) and not any(map(readable, filled))


def _check_one_table(rows: Sequence[Line]) -> None:
    """Refuse a second table below the first: it has a title, or the same header again."""
    if not rows or not _is_header(rows[0]):
        return
    beginning = rows[0].cells
    for place, line in enumerate(rows[1:], start=1):
        if _is_remark(line) and any(_is_header(one) and len(one.cells) > 1 for one in rows[place + 1 : place + 2]):
            raise ValueError(f"it contains two tables, the second from line {line.number} on: keep one of them")
        if line.cells == beginning:
            raise ValueError(f"its header is repeated in line {line.number}: keep one table")


def _said(lines: Sequence[Line], where: str) -> list[str]:
    if not lines:
        return []
    number = "1 line" if len(lines) == 1 else f"{len(lines)} lines"
    beginning = next((cell for line in lines for cell in line.cells if cell), "")
    return [f"{number} {where} the table left out, beginning with {shown(beginning)}."]
