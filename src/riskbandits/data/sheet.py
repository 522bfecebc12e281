"""From the bytes of a CSV file to header and rows: encoding, separator, preamble, header, row names."""

from __future__ import annotations

import csv
import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from riskbandits.core import files
from riskbandits.core.display import counted
from riskbandits.core.errors import FileError, shown
from riskbandits.data import columns
from riskbandits.data.dates import is_date
from riskbandits.data.decoding import decode
from riskbandits.data.numbers import is_missing, is_number, parse_number
from riskbandits.data.options import DEFAULTS, NONE, SEPARATORS, SPACE, ReadOptions, option

NAMED_SEPARATOR = re.compile(r"\s*\"?sep=(.)\"?\s*", re.IGNORECASE)  # Excel's first line
QUOTED_LINE = re.compile(r'"[^"\r\n]*[,;\t|][^"\r\n]*"\r?')
WHOLE_PAIR = re.compile(r"[+-]?\d+,\d+")
LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
WHOLE = re.compile(r"[+-]?\d+")
TOO_LARGE = 10.0  # by how much numbers in the first line exceed all others if they may be a header
LEAST_FOR_NUMBERED_HEADS = 3  # rows, none with a whole number, under the header 0, 1, 2
MOST_CELLS = 20_000_000  # and half as many rows: each takes about a hundred bytes of memory
# The first cells of the header rows of yfinance, and the prices to take, the best first.
FIELD, TICKER = "price", "ticker"
CLOSING = ("adj close", "close")


class TooLargeError(ValueError):
    """A file has more cells than are read as text."""


class Line(NamedTuple):
    """A row of the file, and the number of the line in which it ends."""

    number: int
    cells: list[str]


class Sheet(NamedTuple):
    """Cells as they stand, the separator between them, and a sentence about each thing that was decided."""

    heads: list[str]
    rows: list[list[str]]
    separator: str
    notes: list[str]
    prices: bool = False  # whether the header says that these are prices

    def column(self, place: int) -> list[str]:
        """The cells under one header."""
        return [row[place] for row in self.rows]


def read_sheet(path: str | os.PathLike[str], options: ReadOptions = DEFAULTS) -> Sheet:
    """The cells of a file; a FileError if they are not a table, or are ambiguous."""
    files.check_readable(path)
    try:
        text, notes = decode(Path(path).read_bytes(), options.encoding)
        return _sheet(text, notes, options)
    except (ValueError, csv.Error, OSError) as error:
        problem = " ".join(str(getattr(error, "strerror", None) or error).split()).rstrip(".")
        problem = problem.replace("unexpected end of data", "a quotation mark is not closed")
        raise FileError(f"{os.fspath(path)!r} could not be read as a table: {problem}.") from None


def _sheet(text: str, notes: list[str], options: ReadOptions) -> Sheet:
    text, comments = _without_comments(text)
    if comments:
        lines = "1 line that begins" if comments == 1 else f"{comments} lines that begin"
        notes.append(f"{lines} with # left out.")
    first = text.lstrip("\r\n").partition("\n")[0].rstrip("\r")
    named = NAMED_SEPARATOR.fullmatch(first)
    if named:
        text = text.replace(first, "", 1)
    text = _unquoted_lines(text, notes)
    asked = options.separator if options.separator is not None else named[1] if named else None
    separator, rows, around = _separated(text, asked, options.header)
    notes += around
    rows = _without_empty_ends(rows, notes)
    if not rows:
        raise ValueError("it is empty")
    downloaded = _yfinance(rows)
    if downloaded is not None:
        return Sheet(*downloaded, separator, [*notes, _said_of_yfinance(downloaded)], True)
    heads, body = _headed(rows, text, separator, notes, options.header)
    _check_widths(heads, body, separator)
    heads = [columns.clean_header(head) for head in heads]
    check_different(heads)
    if not body:
        raise ValueError("it has a header and no rows")
    return Sheet(heads, [line.cells for line in body], separator, notes)


