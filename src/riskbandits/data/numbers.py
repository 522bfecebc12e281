"""Numbers as people and programs write them: decimal points and commas, thousands, percent, currencies, gaps."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from riskbandits.core.errors import shown
from riskbandits.data.options import COMMA, DEFAULTS, NONE, POINT, ReadOptions, option

MISSING = frozenset(
    ("", "na", "n/a", "#n/a", "#na", "#nv", "n.a.", "nan", "nat", "<na>", "null", "none", "nd", "n.d.", "missing")
) | {"-", "--", "\u2013", "\u2014", ".", "..", "?"}
APOSTROPHES = "'\u2019"
VARIANTS = str.maketrans(
    "\u00a0\u202f\u2009\u2212\u2012\u2013\uff0d\uff05", "   ----%"
)  # spaces, minus signs and percent signs
TRUTHS = {"true": 1.0, "false": 0.0}
EXPONENT = r"(?:[eE][+-]?\d{1,3})?"
PLAIN = {
    POINT: re.compile(rf"(?:\d+\.?\d*|\.\d+){EXPONENT}"),
    COMMA: re.compile(rf"(?:\d+,?\d*|,\d+){EXPONENT}"),
}
INDIAN = re.compile(r"[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?")  # 12,34,567.50
# Nobody writes 0.123 for a hundred and twenty-three: the first group of a number with thousands is not 0.
GROUPED = {
    POINT: re.compile(rf"[1-9]\d{{0,2}}(?:(?:,\d{{3}})+|(?:[{APOSTROPHES} ]\d{{3}})+)(?:\.\d+)?"),
    COMMA: re.compile(rf"[1-9]\d{{0,2}}(?:(?:\.\d{{3}})+|(?:[{APOSTROPHES} ]\d{{3}})+)(?:,\d+)?"),
}
CURRENCY = r"(?:(?:US)?\$|[€£¥₹]|EUR|USD|GBP|CHF|JPY|zł)"
# A minus may stand before or after the currency, or behind the number, as SAP writes it; brackets are a minus too.
PARTS = re.compile(
    rf"(?P<before>{CURRENCY})?\s*(?P<bracket>\()?\s*(?P<sign>[+-])?\s*(?P<within>{CURRENCY})?\s*(?P<sign_after>[+-])?\s*"
    rf"(?P<digits>[\d.,{APOSTROPHES} ]*\d[\d.,]*(?:[eE][+-]?\d+)?)"
    rf"(?P<behind>-)?\s*(?P<percent>%)?\s*(?P<after>{CURRENCY})?\s*(?P<close>\))?\s*(?P<outside>%)?"
)
SIGNS = ("bracket", "sign", "sign_after", "behind")
# Of a column, in brackets behind its name.
UNIT = re.compile(
    rf"[(\[]\s*(?:in\s+)?(?P<unit>(?P<points>bps?|basis points?|basispunkte?)|{CURRENCY}|cents?|ct|pence)\s*[)\]]\s*$",
    re.IGNORECASE,
)
CHOOSE = f"{option('arms')} takes those of one unit"
FORMULA = re.compile(r'="([^"]*)"')  # how brokers keep Excel from changing a number


class ParsedNumber(NamedTuple):
    """What a cell may mean: with a decimal point, with a decimal comma (None if it cannot), and its marks."""

    point: float | None
    comma: float | None
    grouped: frozenset[str] = frozenset()  # readings in which thousands are parted
    percent: bool = False
    currency: str = ""

    def value(self, convention: str) -> float | None:
        """The number in one reading."""
        return self.point if convention == POINT else self.comma

    def is_whole(self) -> bool:
        """Whether it has no fraction, however it is read."""
        return all(found is None or found.is_integer() for found in (self.point, self.comma))


# Most columns are like this: numbers with one decimal mark, of which one at least could not be read otherwise.
UNIFORM = {
    mark: re.compile(rf"(?:(?:[+-]?(?:\d+{mark}?\d*|{mark}\d+){EXPONENT}|NA|NaN|nan)?\n)*") for mark in (r"\.", ",")
}
SURE = {
    mark: re.compile(
        rf"^[+-]?(?:0?{mark}\d+|\d+{mark}(?:\d{{1,2}}|\d{{4,}}){EXPONENT}|\d{{4,}}{mark}\d+)$", re.MULTILINE
    )
    for mark in UNIFORM
}


def uniform(cells: Sequence[str], options: ReadOptions = DEFAULTS) -> str | None:
    """A cell that shows the decimal mark of all, if a column's are plain numbers or gaps; None otherwise."""
    joined = "\n".join(cells) + "\n"
    if joined.count("\n") != len(cells):
        return None
    marks = [mark for mark in UNIFORM if options.decimal in (None, mark[-1])]
    found = ((SURE[mark].search(joined), UNIFORM[mark]) for mark in marks)
    return next((sure[0] for sure, all_like_it in found if sure is not None and all_like_it.fullmatch(joined)), None)


