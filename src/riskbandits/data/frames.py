"""Recorded rewards from pandas tables, read as strictly as files."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np

from riskbandits.core.errors import ParameterError, must_be
from riskbandits.data import columns, doubts, long, numerals
from riskbandits.data.dates import Dates, dates_in
from riskbandits.data.reading import Reading, finished


def understood(table: Any) -> Reading:
    """Recorded rewards from a pandas table with a column per arm, read as strictly as a file.

    >>> import pandas as pd
    >>> understood(pd.DataFrame({"day": ["2020-01-01", "2020-01-02"], "bond": [0.1, None]})).about()[1:]
    ["Column 'day' contains dates and is not an arm.", "Column 'bond' has 1 of 2 entries missing."]
    """
    if not hasattr(table, "columns") or not hasattr(table, "iloc") or len(table.columns) == 0:
        raise must_be("A table of recorded rewards", "a pandas table with a column per arm", table)
    table = _with_arms_beside(table)
    heads = [columns.named(name) for name in table.columns]
    twice = next((head for head in heads if head and heads.count(head) > 1), None)
    if twice is not None:
        raise must_be("The columns", "different in name", twice)
    numbers, notes, dated, texts = {}, [], [], {}
    try:
        wide = _widened(heads, table)
        if wide is not None:
            heads, table = wide.heads, _table(wide)
            notes.append(wide.note)
        doubts.check_heads(heads)
        if all(isinstance(name, str) for name in table.index):
            doubts.check_row_names(["", *heads], list(table.index))
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
        read = numerals.understand(
            {columns.shown_head(place, heads[place]): cells for place, cells in texts.items()}, ","
        )
        numbers |= zip(texts, (np.array(column) for column in read.columns.values()), strict=True)
        if not dated and _is_of_dates(table.index):
            dated.append(_dates_of(table.index))
        unit = read.unit if texts else "as written, no percent signs"
        whole = {place for place in numbers if place not in texts and table.iloc[:, place].dtype.kind in "iu"}
        whole |= {place for place, cells in texts.items() if numerals.all_whole(cells)}
        numbers = dict(sorted(numbers.items()))
        return finished(heads, numbers, whole, len(table), dated, unit, [*notes, *read.notes])
    except ParameterError:
        raise
    except ValueError as error:
        raise ParameterError(f"A table of recorded rewards could not be read: {error}.") from None


def _with_arms_beside(table: Any) -> Any:
    """A table of one column whose index names the arms, with the index as columns."""
    levels = list(table.index.names)
    if len(table.columns) == 1 and any(columns.plain(str(level)) in long.ARM_HEADS for level in levels):
        return table.reset_index()
    if len(levels) > 1:
        raise must_be("The index of a table of recorded rewards", "of one level, such as dates", levels)
    return table


def _widened(heads: list[str], table: Any) -> long.Wide | None:
    """The table with a column per arm, if it has a column of names; its dates may be its index."""
    if not any(
        columns.plain(head) in long.NUMBERED_HEADS
        or (columns.plain(head) in long.ARM_HEADS and _is_of_words(table[name]))
        for head, name in zip(heads, table.columns, strict=True)
    ):
        return None
    if _is_of_dates(table.index):
        table, heads = table.reset_index(), [str(table.index.name or "date"), *heads]
    cells = [list(table.iloc[:, place]) for place in range(len(heads))]
    return long.widened(heads, cells, lambda place: _tells_time(heads[place], table.iloc[:, place]), None)


def _tells_time(head: str, column: Any) -> bool:
    timely = columns.plain(head) in columns.TIME_HEADS | columns.INDEX_HEADS
    return (
        timely
        or _is_of_dates(column)
        or (_is_of_words(column) and dates_in([str(cell) for cell in column]) is not None)
    )


def _table(wide: long.Wide) -> Any:
    import pandas as pd

    return pd.DataFrame(dict(zip(wide.heads, wide.cells, strict=True)))


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
