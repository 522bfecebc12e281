"""From the bytes of a CSV file to header and rows: encoding, separator, header, row names."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from riskbandits.core import files
from riskbandits.core.errors import FileError, shown
from riskbandits.data import columns, numerals
from riskbandits.data.decoding import decoded
from riskbandits.data.margins import Line, readable, without_margins

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
SPACE, NONE = " ", ""
NAMED_SEPARATOR = re.compile(r"\s*\"?sep=(.)\"?\s*", re.IGNORECASE)  # Excel's first line
QUOTED_LINE = re.compile(r'"[^"\r\n]*[,;\t|][^"\r\n]*"\r?')
WHOLE_PAIR = re.compile(r"[+-]?\d+,\d+")
TOO_LARGE = 10.0  # by how much numbers in the first line exceed all others if they may be heads
LEAST_FOR_NUMBERED_HEADS = 3  # rows, none with a whole number, under the heads 0, 1, 2


class Sheet(NamedTuple):
    """Cells as they stand, the separator between them, and a sentence about each thing that was decided."""

    heads: list[str]
    rows: list[list[str]]
    lines: list[int]  # where in the file each row ends
    separator: str
    notes: list[str]

    def column(self, place: int) -> list[str]:
        """The cells under one head."""
        return [row[place] for row in self.rows]


def read_sheet(path: str | os.PathLike[str]) -> Sheet:
    """The cells of a file; a FileError if they are not a table, or are ambiguous."""
    files.check_readable(path)
    try:
        text, notes = decoded(Path(path).read_bytes())
        return _sheet(text, notes)
    except (ValueError, csv.Error, OSError) as error:
        problem = " ".join(str(getattr(error, "strerror", None) or error).split()).rstrip(".")
        problem = problem.replace("unexpected end of data", "a quotation mark is not closed")
        raise FileError(f"{os.fspath(path)!r} could not be read as a table: {problem}.") from None


def _sheet(text: str, notes: list[str]) -> Sheet:
    text, comments = _without_comments(text)
    if comments:
        lines = "1 line that begins" if comments == 1 else f"{comments} lines that begin"
        notes.append(f"{lines} with # left out.")
    first = text.lstrip("\r\n").partition("\n")[0].rstrip("\r")
    named = NAMED_SEPARATOR.fullmatch(first)
    if named:
        text = text.replace(first, "", 1)
    text = _unquoted_lines(text, notes)
    separator, rows, around = _separated(text, named[1] if named else None)
    notes += around
    rows = _without_empty_ends(rows, notes)
    if not rows:
        raise ValueError("it is empty")
    heads, body = _headed(rows, text, separator, notes)
    _check_widths(heads, body)
    heads = [columns.named(head) for head in heads]
    twice = next((head for head in heads if head and heads.count(head) > 1), None)
    if twice is not None:
        raise ValueError(f"the column {shown(twice)} appears twice")
    if not body:
        raise ValueError("it has a header and no rows")
    return Sheet(heads, [line.cells for line in body], [line.number for line in body], separator, notes)


def _without_comments(text: str) -> tuple[str, int]:
    """The text with lines that begin with # made empty; a single # may be the head of a column of numbers."""
    if not re.search(r"^#", text, re.MULTILINE):
        return text, 0
    kept, left_out, at_top = [], 0, True
    for part in text.split("\n"):
        # Further down only with a space: #N/A is a gap, and #DIV/0! an error, in the first cell of a row.
        comment = part.startswith("#" if at_top else "# ") and not re.match(r"#\s*[,;|\t]", part)
        at_top = at_top and (comment or not part.strip())
        left_out += comment
        kept.append("" if comment else part)
    return "\n".join(kept), left_out


def _unquoted_lines(text: str, notes: list[str]) -> str:
    """The text without quotation marks around whole lines, as spreadsheets write what they took for a single column."""
    lines = text.split("\n")
    if not all(not line.strip() or QUOTED_LINE.fullmatch(line) for line in lines) or not text.strip():
        return text
    if any(numerals.is_numeral(line.strip().strip('"')) for line in lines):
        return text  # a column of numbers with commas, in quotation marks
    notes.append("Quotation marks around whole lines left out.")
    return "\n".join(line.strip().strip('"') for line in lines)


