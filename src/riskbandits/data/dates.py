"""Dates in any common format. They are never rewards; they only give the period and order of the records."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime
from typing import NamedTuple

from riskbandits.data.numbers import is_missing
from riskbandits.data.options import IGNORE, ORDERS

# English and German.
MONTHS = tuple(
    tuple(names.split())
    for names in (
        "jan january januar",
        "feb february februar",
        "mar march märz",
        "apr april",
        "may mai",
        "jun june juni",
        "jul july juli",
        "aug august",
        "sep sept september",
        "oct october okt oktober",
        "nov november",
        "dec december dez dezember",
    )
)
NUMBER_OF = {name: number for number, names in enumerate(MONTHS, start=1) for name in names}
MONTH = rf"(?:{'|'.join(sorted(NUMBER_OF, key=len, reverse=True))})"
WEEKDAY_NAME = r"(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so)[a-zä]*\.?"
WEEKDAY = rf"(?:{WEEKDAY_NAME},?\s+)?"
CLOCK = (
    r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s*(?:[ap]\.?m\.?)?\s*(?:z|[+-]\d{2}:?\d{2}|utc|[a-z]{3,4}|[a-z]+/[a-z_]+)?"
)
TIME = rf"(?:(?:t|,?\s+)(?P<time>{CLOCK}))?"
YEAR, SHORT_YEAR = r"(?P<y>\d{4})", r"(?P<y>\d{4}|'?\d{2})"
NAMES = re.compile(rf"{WEEKDAY_NAME}|{MONTH}\.?", re.IGNORECASE)  # "Wed" or "May": no date by itself
CENTURY = 70  # two-digit years from here on belong to the last century
YEARS = (1700, 2300)


Moment = tuple[int, int, int, int, str]


class Form(NamedTuple):
    """A way to write a date; numbers that could be amounts count as dates only under a head that says so."""

    pattern: re.Pattern[str]
    numeric: bool = False
    order: str = ""  # of day, month and year, where the digits do not tell


def _form(pattern: str, numeric: bool = False, order: str = "") -> Form:
    return Form(re.compile(pattern, re.IGNORECASE), numeric, order)


DAY, NUMBERED = r"(?P<d>\d{1,2})", r"(?P<m>\d{1,2})"
FORMS = (
    _form(rf"{WEEKDAY}{YEAR}([-/._])\s?{NUMBERED}\2\s?{DAY}\.?{TIME}"),
    _form(rf"{WEEKDAY}{DAY}\.\s?{NUMBERED}\.\s?{SHORT_YEAR}{TIME}"),
    _form(rf"{WEEKDAY}{DAY}([-/]){NUMBERED}\2{SHORT_YEAR}{TIME}", order="dmy"),
    _form(rf"{WEEKDAY}{NUMBERED}([-/]){DAY}\2{SHORT_YEAR}{TIME}", order="mdy"),
    _form(rf"{WEEKDAY}{DAY}\.?(?:st|nd|rd|th)?[-/\s]*(?P<name>{MONTH})\.?[-/,\s]*{SHORT_YEAR}{TIME}"),
    _form(rf"{WEEKDAY}(?P<name>{MONTH})\.?[-/\s]*{DAY}(?:st|nd|rd|th)?[-/,\s]+{YEAR}{TIME}"),
    _form(rf"{YEAR}[-/\s]*(?P<name>{MONTH})[-/\s]*{DAY}{TIME}"),
    _form(rf"{YEAR}[-/]{NUMBERED}"),
    _form(rf"{YEAR}m{NUMBERED}"),
    _form(rf"{NUMBERED}[-/]{YEAR}"),
    _form(rf"(?P<name>{MONTH})\.?[-/\s]*{SHORT_YEAR}"),
    _form(rf"{YEAR}[-/\s]*(?P<name>{MONTH})"),
    _form(rf"{YEAR}[-/:\s]*q(?P<q>[1-4])"),
    _form(rf"q(?P<q>[1-4])[-/\s]*{SHORT_YEAR}"),
    _form(rf"(?P<q>[1-4])q[-/\s]*{SHORT_YEAR}"),
    _form(rf"{YEAR}年{NUMBERED}月(?:{DAY}日)?"),
    _form(rf"fy[-/\s]*{SHORT_YEAR}"),
    _form(rf"{YEAR}-?w(?P<w>\d{{1,2}})(?:-?[1-7])?"),
    _form(rf"{CLOCK}"),
    _form(r"(?P<y>\d{4})(?P<m>\d{2})(?P<d>\d{2})(?:T?(?P<time>\d{4,6}))?", numeric=True),
    _form(r"(?P<y>\d{4})(?P<m>\d{2})", numeric=True),
    _form(YEAR, numeric=True),
)


YEAR_FIRST = _form(rf"(?P<y>\d{{2}})([-/.]){NUMBERED}\2{DAY}{TIME}")
FORMAT = re.compile(r".*")  # read by strptime


class Dates(NamedTuple):
    """The first and the last date as they stand, and whether they rise (1), fall (-1) or neither (0)."""

    first: str
    last: str
    direction: int
    repeated: int = 1  # how often each day is there at least
    days: tuple[date, ...] = ()  # row by row, if all are there
    twice: str = ""  # a day that is there more than once
    ambiguous: str = ""  # a date that may have the day or the month first, where no other one settles it


def is_date(cell: str) -> bool:
    """Whether a cell is a date that could not be an amount."""
    return any(not form.numeric and _moment(form, cell) is not None for form in FORMS)


def _forms(asked: str | None) -> Sequence[Form]:
    """The ways to write a date that are possible if `asked` was said."""
    if asked is None or asked == IGNORE:
        return FORMS
    if asked not in ORDERS:
        return [Form(FORMAT, order=asked)]
    return [YEAR_FIRST] * (asked == "ymd") + [form for form in FORMS if form.order in ("", asked)]


def dates_in(cells: Sequence[str], numbers_too: bool = False, asked: str | None = None) -> Dates | None:
    """The dates of a column, all in one form, some perhaps missing; None if it is not a column of dates.

    `asked` is how they are written, if that was said: an order such as "dmy", or a format.

    >>> dates_in(["31.12.2020", "4.1.2021"])[:3]
    ('31.12.2020', '4.1.2021', 1)
    >>> dates_in(["03/03/2024", "03/04/2024"]).ambiguous, dates_in(["03/04/2024", "03/13/2024"]).ambiguous
    ('03/04/2024', '')
    >>> dates_in(["03/04/2024"], asked="mdy").days
    (datetime.date(2024, 3, 4),)
    """
    words = [cell for cell in cells if not is_missing(cell)]
    if not words:
        return None
    readings: dict[tuple[Moment, ...], bool] = {}  # and whether days are named
    for form in _forms(asked):
        if form.numeric and not numbers_too:
            continue
        if _moment(form, words[0]) is None or _moment(form, words[-1]) is None:
            continue  # soon seen
        moments = [_moment(form, word) for word in words]
        if all(moment is not None for moment in moments):
            read = tuple(moment for moment in moments if moment is not None)
            readings[read] = readings.get(read, False) or "d" in form.pattern.groupindex or "%d" in form.order
    if not readings:
        return None
    first, *others = readings
    differing = (
        (word for word, one, other in zip(words, first, others[0], strict=True) if one != other) if others else ()
    )
    counts = Counter(words) if any(readings.values()) else Counter()
    days = tuple(date(*moment[:3]) for moment in first if moment[0])
    return Dates(
        words[0],
        words[-1],
        _direction(first),
        min(counts.values(), default=1),
        days if len(days) == len(cells) else (),
        next((word for word, number in counts.items() if number > 1), ""),
        next(iter(differing), ""),
    )


def _direction(moments: Sequence[Moment]) -> int:
    if all(a <= b for a, b in itertools.pairwise(moments)):
        return 1
    return -1 if all(a >= b for a, b in itertools.pairwise(moments)) else 0


def _moment(form: Form, cell: str) -> Moment | None:
    """A date as something that can be put in order; None if it is none in this form."""
    if form.pattern is FORMAT:
        try:
            moment = datetime.strptime(cell.strip(), form.order)
        except ValueError:
            return None
        return (moment.year, moment.month, moment.day, 0, moment.time().isoformat().zfill(20))
    found = form.pattern.fullmatch(cell.strip())
    if found is None:
        return None
    parts = found.groupdict()
    if "y" not in parts:  # a time of the day
        return (0, 0, 0, 0, cell.strip().zfill(20))
    year = int(parts["y"].lstrip("'"))
    if len(parts["y"].lstrip("'")) == 2:
        year += 1900 if year >= CENTURY else 2000
    month = NUMBER_OF[parts["name"].lower()] if parts.get("name") else int(parts.get("m") or 1)
    month = 3 * int(parts["q"]) if parts.get("q") else month
    day = int(parts.get("d") or 1)
    if not YEARS[0] <= year <= YEARS[1]:
        return None
    try:
        date(year, month, day)
    except ValueError:
        return None
    return (year, month, day, int(parts.get("w") or 0), (parts.get("time") or "").zfill(20))