def check_different(heads: Sequence[str]) -> None:
    """Raise if two columns have the same name."""
    twice = next((head for head, number in Counter(heads).items() if head and number > 1), None)
    if twice is not None:
        raise ValueError(f"the column {shown(twice)} appears twice")


def readable(cell: str) -> bool:
    """Whether a cell is a number, a date or missing."""
    return is_missing(cell) or is_number(cell) or is_date(cell)


def _without_comments(text: str) -> tuple[str, int]:
    """The text with lines that begin with # made empty; a single # may be the header of a column of numbers."""
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
    if not text.lstrip().startswith('"'):
        return text
    lines = text.split("\n")
    if not all(not line.strip() or QUOTED_LINE.fullmatch(line) for line in lines):
        return text
    if any(is_number(line.strip().strip('"')) for line in lines):
        return text  # a column of numbers with commas, in quotation marks
    notes.append("Quotation marks around whole lines left out.")
    return "\n".join(line.strip().strip('"') for line in lines)


def _parsed(text: str, separator: str) -> list[Line]:
    """All rows that are not blank."""
    if separator == NONE:
        separator = "\x1f"  # stands in no text
    lines = (found[0] for found in LINES.finditer(text))
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=separator == SPACE, strict=True)
    found, number = [], 0
    for row in reader:
        cells = [cell.strip() for cell in row]
        while separator == SPACE and cells and not cells[-1]:
            cells.pop()
        # A line with nothing on it is none; one with separators or quotation marks alone has gaps in all cells.
        if any(cells) or (cells and not any(cell.isspace() for cell in row)):
            found.append(Line(reader.line_num, cells))
            number += len(cells) + 1
            if number > MOST_CELLS:
                raise TooLargeError(f"it has more than {MOST_CELLS:,} cells and rows: write it as Parquet, or in parts")
    while found and not any(found[-1].cells):
        found.pop()  # spreadsheets leave such lines at the end
    while found and not any(found[0].cells):
        found.pop(0)
    return found


def _separated(text: str, asked: str | None, header: bool | int | None) -> tuple[str, list[Line], list[str]]:
    """The separator by which the text is a table, its rows, and notes; an error if there are two such, or none."""
    if asked is not None:
        return asked, *_without_preamble(_parsed(text, asked), header)
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
            known = separator in SEPARATORS or not isinstance(header, (bool, type(None)))
            tried[separator], around[separator] = _without_preamble(rows, header) if known else (rows, [])
        except csv.Error as error:
            problem = problem or error
        except TooLargeError:
            raise
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
        either = " or ".join(SEPARATORS[one] for one in tables)
        raise ValueError(f"its cells may be separated by {either}: {option('separator')} says which")
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
        return SPACE, spaced, around[SPACE]
    heads = next((line.cells[0] for line in whole), "")
    present = [separator for separator in tried if separator in heads]
    if present:  # rows do not fit the header: said in terms of what stands most often in it
        separator = max(present, key=lambda one: len(tried[one][0].cells) if tried[one] else 0)
        return separator, tried[separator], around[separator]
    return NONE, whole, around.get(NONE, [])


def _without_preamble(rows: list[Line], header: bool | int | None = None) -> tuple[list[Line], list[str]]:
    """The rows of the table, and a sentence about the lines around it: titles, sources; all rows in case of doubt.

    Above a table may stand lines of another width, or with nothing but a first cell, if then comes a header: a line of
    the table's width in which no cell is a number or a date. Below it may stand lines with nothing but a first cell
    that is no number and no date. `header` is the line in which the header stands, if a number was given.
    """
    given = None if header is None or isinstance(header, bool) else header
    first = 0 if given is None else next((k for k, line in enumerate(rows) if line.number >= given), len(rows))
    if given is not None and (first == len(rows) or rows[first].number > given):
        raise ValueError(f"there is no header in line {given}, which is empty: {option('header')} names another one")
    width = Counter(len(line.cells) for line in rows[first:]).most_common(1)[0][0] if rows[first:] else 0
    if len(rows) - first < 3 or width < 2:
        return rows[first:], _said(rows[:first], "above")
    last = len(rows)
    while last > 0 and _is_outside(rows[last - 1]):
        last -= 1
    if given is None:
        inside = (place for place, line in enumerate(rows) if len(line.cells) == width and not _is_outside(line))
        first = next(inside, 0)
        first = first if first and _is_header(rows[first]) else 0
    if last <= first + 1:
        return rows, []
    _check_one_table(rows[first:last])
    return rows[first:last], [*_said(rows[:first], "above"), *_said(rows[last:], "below")]


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
    if not rows or not _is_header(rows[0]) or _yfinance(rows) is not None:
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