def _parsed(text: str, separator: str) -> list[Line]:
    """All rows that are not blank."""
    if separator == NONE:
        separator = "\x1f"  # stands in no text
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=separator == SPACE, strict=True
    )
    found = []
    for row in reader:
        cells = [cell.strip() for cell in row]
        while separator == SPACE and cells and not cells[-1]:
            cells.pop()
        # A line with nothing on it is none; one with separators or quotation marks alone has gaps in all cells.
        if any(cells) or (cells and not any(cell.isspace() for cell in row)):
            found.append(Line(reader.line_num, cells))
    while found and not any(found[-1].cells):
        found.pop()  # spreadsheets leave such lines at the end
    while found and not any(found[0].cells):
        found.pop(0)
    return found


def _separated(text: str, named: str | None) -> tuple[str, list[Line], list[str]]:
    """The separator by which the text is a table, its rows, and notes; an error if there are two such, or none."""
    if named is not None:
        return named, *without_margins(_parsed(text, named))
    tried: dict[str, list[Line]] = {}
    around: dict[str, list[str]] = {}
    several: ValueError | None = None
    problem: csv.Error | None = None
    for separator in (*(one for one in SEPARATORS if one in text), SPACE, NONE):
        if separator in (SPACE, NONE) and any(
            one in SEPARATORS and _is_table(rows, text, one) for one, rows in tried.items()
        ):
            continue  # not needed
        try:
            rows = _parsed(text, separator)
            tried[separator], around[separator] = without_margins(rows) if separator in SEPARATORS else (rows, [])
        except csv.Error as error:
            problem = problem or error
        except ValueError as error:
            several = several or error
    if problem is not None and NONE not in tried and not any(_is_table(rows, text, one) for one, rows in tried.items()):
        raise problem
    spaced = tried.pop(SPACE, [])
    whole = tried.pop(NONE, [])
    tables = {separator: rows for separator, rows in tried.items() if _is_table(rows, text, separator)}
    if len(tables) > 1:  # a decimal comma parts cells as well, into pieces that say nothing
        read = {separator: rows for separator, rows in tables.items() if _is_readable(rows)}
        tables = read or tables
        # Nor is a header of the width of no row a remark above a table whose first row looks like a header.
        tables = {separator: rows for separator, rows in tables.items() if not around[separator]} or tables
    if len(tables) > 1:
        raise ValueError(f"its cells may be separated by {' or '.join(SEPARATORS[one] for one in tables)}")
    if tables:
        separator, rows = next(iter(tables.items()))
        return separator, rows, around[separator]
    if several is not None:
        raise several
    if (
        spaced
        and _is_table(spaced, text, SPACE)
        and _is_readable(spaced)
        and not any(";" in one.cells[0] for one in whole)
    ):
        return SPACE, spaced, []
    heads = next((line.cells[0] for line in whole), "")
    present = [separator for separator in tried if separator in heads]
    if present:  # rows do not fit the heads: said in terms of what stands most often in those
        separator = max(present, key=lambda one: len(tried[one][0].cells) if tried[one] else 0)
        return separator, tried[separator], around[separator]
    return NONE, whole, []


def _is_table(rows: list[Line], text: str, separator: str) -> bool:
    """Whether rows have one width above 1, leaving out a head that row names lack."""
    widths = {len(line.cells) for line in rows[1:]} or {len(rows[0].cells)} if rows else set()
    if len(widths) != 1 or min(widths) < 2:
        return False
    short = min(widths) - len(rows[0].cells)
    if short == 1 and _has_other_separator(text, rows[0].number, separator):
        return False  # another separator: what parts the rows further down are decimal commas
    return short == 0 or (short == 1 and (_names_rows(rows[1:], text) or not any(one.cells[-1] for one in rows[1:])))


def _has_other_separator(text: str, line: int, separator: str) -> bool:
    head = text.splitlines()[line - 1]
    return any(sign in head for sign in ";\t|" if sign != separator)


def _names_rows(body: list[Line], text: str) -> bool:
    """Whether the first cells are row names for which there is no head, as R writes them: labels, dates, "1", "2"."""
    first = [line.cells[0] for line in body]
    if len(set(first)) < len(first) or not all(first):
        return False
    if not any(numerals.is_numeral(cell) for cell in first):
        return True
    lines = text.splitlines()
    quoted = all(lines[line.number - 1].lstrip().startswith('"') for line in body)
    return quoted and columns.counts(first)