def is_missing(cell: str) -> bool:
    """Whether a cell stands for nothing."""
    text = cell.strip().lower()
    return text in MISSING or text[:5] == "#n/a "  # Bloomberg says why


def is_number(cell: str) -> bool:
    """Whether a cell is a number, however it may be written."""
    return parse_number(cell) is not None


def all_whole(cells: Iterable[str]) -> bool:
    """Whether all cells that are not missing are whole numbers, without a mark of any kind."""
    return all(is_missing(cell) or re.fullmatch(r"[+-]?\d+", cell.strip()) for cell in cells)


def parse_number(cell: str, options: ReadOptions = DEFAULTS) -> ParsedNumber | None:
    """The readings of a cell that is not missing; None if it is no number.

    >>> parse_number("1.234,5").comma, parse_number("1.234,5").point, parse_number("2,5 %").percent
    (1234.5, None, True)
    >>> parse_number("1.234", ReadOptions(decimal="."))[:2], parse_number("1.234", ReadOptions(decimal=","))[:2]
    ((1.234, None), (None, 1234.0))
    """
    text = FORMULA.sub(r"\1", cell.strip()).translate(VARIANTS)
    if text.lower() in TRUTHS:
        return ParsedNumber(TRUTHS[text.lower()], TRUTHS[text.lower()])
    found = PARTS.fullmatch(text)
    if found is None or bool(found["bracket"]) != bool(found["close"]) or (found["percent"] and found["outside"]):
        return None
    signs = [found[kind] for kind in SIGNS if found[kind]]
    currencies = [found[place] for place in ("before", "within", "after") if found[place]]
    if len(signs) > 1 or len(currencies) > 1:
        return None
    negative = bool(signs) and signs[0] != "+"
    readings: dict[str, float | None] = {}
    grouped = set()
    for convention in (POINT, COMMA):
        readings[convention] = _number(found["digits"], convention, options)
        if readings[convention] is None:
            continue
        if not PLAIN[convention].fullmatch(found["digits"]):
            grouped.add(convention)
        if negative:
            readings[convention] = -(readings[convention] or 0.0)
    if readings[POINT] is None and readings[COMMA] is None:
        return None
    percent = bool(found["percent"] or found["outside"])
    return ParsedNumber(readings[POINT], readings[COMMA], frozenset(grouped), percent, "".join(currencies))


def _number(digits: str, convention: str, options: ReadOptions) -> float | None:
    if options.decimal not in (None, convention):
        return None
    if PLAIN[convention].fullmatch(digits):
        plain = digits
    elif not _may_group(digits, convention, options.thousands):
        return None
    elif GROUPED[convention].fullmatch(digits) or (convention == POINT and INDIAN.fullmatch(digits)):
        plain = re.sub(f"[{APOSTROPHES} ]", "", digits).replace("," if convention == POINT else ".", "")
    else:
        return None
    return float(plain.replace(",", "."))


def _may_group(digits: str, convention: str, thousands: str | None) -> bool:
    """Whether the digits are grouped as was said, if anything was said."""
    if thousands is None:
        return True
    used = {"'" if mark in APOSTROPHES else mark for mark in digits if not mark.isalnum() and mark != convention}
    return thousands != NONE and used <= {thousands, "+", "-"}


class ParsedNumbers(NamedTuple):
    """Columns of numbers, their unit, and a sentence about each thing that was decided; missing cells are NaN."""

    columns: dict[str, list[float]]
    unit: str
    notes: list[str]


def parse_numbers(
    columns: Mapping[str, list[str]], separator: str = "", options: ReadOptions = DEFAULTS
) -> ParsedNumbers:
    """The numbers in columns of cells all of which are numbers or missing; an error if they are ambiguous."""
    plain = {head: sure for head, cells in columns.items() if (sure := uniform(cells, options)) is not None}
    read = {
        # Of a plain column one cell stands for all: they agree in everything that is asked below.
        head: [parse_number(plain[head], options)]
        if head in plain
        else [None if is_missing(cell) else parse_number(cell, options) for cell in cells]
        for head, cells in columns.items()
    }
    texts = {head: [plain[head]] if head in plain else cells for head, cells in columns.items()}
    convention = _convention(texts, read, separator)
    notes = []
    if convention == COMMA and any(one is not None and one.point != one.comma for col in read.values() for one in col):
        notes.append("Numbers have a decimal comma.")
    for head, found in read.items():
        if any(one is not None and convention in one.grouped for one in found):
            notes.append(f"Column {head!r} has thousands separators.")
        if head not in plain and any(cell.strip().lower() in TRUTHS for cell in columns[head]):
            notes.append(f"Column {head!r} has truth values: true is 1 and false is 0.")
    unit, scales = _units(texts, read)
    notes += _currencies(read)
    numbers = {
        head: _uniform_numbers(columns[head])
        if head in plain
        else [math.nan if one is None else (one.value(convention) or 0.0) * scales[head] for one in found]
        for head, found in read.items()
    }
    return ParsedNumbers(numbers, unit, notes)


