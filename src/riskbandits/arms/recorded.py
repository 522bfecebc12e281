"""Tables of recorded rewards: reading them, and telling rewards from dates, row numbers and gaps."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.core import checks, files, parquet
from riskbandits.core.errors import FileError, must_be, shown

if TYPE_CHECKING:
    import pandas as pd

SUFFIXES = (".csv", ".parquet")
LONGEST_PROBLEM = 300  # letters of what pandas says: it may quote a cell


def read(path: str | os.PathLike[str]) -> pd.DataFrame:
    """The table in a .csv or .parquet file."""
    import pandas as pd

    path = Path(checks.path("The file of recorded rewards", path))
    if not path.is_file():
        raise FileError(f"There is no file {str(path)!r}.")
    if path.suffix.lower() not in SUFFIXES:
        raise must_be("A file of recorded rewards", f"one that ends in {' or '.join(SUFFIXES)}", str(path))
    try:
        if path.suffix.lower() == ".parquet":
            options: dict[str, Any] = parquet.verifying()
            return pd.read_parquet(path, **options)
        text = files.read_text(path)
        _check_shape(text)
        return pd.read_csv(io.StringIO(text))
    except Exception as error:  # pandas and pyarrow raise many kinds
        problem = " ".join(str(error).split()).rstrip(".")
        raise FileError(f"{str(path)!r} could not be read as a table: {problem[:LONGEST_PROBLEM]}.") from None


def _check_shape(text: str) -> None:
    """Refuse what pandas would make the best of without a word: repeated heads, rows that are too long or short."""
    rows = csv.reader(io.StringIO(text, newline=""))
    heads = next((row for row in rows if row), [])
    twice = next((head for head in heads if head and heads.count(head) > 1), None)
    if twice is not None:
        raise ValueError(f"the column {shown(twice)} is there twice")
    for row in rows:
        if row and len(row) != len(heads):
            raise ValueError(f"line {rows.line_num} has {len(row)} values where there are {len(heads)} columns")


def split(table: Any) -> tuple[dict[str, np.ndarray], list[str]]:
    """The rewards of each column of a pandas table by its name, and a sentence about each thing left out.

    >>> import pandas as pd
    >>> split(pd.DataFrame({"day": ["2020-01-01", "2020-01-02"], "bond": [0.1, None]}))
    ({'bond': array([0.1])}, ["Column 'day' holds dates and is no arm.", "Column 'bond' lacks 1 of 2 entries."])
    """
    if not hasattr(table, "columns") or len(table.columns) == 0:
        raise must_be("The table of DataArms", "a pandas table with a column per arm", table)
    rewards: dict[str, np.ndarray] = {}
    notes = []
    for place, name in enumerate(table.columns):
        column = table.iloc[:, place]
        thing = f"Column {str(name)!r}"
        if place == 0 and _counts_rows(name, column):
            notes.append("The first column has no name and counts the rows: it is no arm.")
        elif _holds_dates(column):
            notes.append(f"{thing} holds dates and is no arm.")
        elif str(name) in rewards:
            raise must_be("The columns", "different in name", str(name))
        else:
            rewards[str(name)] = kept = _numbers(column, thing)
            if len(kept) < len(column):
                notes.append(f"{thing} lacks {len(column) - len(kept)} of {len(column)} entries.")
    if not rewards:
        raise must_be("The table of DataArms", "one with a column of rewards per arm", list(table.columns))
    return rewards, notes


def _numbers(column: Any, thing: str) -> np.ndarray:
    try:
        if column.dtype.kind not in "iufbO":  # numpy would take a span of time, or half of a complex number, for one
            raise TypeError
        numbers = np.asarray(column, dtype=float)
    except (TypeError, ValueError):
        raise must_be(thing, "numbers (or dates, which are left out)", _first_word(column)) from None
    kept: np.ndarray = numbers[~np.isnan(numbers)]
    if len(kept) == 0 or not np.isfinite(kept).all():
        raise must_be(thing, "finite numbers, at least one of them", "none or infinite ones")
    return kept


def _first_word(column: Any) -> str:
    """The first entry that is no number, as it stands there."""
    for entry in column:
        try:
            float(entry)
        except (TypeError, ValueError):
            return str(entry)
    return str(column.iloc[0])


def _counts_rows(name: Any, column: Any) -> bool:
    """Whether a column is the row numbers that pandas writes before the others, under no name."""
    if not str(name).startswith("Unnamed: 0"):  # what pandas calls it when it reads the file
        return False
    return column.dtype.kind in "iu" and bool((np.diff(column) == 1).all())


def _holds_dates(column: Any) -> bool:
    """Whether a column is one of dates: of that type, or words all of which can be read as such."""
    import pandas as pd

    if pd.api.types.is_datetime64_any_dtype(column) or isinstance(column.dtype, pd.PeriodDtype):
        return True
    words = column.dropna()
    if pd.api.types.is_numeric_dtype(column) or len(words) == 0:
        return False
    if any(not isinstance(entry, str) for entry in words):  # dates as Parquet keeps them are objects
        return all(hasattr(entry, "isoformat") and hasattr(entry, "year") for entry in words)  # no spans of time
    try:
        pd.to_datetime(words, format="ISO8601")
    except (ValueError, TypeError):
        return _in_one_form(words)
    return True


def _in_one_form(words: Any) -> bool:
    """Whether words are dates in another form than ISO 8601, the same for all."""
    import warnings

    import pandas as pd

    if not all(any(sign.isdigit() for sign in word) for word in words):  # "may" alone would be read as a date
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # pandas warns when it has to guess entry by entry
        try:
            pd.to_datetime(words)
        except (ValueError, TypeError, UserWarning):
            return False
    return True
