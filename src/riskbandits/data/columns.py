"""Which columns of a table are arms, and which are dates or row numbers; each ignored column is reported."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from riskbandits.core.errors import shown
from riskbandits.data.dates import NAMES, Dates, dates_in, is_date
from riskbandits.data.numbers import is_missing, parse_number, uniform
from riskbandits.data.options import DEFAULTS, IGNORE, ReadOptions, option

ARM, DATE, LEFT_OUT = "arm", "date", "left out"
# Headers of columns that count rows or tell the time, normalized.
INDEX_HEADS = frozenset(
    ("index", "id", "nr", "no", "row", "obs", "n", "t", "step", "period", "x", "#", "trial", "round")
)
TIME_HEADS = frozenset(
    (
        "date",
        "day",
        "time",
        "datetime",
        "timestamp",
        "ts",
        "month",
        "year",
        "week",
        "quarter",
        "weekday",
        "hour",
        "minute",
    )
) | {"datum", "tag", "monat", "jahr"}
# Of these, the ones that nobody would call an arm.
MOMENT_HEADS = frozenset(("date", "datum", "datetime", "time", "timestamp", "ts", "year", "jahr"))
PARTS_OF_DATES = {
    **dict.fromkeys(("day", "tag"), (1, 31)),
    **dict.fromkeys(("month", "monat"), (1, 12)),
    **dict.fromkeys(("year", "jahr"), (1700, 2300)),
    "week": (1, 53),
    "quarter": (1, 4),
    "weekday": (0, 7),
    "hour": (0, 24),
    "minute": (0, 59),
}
MADE_UP = re.compile(r"Unnamed: \d+(?:\.\d+)?|\.\.\.\d+")
COUNTER = re.compile(r"\d{1,15}(?:\.0+)?")
LEAST_TO_COUNT = 3
SAYS = f"{option('arms')} says which columns are arms"
SERIALS = ((20_000, 80_000), (5e8, 5e9), (5e11, 5e12))  # days as Excel counts them; seconds and their thousandths


class ColumnKind(NamedTuple):
    """What a column holds, and a sentence if it is not an arm."""

    kind: str
    note: str | None = None
    dates: Dates | None = None


def clean_header(head: object) -> str:
    """A column's name without needless spaces; nothing for those that pandas and R make up where there is none.

    >>> clean_header(" Adj  Close"), clean_header("Unnamed: 0.1"), clean_header("...1")
    ('Adj Close', '', '')
    """
    found = " ".join(str(head).split())
    return "" if MADE_UP.fullmatch(found) else found


def is_enumeration(cells: Sequence[str]) -> bool:
    """Whether cells are 0, 1, 2, ... or 1, 2, 3, ... in this order."""
    return any(list(cells) == [str(k + start) for k in range(len(cells))] for start in (0, 1))


def is_counter(place: int, head: str, cells: Sequence[str]) -> bool:
    """Whether a column of whole numbers counts the rows or tells the time: it is not an arm, whatever the others are.

    >>> is_counter(0, "day", ["1", "2", "4"]), is_counter(0, "", ["7.0", "8.0"]), is_counter(0, "bond", ["1", "2", "4"])
    (True, True, False)
    """
    timely = normalized(head) in TIME_HEADS
    if not (timely or normalized(head) in INDEX_HEADS or (not head and place == 0)) or len(cells) < 2:
        return False
    if not all(COUNTER.fullmatch(cell) for cell in cells):
        return False
    numbers = np.array(cells, dtype=float)
    steps = np.diff(numbers)
    rises = bool((steps > 0.0).all()) and (timely or place == 0 or bool((steps == 1.0).all()))
    return rises or (timely and _is_part_of_date(normalized(head), numbers))


def column_label(place: int, head: str) -> str:
    """What a column is called in sentences."""
    return head or f"column {place + 1} (no header)"


def normalized(head: str) -> str:
    """A column's name without punctuation and in small letters, as the word lists have it.

    >>> normalized("Nr."), normalized("Adj Close"), normalized("#")
    ('nr', 'adjclose', '#')
    """
    return re.sub(r"[\W_]", "", head.lower()) or head.strip()


def classify_column(
    place: int, head: str, cells: Sequence[str], several: bool, options: ReadOptions = DEFAULTS
) -> ColumnKind:
    """What a column of cells is; an error if it is neither numbers nor anything that may be left out."""
    name = f"Column {head!r}" if head else f"Column {place + 1}, which has no header,"
    filled = [cell for cell in cells if not is_missing(cell)]
    if not filled and (not head or several):
        return ColumnKind(LEFT_OUT, f"{name} is empty{'' if head == '' else ' and not an arm'}.")
    timely = normalized(head) in TIME_HEADS
    odd = (
        None
        if uniform(cells, options) is not None
        else next((cell for cell in filled if parse_number(cell, options) is None), None)
    )
    if odd is None:
        in_digits = dates_in(cells, True, options.dates) if timely or not head or place == 0 else None
        if in_digits is not None and _may_be_dates(filled, timely or (not head and place == 0)):
            return _date_column(head, name, cells, (timely or place == 0) and options.dates != IGNORE, in_digits)
        return ColumnKind(ARM)
    found = dates_in(cells, asked=options.dates)
    if found is not None:
        return _date_column(head, name, cells, (timely or place == 0) and options.dates != IGNORE, found)
    is_index = not head or normalized(head) in INDEX_HEADS
    if place == 0 and is_index and several and len(set(filled)) == len(cells):
        return ColumnKind(LEFT_OUT, "The first column contains row names: it is not an arm.")
    if timely and all(NAMES.fullmatch(cell) for cell in filled):
        return ColumnKind(LEFT_OUT, f"{name} contains times and is not an arm.")
    if dates_in([cell for cell in filled if parse_number(cell, options) is None]) is not None or timely:
        other = next((cell for cell in filled if not is_date(cell)), filled[-1])
        raise ValueError(
            f"column {shown(head)} must be dates in one format, or only numbers: see {shown(other)}; "
            f"{option('dates')} gives the format, {option('arms')} takes other columns"
        )
    raise ValueError(
        f"column {shown(head)} must be numbers (or dates, which are ignored): {shown(odd)} is neither; "
        f"{option('arms')} takes other columns"
    )


def _date_column(head: str, name: str, cells: Sequence[str], dates_rows: bool, found: Dates) -> ColumnKind:
    """A column of dates. If it says when the rewards were paid, a last row without a date may be one of totals."""
    missing = sum(map(is_missing, cells))
    if dates_rows and missing and is_missing(cells[-1]):
        raise ValueError(
            f"the last row has no entry in column {shown(head)} and may hold totals: remove it, or ignore the dates "
            f"with {option('dates', 'none')}"
        )
    gaps = f" {missing} of {len(cells)} are missing." if missing else ""
    return ColumnKind(DATE, f"{name} contains dates and is not an arm.{gaps}", found)


def _may_be_dates(filled: list[str], timely: bool) -> bool:
    """Whether numbers such as 20201231 are dates: in the right place, or each with eight digits and none twice."""
    if timely:
        return True
    return all(re.fullmatch(r"\d{8}", cell) for cell in filled) and len(set(filled)) == len(filled) > 1


def classify_numbers(
    place: int, head: str, numbers: np.ndarray, whole: bool, several: bool, binary: bool
) -> ColumnKind:
    """Whether a column of numbers is an arm, or counts the rows; an error if that cannot be told.

    `whole`: they are written without a decimal mark; `several`: there are other columns of numbers; `binary`: all
    numbers of the table are 0 or 1.
    """
    name = f"Column {head!r}" if head else ("The first column" if place == 0 else f"Column {place + 1}")
    there = numbers[~np.isnan(numbers)]
    counter = not head or normalized(head) in TIME_HEADS | INDEX_HEADS
    # Programs write days and indices as 3.0 too, where one of them was missing at some time.
    whole = len(there) > 0 and (whole or (counter and bool((there == np.floor(there)).all())))
    full, steps = len(there) == len(numbers), np.diff(numbers)
    counted = whole and full and len(steps) > 0 and bool((steps == 1).all())
    rises = whole and full and bool((steps > 0).all())
    even = full and len(steps) >= LEAST_TO_COUNT and steps[0] > 0.0 and np.allclose(steps, steps[0], atol=0.0)
    if not head:
        if (counted and numbers[0] in (0.0, 1.0)) or (place == 0 and rises):
            return ColumnKind(LEFT_OUT, f"{name} has no name and counts the rows: it is not an arm.")
        raise ValueError(
            f"column {place + 1} has no header: give it one if it is an arm, or take others with {option('arms')}"
        )
    if normalized(head) in MOMENT_HEADS and not whole and not binary:  # years with a fraction, say
        if len(there) == len(numbers) > 1 and bool((steps > 0).all()):
            return ColumnKind(LEFT_OUT, f"{name} contains times and is not an arm.")
        raise ValueError(f"column {shown(head)} may contain times or be an arm: {SAYS}")
    if normalized(head) in TIME_HEADS and whole and not binary:
        if (rises and len(numbers) > 1) or _is_part_of_date(normalized(head), there):
            return ColumnKind(LEFT_OUT, f"{name} contains times and is not an arm.")
        raise ValueError(f"column {shown(head)} may contain times or be an arm: {SAYS}")
    if normalized(head) in INDEX_HEADS and (counted or (rises and place == 0)) and several:
        return ColumnKind(LEFT_OUT, f"{name} counts the rows: it is not an arm.")
    if counter and even and several:  # 0, 0.1, 0.2, ...: no rewards are like that
        return ColumnKind(LEFT_OUT, f"{name} rises in equal steps: it is not an arm.")
    if _is_identifier(head) and whole and several and not binary:
        raise ValueError(f"column {shown(head)} may be a running number or an arm: {SAYS}")
    if place == 0 and counted and len(numbers) >= LEAST_TO_COUNT and several:
        raise ValueError(f"column {shown(head)} counts the rows and may not be an arm: {SAYS}")
    serial = rises and any(low <= there.min() and there.max() <= high for low, high in SERIALS)
    if place == 0 and serial and several:
        raise ValueError(f"column {shown(head)} may be dates written as numbers, or an arm: {SAYS}")
    return ColumnKind(ARM)


def check_are_arms(heads: Sequence[str], found: Iterable[int], asked: Sequence[str] | None) -> None:
    """Raise if a column that was named as an arm holds no numbers."""
    known = {heads[place] for place in found}
    odd = next((name for name in asked or () if name not in known), None)
    if odd is not None:
        raise ValueError(f"column {shown(odd)} must be numbers to be an arm: {option('arms')} names other columns")


def _is_identifier(head: str) -> bool:
    """Whether a column's name is that of identifiers: index, id, customer_id."""
    return normalized(head) in ("index", "id", "nr") or bool(re.search(r"[_\s](?:id|nr)$", head.lower()))


def _is_part_of_date(head: str, numbers: np.ndarray) -> bool:
    """Whether numbers are days of a month, months, years and so on, some of them more than once."""
    low, high = PARTS_OF_DATES.get(head, (1.0, 0.0))
    return bool((numbers >= low).all() and (numbers <= high).all())