def _is_readable(rows: list[Line]) -> bool:
    """Whether below the first row all cells, but for those in the first column, are numbers, dates or missing."""
    return all(readable(cell) for line in rows[1:] for cell in line.cells[1:])


def _without_empty_ends(rows: list[Line], notes: list[str]) -> list[Line]:
    """Rows without a last cell that is empty in all of them, as separators at the ends of lines leave it."""
    widest = max((len(line.cells) for line in rows), default=0)
    ends = [line for line in rows if len(line.cells) == widest]
    while widest > 1 and len(ends) >= max(1, len(rows) - 1) and not any(line.cells[-1] for line in ends):
        rows = [Line(line.number, line.cells[: widest - 1]) for line in rows]
        if "Empty columns at the end left out." not in notes:
            notes.append("Empty columns at the end left out.")
        widest -= 1
        ends = [line for line in rows if len(line.cells) == widest]
    return rows


def _headed(rows: list[Line], text: str, separator: str, notes: list[str]) -> tuple[list[str], list[Line]]:
    """Heads and the rows below them. Numbers in the first line are rewards, or 0, 1, 2 as heads."""
    first, body = rows[0], rows[1:]
    filled = [cell for cell in first.cells if cell]
    blank_first = not first.cells[0] and len(first.cells) > 1
    if body and len(first.cells) == len(body[0].cells) - 1 and _names_rows(body, text):
        if columns.plain(first.cells[0]) in columns.TIME_HEADS:  # the head of the very column that seems to have none
            raise ValueError(f"its rows have one cell more than the header, which begins with {shown(first.cells[0])}")
        notes.append("The first column has no header and contains row names: it is not an arm.")
        return first.cells, [Line(line.number, line.cells[1:]) for line in body]
    if not all(readable(cell) for cell in filled):
        return first.cells, body
    numbered = columns.counts(filled) or columns.counts(["0", *filled])
    if numbered and blank_first:
        return first.cells, body
    if numbered and len(filled) > 1 and filled[0] == "0" and _numbered_heads(body, len(filled)):
        return first.cells, body
    if numbered and (len(filled) > 1 or filled == ["0"]):
        raise ValueError(
            f"its first line ({shown(' '.join(filled))}) may be a header or rewards: give the columns names"
        )
    if all(numerals.is_missing(cell) for cell in filled):
        return first.cells, body
    if _may_be_numbers_for_heads(filled, body):
        raise ValueError(
            f"its first line ({shown(' '.join(filled))}) may be a header or rewards: give the columns names"
        )
    if separator == "," and all(WHOLE_PAIR.fullmatch(",".join(line.cells)) for line in rows):
        raise ValueError(
            f"{shown(','.join(first.cells))} may be a number with a decimal comma or two columns: give it a header"
        )
    notes.append("There is no header: the columns are called column 1, column 2 and so on.")
    return [f"column {place}" for place in range(1, len(first.cells) + 1)], rows


def _numbered_heads(body: list[Line], columns: int) -> bool:
    """Whether 0, 1, 2 are heads: below them is not one whole number."""
    cells = [cell for line in body for cell in line.cells[-columns:] if not numerals.is_missing(cell)]
    return len(body) >= LEAST_FOR_NUMBERED_HEADS and not any(re.fullmatch(r"[+-]?\d+", cell) for cell in cells)


def _may_be_numbers_for_heads(filled: list[str], body: list[Line]) -> bool:
    """Whether a first line holds whole numbers, such as years, that are far larger than all below, none of which is."""
    if not body or not all(re.fullmatch(r"\d+", cell) for cell in filled):
        return False
    below = [cell for line in body for cell in line.cells if not numerals.is_missing(cell)]
    if any(re.fullmatch(r"[+-]?\d+", cell) for cell in below):
        return False
    found = [one for one in map(numerals.numeral, below) if one is not None]
    sizes = [abs(one.point if one.point is not None else one.comma or 0.0) for one in found]
    return min(map(float, filled)) > TOO_LARGE * max(sizes, default=0.0)


def _check_widths(heads: list[str], body: Iterable[Line]) -> None:
    for line in body:
        if len(line.cells) != len(heads):
            values = "1 value" if len(line.cells) == 1 else f"{len(line.cells)} values"
            columns = "is 1 column" if len(heads) == 1 else f"are {len(heads)} columns"
            raise ValueError(f"line {line.number} has {values} where there {columns}")
