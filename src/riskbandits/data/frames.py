"""Recorded rewards from pandas tables, read as strictly as files."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.core.errors import ParameterError, must_be
from riskbandits.data import columns, long_format, sanity_checks
from riskbandits.data.dates import Dates, dates_in
from riskbandits.data.numbers import all_whole, parse_numbers
from riskbandits.data.options import OF_TEXT, ReadOptions, TableOptions, check_arms, read_options, refuse_options
from riskbandits.data.reward_table import ColumnNumbers, RewardTable, build_reward_table

if TYPE_CHECKING:
    from typing import Unpack


def read_frame(table: Any, **options: Unpack[TableOptions]) -> RewardTable:
    """Recorded rewards from a pandas table with a column per arm, read as strictly as a file.

    The options are those of `TableOptions`, without `separator`, `header` and `encoding`.

    >>> import pandas as pd
    >>> read_frame(pd.DataFrame({"day": ["2020-01-01", "2020-01-02"], "bond": [0.1, None]})).about()[1:]
    ["Column 'day' contains dates and is not an arm.", "Column 'bond' has 1 of 2 entries missing."]
    """
    asked = read_options(options)
    refuse_options(asked, OF_TEXT, "files of text, not for tables")
    return from_frame(table, asked)


def from_frame(table: Any, options: ReadOptions) -> RewardTable:
    """As `read_frame`, with options that were checked."""
    if not hasattr(table, "columns") or not hasattr(table, "iloc") or len(table.columns) == 0:
        raise must_be("A table of recorded rewards", "a pandas table with a column per arm", table)
    table = _with_arms_beside(table)
    heads = [columns.clean_header(name) for name in table.columns]
    twice = next((head for head, number in Counter(heads).items() if head and number > 1), None)
    if twice is not None:
        raise must_be("The columns", "different in name", twice)
    try:
        return _read(heads, table, options)
    except ParameterError:
        raise
    except ValueError as error:
        raise ParameterError(f"A table of recorded rewards could not be read: {error}.") from None


def _read(heads: list[str], table: Any, options: ReadOptions) -> RewardTable:
    numbers, notes, dated, texts = {}, [], [], {}
    wide = _pivoted(heads, table, options)
    if wide is not None:
        heads, table = wide.heads, _table(wide)
        notes.append(wide.note)
        options = long_format.after_pivot(options, heads)
    if options.arms is None:
        sanity_checks.check_heads(heads)
    else:
        check_arms(heads, options.arms)
    if all(isinstance(name, str) for name in table.index):
        sanity_checks.check_row_names(["", *heads], list(table.index))
    for place, head in enumerate(heads):
        column = table.iloc[:, place]
        if options.arms is not None and head not in options.arms:
            if _is_of_dates(column):
                dated.append(_dates_of(column.dropna()))
            continue
        if _is_of_dates(column):
            notes.append(f"Column {head!r} contains dates and is not an arm.")
            dated.append(_dates_of(column.dropna()))
        elif _is_of_words(column):
            words = ["" if missing else str(cell) for cell, missing in zip(column, column.isna(), strict=True)]
            kind = columns.classify_column(place, head, words, len(heads) > 1, options)
            notes += [kind.note] if kind.note else []
            dated += [kind.dates] if kind.dates else []
            if kind.kind == columns.ARM:
                texts[place] = words
        else:
            numbers[place] = _numbers(column, head)
    by_head = {columns.column_label(place, heads[place]): cells for place, cells in texts.items()}
    read = parse_numbers(by_head, ",", options)
    numbers |= zip(texts, (np.array(column) for column in read.columns.values()), strict=True)
    columns.check_are_arms(heads, numbers, options.arms)
    if not dated and _is_of_dates(table.index):
        dated.append(_dates_of(table.index))
    unit = read.unit if texts else "as written, no percent signs"
    whole = {place for place in numbers if place not in texts and table.iloc[:, place].dtype.kind in "iu"}
    whole |= {place for place, cells in texts.items() if all_whole(cells)}
    found = ColumnNumbers(heads, dict(sorted(numbers.items())), whole, len(table), dated, unit)
    return build_reward_table(found, options, [*notes, *read.notes])


def _with_arms_beside(table: Any) -> Any:
    """A table of one column whose index names the arms, with the index as columns."""
    levels = list(table.index.names)
    if len(table.columns) == 1 and any(columns.normalized(str(level)) in long_format.ARM_HEADS for level in levels):
        return table.reset_index()
    if len(levels) > 1:
        raise must_be("The index of a table of recorded rewards", "of one level, such as dates", levels)
    return table


def _pivoted(heads: list[str], table: Any, options: ReadOptions) -> long_format.WideTable | None:
    """The table with a column per arm, if it has a column of names; its dates may be its index."""
    if options.arms is None and not any(
        columns.normalized(head) in long_format.NUMBERED_HEADS
        or (columns.normalized(head) in long_format.ARM_HEADS and _is_of_words(table[name]))
        for head, name in zip(heads, table.columns, strict=True)
    ):
        return None
    if _is_of_dates(table.index):
        table, heads = table.reset_index(), [str(table.index.name or "date"), *heads]
    cells = [list(table.iloc[:, place]) for place in range(len(heads))]
    return long_format.pivot_long(
        heads, cells, lambda place: _tells_time(heads[place], table.iloc[:, place]), None, options.arms
    )


def _tells_time(head: str, column: Any) -> bool:
    return columns.normalized(head) in columns.TIME_HEADS | columns.INDEX_HEADS or holds_dates(column)


def holds_dates(column: Any) -> bool:
    """Whether a column is one of dates, of a type of theirs or as texts."""
    return _is_of_dates(column) or (_is_of_words(column) and dates_in([str(cell) for cell in column]) is not None)


def _table(wide: long_format.WideTable) -> Any:
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
