"""Recorded rewards from files and pandas tables: one column per arm, and a report of how they were read."""

from __future__ import annotations

import itertools
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.core import checks, files, parquet
from riskbandits.core.errors import FileError, ParameterError, must_be
from riskbandits.tables import columns, numerals, sheet
from riskbandits.tables.dates import Dates

if TYPE_CHECKING:
    import pandas as pd

TEXTS = (".csv", ".tsv", ".txt")
SUFFIXES = (*TEXTS, ".parquet")
LONGEST_PROBLEM = 300  # letters of what pandas says: it may quote a cell
LEAST_FOR_LEVELS = 20  # rows by which prices are told from returns
LEVEL = 0.9  # the correlation of a column with itself a row later that returns never have


class Reading(NamedTuple):
    """What was read: a table with a column of rewards per arm, its time, unit, and notes.

    Missing entries are NaN; the rows are in order of time, indexed by date where the dates are complete.
    """

    table: pd.DataFrame
    period: tuple[str, str] | None
    unit: str
    notes: list[str]

    @property
    def names(self) -> list[str]:
        """The arms' names."""
        return [str(name) for name in self.table.columns]

    def rewards(self) -> dict[str, np.ndarray]:
        """The rewards of each arm, without gaps."""
        found = {name: self.table[name].to_numpy(dtype=float) for name in self.table.columns}
        return {str(name): numbers[~np.isnan(numbers)] for name, numbers in found.items()}

    def about(self) -> list[str]:
        """How the table was read, one line each: arms, rows, period, unit, and what was ignored and why."""
        arms = "1 arm" if len(self.names) == 1 else f"{len(self.names)} arms"
        rows = "1 row" if len(self.table) == 1 else f"{len(self.table):,} rows"
        period = f", from {self.period[0]} to {self.period[1]}" if self.period else ""
        first = f"Read {arms} ({', '.join(_short(self.names))}) and {rows}{period}; unit: {self.unit}."
        return [first, *self.notes]


def _short(names: list[str], most: int = 12) -> list[str]:
    return names if len(names) <= most else [*names[: most - 1], f"... {names[-1]}"]


def read_table(path: str | os.PathLike[str]) -> Reading:
    """Recorded rewards from a .csv, .tsv, .txt or .parquet file with a column per arm."""
    path = Path(checks.path("The file of recorded rewards", path))
    files.check_readable(path)
    if path.suffix.lower() not in SUFFIXES:
        raise must_be("A file of recorded rewards", f"one that ends in {', '.join(SUFFIXES)}", str(path))
    if path.suffix.lower() in TEXTS:
        try:
            return _from_sheet(sheet.read_sheet(path))
        except ValueError as error:
            if isinstance(error, FileError):
                raise
            raise FileError(f"{str(path)!r} could not be read as a table: {str(error).rstrip('.')}.") from None
    return understood(_parquet(path))


def _parquet(path: Path) -> pd.DataFrame:
    import pandas as pd

    try:
        options: dict[str, Any] = parquet.verifying()
        return pd.read_parquet(path, **options)
    except Exception as error:  # pandas and pyarrow raise many kinds
        problem = " ".join(str(error).split()).rstrip(".")
        raise FileError(f"{str(path)!r} could not be read as a table: {problem[:LONGEST_PROBLEM]}.") from None


def _from_sheet(found: sheet.Sheet) -> Reading:
    columns.check_heads(found.heads)
    several = len(found.heads) > 1
    notes, dated, cells = list(found.notes), [], {}
    for place, head in enumerate(found.heads):
        judged = columns.judged_cells(place, head, found.column(place), several)
        notes += [judged.note] if judged.note else []
        if judged.dates is not None:
            dated.append(judged.dates)
        if judged.kind == columns.ARM:
            cells[place] = found.column(place)
    by_head = {found.heads[place] or f"\0{place}": column for place, column in cells.items()}
    read = numerals.understand(by_head, found.separator)
    numbers = dict(zip(cells, (np.array(column) for column in read.columns.values()), strict=True))
    whole = {place for place, column in cells.items() if numerals.all_whole(column)}
    return _finished(found.heads, numbers, whole, len(found.rows), dated, read.unit, [*notes, *read.notes])


def understood(table: Any) -> Reading:
    """Recorded rewards from a pandas table with a column per arm, read as strictly as a file.

    >>> import pandas as pd
    >>> understood(pd.DataFrame({"day": ["2020-01-01", "2020-01-02"], "bond": [0.1, None]})).about()[1:]
    ["Column 'day' contains dates and is not an arm.", "Column 'bond' has 1 of 2 entries missing."]
    """
    if not hasattr(table, "columns") or not hasattr(table, "iloc") or len(table.columns) == 0:
        raise must_be("A table of recorded rewards", "a pandas table with a column per arm", table)
    heads = [" ".join(str(name).split()) for name in table.columns]
    twice = next((head for head in heads if heads.count(head) > 1), None)
    if twice is not None:
        raise must_be("The columns", "different in name", twice)
    numbers, notes, dated, texts = {}, [], [], {}
    try:
        columns.check_heads(heads)
        for place, head in enumerate(heads):
            column = table.iloc[:, place]
            if _is_of_dates(column):
                notes.append(f"Column {head!r} contains dates and is not an arm.")
                dated.append(_dates_of(column.dropna()))
            elif _is_of_words(column):
                words = ["" if missing else str(cell) for cell, missing in zip(column, column.isna(), strict=True)]
                judged = columns.judged_cells(place, head, words, len(heads) > 1)
                notes += [judged.note] if judged.note else []
                dated += [judged.dates] if judged.dates else []
                if judged.kind == columns.ARM:
                    texts[place] = words
            else:
                numbers[place] = _numbers(column, head)
        read = numerals.understand({heads[place]: cells for place, cells in texts.items()}, ",")
        numbers |= zip(texts, (np.array(column) for column in read.columns.values()), strict=True)
        if not dated and _is_of_dates(table.index):
            dated.append(_dates_of(table.index))
        unit = read.unit if texts else "as written, no percent signs"
        whole = {place for place in numbers if place not in texts and table.iloc[:, place].dtype.kind in "iu"}
        whole |= {place for place, cells in texts.items() if numerals.all_whole(cells)}
        numbers = dict(sorted(numbers.items()))
        return _finished(heads, numbers, whole, len(table), dated, unit, [*notes, *read.notes])
    except ParameterError:
        raise
    except ValueError as error:
        raise ParameterError(f"A table of recorded rewards could not be read: {error}.") from None