def _is_table(rows: list[Line], text: str, separator: str) -> bool:
    """Whether rows have one width above 1, leaving out a header that row names lack."""
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
    """Whether the first cells are row names without a header, as R writes them: labels, dates, "1", "2"."""
    first = [line.cells[0] for line in body]
    if len(set(first)) < len(first) or not all(first):
        return False
    if not any(is_number(cell) for cell in first):
        return True
    lines = text.splitlines()
    quoted = all(lines[line.number - 1].lstrip().startswith('"') for line in body)
    return quoted and columns.is_enumeration(first)


def _is_readable(rows: list[Line]) -> bool:
    """Whether below the first row all cells, but for those in the first column, are numbers, dates or missing."""
    return all(readable(cell) for line in rows[1:] for cell in line.cells[1:])


def _without_empty_ends(rows: list[Line], notes: list[str]) -> list[Line]:
    """Rows without last cells that are empty in all of them, as separators at the ends of lines leave them."""
    widest = max((len(line.cells) for line in rows), default=0)
    ends = [line for line in rows if len(line.cells) == widest]
    if widest < 2 or len(ends) < max(1, len(rows) - 1):
        return rows
    filled = max((place for line in rows for place in [_last_filled(line.cells)]), default=0)
    kept = max(filled, 1)
    if kept == widest:
        return rows
    notes.append("Empty columns at the end left out.")
    return [Line(line.number, line.cells[:kept]) for line in rows]


def _last_filled(cells: Sequence[str]) -> int:
    """How many cells there are up to the last one that is not empty."""
    return next((place for place in range(len(cells), 0, -1) if cells[place - 1]), 0)


def _yfinance(rows: Sequence[Line]) -> tuple[list[str], list[list[str]]] | None:
    """Header and rows of a download of yfinance, whose header has a row of fields and one of tickers.

    Of each ticker the closing price is taken, adjusted if it is there.
    """
    if len(rows) < 4 or len({len(line.cells) for line in rows}) != 1:
        return None
    beginnings = [line.cells[0].lower() for line in rows[:2]]
    if sorted(beginnings) != [FIELD, TICKER] or any(rows[2].cells[1:]) or not rows[2].cells[0]:
        return None
    fields, tickers = (rows[beginnings.index(name)].cells for name in (FIELD, TICKER))
    lowered = [field.lower() for field in fields]
    wanted = next((one for one in CLOSING if one in lowered), None)
    if wanted is None:
        return None
    places = [place for place, field in enumerate(lowered) if field == wanted]
    heads = [rows[2].cells[0], *(tickers[place] for place in places)]
    return heads, [[line.cells[0], *(line.cells[place] for place in places)] for line in rows[3:]]


def _said_of_yfinance(found: tuple[list[str], list[list[str]]]) -> str:
    heads = found[0][1:]
    check_different(heads)
    of = counted(len(heads), "ticker")
    return f"The header has two rows, of prices and of tickers: the closing price of {of} is taken."