def _uniform_numbers(cells: Sequence[str]) -> list[float]:
    return [float(cell.replace(",", ".") or "nan") if cell != "NA" else math.nan for cell in cells]


def _convention(columns: Mapping[str, list[str]], read: Mapping[str, list[ParsedNumber | None]], separator: str) -> str:
    cells = [
        (text, one)
        for head, found in read.items()
        for text, one in zip(columns[head], found, strict=True)
        if one is not None
    ]
    only_point = next((text for text, one in cells if one.comma is None), None)
    only_comma = next((text for text, one in cells if one.point is None), None)
    if only_point is not None and only_comma is not None:
        raise ValueError(f"{shown(only_point)} has a decimal point and {shown(only_comma)} a decimal comma")
    if only_point is not None or only_comma is not None:
        return POINT if only_point is not None else COMMA
    differing = [text for text, one in cells if one.point != one.comma]
    # Where commas part cells, a point is a decimal point: those who write decimal commas part cells otherwise.
    if differing and not (separator == "," and all("," not in text for text in differing)):
        raise ValueError(
            f"{shown(differing[0])} may have a decimal mark or a thousands separator, and no other number settles it: "
            f"{option('decimal')} says which"
        )
    return POINT


def _units(
    columns: Mapping[str, list[str]], read: Mapping[str, list[ParsedNumber | None]]
) -> tuple[str, dict[str, float]]:
    """The unit in words, and by what each column is multiplied: percent signs make numbers hundredths."""
    signed: list[str] = []
    plain: list[str] = []
    for head, found in read.items():
        marks = {one.percent for one in found if one is not None and one.point != 0.0}
        if len(marks) > 1:
            texts = zip(columns[head], found, strict=True)
            bare = next(text for text, one in texts if one is not None and not one.percent and one.point != 0.0)
            raise ValueError(f"column {shown(head)} has numbers with and without a percent sign, such as {shown(bare)}")
        if marks:
            (signed if True in marks else plain).append(head)
    if signed and plain:
        raise ValueError(f"column {shown(signed[0])} has percent signs and column {shown(plain[0])} has none: {CHOOSE}")
    if signed:
        return "fractions (1 % is 0.01)", dict.fromkeys(columns, 0.01)
    in_percent = [head for head in plain if says_percent(head)]
    if in_percent and len(in_percent) < len(plain):
        other = next(head for head in plain if head not in in_percent)
        raise ValueError(f"the header {shown(in_percent[0])} says percent and {shown(other)} does not: {CHOOSE}")
    units = {head: _unit_of(head) for head in plain}
    first, other = min(units, key=lambda head: units[head] == "", default=""), ""
    other = next((head for head in plain if units[head] != units[first]), "")
    if other:
        raise ValueError(
            f"the header {shown(first)} names a unit, {units[first]}, that {shown(other)} does not name: {CHOOSE}"
        )
    said = "percent" if in_percent else units.get(first, "")
    unit = f"{said}, according to the headers" if said else "as written, no percent signs"
    return unit, dict.fromkeys(columns, 1.0)


def _unit_of(head: str) -> str:
    """The unit in which a head says that its column is, if it names one behind the name."""
    found = UNIT.search(head)
    if found is None:
        return ""
    return "basis points" if found["points"] else found["unit"]


def says_percent(head: str) -> bool:
    """Whether a head names the unit of its column as percent."""
    # A "5% fund" is named after a number.
    return bool(re.search(r"(?<!\d)%", head) or re.search(r"\b(percent|pct|prozent)\b", head, re.IGNORECASE))


def _currencies(read: Mapping[str, Iterable[ParsedNumber | None]]) -> list[str]:
    # A column with an amount once may leave the sign out further down, as accountants do; zeros need none.
    by_head = {
        head: {one.currency for one in column if one is not None and (one.currency or one.point != 0.0)}
        for head, column in read.items()
    }
    found = {currency for currencies in by_head.values() for currency in currencies if currency}
    if len(found) > 1:
        raise ValueError(f"its numbers are in different currencies, {' and '.join(sorted(found))}: {CHOOSE}")
    without = next((head for head, currencies in by_head.items() if currencies == {""}), None)
    if found and without is not None:
        amounts = next(head for head, currencies in by_head.items() if currencies & found)
        raise ValueError(
            f"column {shown(amounts)} has amounts in {next(iter(found))} and column {shown(without)} names no "
            f"currency: {CHOOSE}"
        )
    return [f"Amounts are in {next(iter(found))}."] if found else []