def _finished(
    heads: list[str],
    numbers: dict[int, np.ndarray],
    whole: set[int],
    rows: int,
    dated: list[Dates],
    unit: str,
    notes: list[str],
) -> Reading:
    """Drop columns that count rows, sort the rows by date, and report what is missing."""
    import pandas as pd

    arms = {}
    binary = all(bool(np.isin(found[~np.isnan(found)], (0.0, 1.0)).all()) for found in numbers.values())
    for place, found in numbers.items():
        judged = columns.judged_numbers(place, heads[place], found, place in whole, len(numbers) > 1, binary)
        if judged.kind == columns.ARM:
            arms[heads[place]] = _finite(found, heads[place])
        else:
            notes.append(str(judged.note))
    if not arms:
        raise must_be("A table of recorded rewards", "one with a column of rewards per arm", heads)
    for head, found in arms.items():
        missing = int(np.isnan(found).sum())
        if missing:
            notes.append(f"Column {head!r} has {missing} of {rows} entries missing.")
    table = pd.DataFrame(arms)
    period = None
    if dated:
        # Another column of dates may say what the first one leaves open.
        first, last, direction, repeated, days, ambiguous = min(dated, key=lambda one: bool(one.ambiguous))
        if ambiguous:
            raise ValueError(
                f"the date {ambiguous} may have the day or the month first, and no other date settles it; write dates "
                "as year-month-day"
            )
        if len(days) == len(table):
            table.index = pd.DatetimeIndex(days)
        period = (first, last)
        if repeated > 1:
            raise ValueError("every date appears more than once: a table needs one row per date and one column per arm")
        if direction == -1 and rows > 1 and first != last:
            table = table.iloc[::-1] if len(days) == len(table) else table.iloc[::-1].reset_index(drop=True)
            period = (last, first)
            notes.append("The latest row came first: the rows were sorted by date.")
        elif direction == 0:
            notes.append("The dates are not in order: the rows were kept in the order of the file.")
    notes += _levels(arms)
    return Reading(table, period, unit, notes)


def _finite(numbers: np.ndarray, head: str) -> np.ndarray:
    if np.isnan(numbers).all() or np.isinf(numbers).any():
        raise must_be(f"Column {head!r}", "finite numbers, at least one of them", "none or infinite ones")
    return numbers


def _levels(arms: dict[str, np.ndarray]) -> Iterable[str]:
    """A note on columns that look like prices rather than rewards."""
    for head, numbers in arms.items():
        there = numbers[~np.isnan(numbers)]
        if len(there) < LEAST_FOR_LEVELS or there.min() <= 0.0 or np.ptp(there) == 0.0:
            continue
        with np.errstate(all="ignore"):
            close = np.corrcoef(there[1:], there[:-1])[0, 1]
        if close > LEVEL:
            yield f"Column {head!r} looks like prices or levels; rewards of funds are usually their returns."


def _numbers(column: Any, head: str) -> np.ndarray:
    try:
        if column.dtype.kind not in "iufbO":  # numpy would take a span of time, or half of a complex number, for one
            raise TypeError
        return np.asarray(column, dtype=float)
    except (TypeError, ValueError):
        odd = next((entry for entry in column if not _is_number(entry)), column.iloc[0] if len(column) else None)
        raise must_be(f"Column {head!r}", "numbers (or dates, which are ignored)", odd) from None


def _is_number(entry: Any) -> bool:
    try:
        float(entry)
    except (TypeError, ValueError):
        return False
    return True


def _is_of_words(column: Any) -> bool:
    import pandas as pd

    if pd.api.types.is_numeric_dtype(column) or column.dtype.kind not in "OTU":
        return False
    there = column.dropna()
    return len(there) > 0 and any(isinstance(entry, str) for entry in there)


def _is_of_dates(column: Any) -> bool:
    import pandas as pd

    if pd.api.types.is_datetime64_any_dtype(column) or isinstance(column.dtype, pd.PeriodDtype):
        return True
    there = column.dropna()
    if pd.api.types.is_numeric_dtype(column) or len(there) == 0 or any(isinstance(entry, str) for entry in there):
        return False
    return all(hasattr(entry, "isoformat") and hasattr(entry, "year") for entry in there)  # no spans of time


def _dates_of(entries: Any) -> Dates:
    """The span of dates of their own type."""
    there = [entry for entry in entries if entry == entry]
    if not there:
        return Dates("nowhere", "nowhere", 1)
    rising = all(a <= b for a, b in itertools.pairwise(there))
    falling = all(a >= b for a, b in itertools.pairwise(there))
    first, last = (str(one).removesuffix(" 00:00:00") for one in (there[0], there[-1]))
    return Dates(first, last, 1 if rising else -1 if falling else 0, min(Counter(there).values()))