def _headed(
    rows: list[Line], text: str, separator: str, notes: list[str], header: bool | int | None
) -> tuple[list[str], list[Line]]:
    """Header and the rows below it. Numbers in the first line are rewards, or 0, 1, 2 as a header."""
    first, body = rows[0], rows[1:]
    filled = [cell for cell in first.cells if cell]
    blank_first = not first.cells[0] and len(first.cells) > 1
    if header is not False and body and len(first.cells) == len(body[0].cells) - 1 and _names_rows(body, text):
        # The header of the very column that seems to have none.
        if columns.normalized(first.cells[0]) in columns.TIME_HEADS:
            raise ValueError(f"its rows have one cell more than the header, which begins with {shown(first.cells[0])}")
        notes.append("The first column has no header and contains row names: it is not an arm.")
        return first.cells, [Line(line.number, line.cells[1:]) for line in body]
    if header is None and _has_header(first, body, filled, blank_first, separator, rows):
        return first.cells, body
    if header not in (None, False):  # a line may be given by its number, which is 1 for the first
        return first.cells, body
    notes.append("There is no header: the columns are called column 1, column 2 and so on.")
    return [f"column {place}" for place in range(1, len(first.cells) + 1)], rows


def _has_header(
    first: Line, body: list[Line], filled: list[str], blank_first: bool, separator: str, rows: list[Line]
) -> bool:
    """Whether the first line is a header; an error if there is no telling."""
    if not all(readable(cell) for cell in filled):
        return True
    numbered = columns.is_enumeration(filled) or columns.is_enumeration(["0", *filled])
    if numbered and (blank_first or (len(filled) > 1 and filled[0] == "0" and _numbered_heads(body, len(filled)))):
        return True
    if numbered and (len(filled) > 1 or filled == ["0"]):
        raise _header_or_rewards(filled)
    if all(is_missing(cell) for cell in filled):
        return True
    if _may_be_numbers_for_heads(filled, body):
        raise _header_or_rewards(filled)
    if separator == "," and all(WHOLE_PAIR.fullmatch(",".join(line.cells)) for line in rows):
        raise ValueError(
            f"{shown(','.join(first.cells))} may be a number with a decimal comma or two columns: "
            f"{option('separator')} is 'none' or a comma, with {option('header', 'False')}"
        )
    return False


def _header_or_rewards(filled: Sequence[str]) -> ValueError:
    line = shown(" ".join(filled))
    return ValueError(
        f"its first line ({line}) may be a header or rewards: {option('header')} True or False says which"
    )


def _numbered_heads(body: list[Line], width: int) -> bool:
    """Whether 0, 1, 2 are a header: below it is not one whole number."""
    cells = [cell for line in body for cell in line.cells[-width:] if not is_missing(cell)]
    return len(body) >= LEAST_FOR_NUMBERED_HEADS and not any(WHOLE.fullmatch(cell) for cell in cells)


def _may_be_numbers_for_heads(filled: list[str], body: list[Line]) -> bool:
    """Whether a first line holds whole numbers, such as years, that are far larger than all below, none of which is."""
    if not body or not all(re.fullmatch(r"\d+", cell) for cell in filled):
        return False
    below = [cell for line in body for cell in line.cells if not is_missing(cell)]
    if any(WHOLE.fullmatch(cell) for cell in below):
        return False
    found = [one for one in map(parse_number, below) if one is not None]
    sizes = [abs(one.point if one.point is not None else one.comma or 0.0) for one in found]
    return min(map(float, filled)) > TOO_LARGE * max(sizes, default=0.0)


def _check_widths(heads: list[str], body: Iterable[Line], separator: str) -> None:
    for line in body:
        if len(line.cells) != len(heads):
            values = "1 value" if len(line.cells) == 1 else f"{len(line.cells)} values"
            columns = "is 1 column" if len(heads) == 1 else f"are {len(heads)} columns"
            parted = f", parted by {SEPARATORS[separator]}" if separator in SEPARATORS else ""
            raise ValueError(
                f"line {line.number} has {values} where there {columns}{parted}: {option('separator')} is another one, "
                "or correct the line"
            )
