"""Recorded rewards from files: CSV of any origin, compressed or not, and Parquet."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.core import checks, files, parquet
from riskbandits.core.errors import FileError, must_be
from riskbandits.data import columns, doubts, long, numerals, sheet
from riskbandits.data.frames import understood
from riskbandits.data.reading import Reading, finished

if TYPE_CHECKING:
    import pandas as pd

TEXTS = (".csv", ".tsv", ".txt", ".tab", ".dat", ".prn", ".asc")
PACKED = (".gz", ".bz2", ".xz", ".zip")
PARQUET = ".parquet"
LONGEST_PROBLEM = 300  # letters of what pandas says: it may quote a cell


def is_text(path: str | os.PathLike[str]) -> bool:
    """Whether a file's name is that of a table as text, compressed or not.

    >>> is_text("returns.CSV"), is_text("returns.csv.gz"), is_text("factors.zip"), is_text("returns.parquet")
    (True, True, True, False)
    """
    endings = [one.lower() for one in Path(path).suffixes]
    packed = bool(endings) and endings[-1] in PACKED
    if packed:
        endings.pop()
    return (packed and not endings) or (bool(endings) and endings[-1] in TEXTS)


def read_table(path: str | os.PathLike[str]) -> Reading:
    """Recorded rewards from a .csv, .tsv, .txt or .parquet file with a column per arm; text may be compressed."""
    path = Path(checks.path("The file of recorded rewards", path))
    files.check_readable(path)
    if not is_text(path) and path.suffix.lower() != PARQUET:
        known = f"one that ends in {', '.join((*TEXTS, PARQUET))}, or in {', '.join(PACKED)} if it is compressed"
        raise must_be("A file of recorded rewards", known, str(path))
    if is_text(path):
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
    notes, dated, cells = list(found.notes), [], {}
    by_place = [found.column(place) for place in range(len(found.heads))]
    wide = long.widened(
        found.heads, by_place, lambda place: _tells_time(place, found.heads[place], by_place[place]), ""
    )
    heads = found.heads
    if wide is not None:
        heads, by_place = wide.heads, wide.cells
        notes.append(wide.note)
    doubts.check_heads(heads)
    doubts.check_row_names(heads, by_place[0])
    times = []
    for place, head in enumerate(heads):
        judged = columns.judged_cells(place, head, by_place[place], len(heads) > 1)
        notes += [judged.note] if judged.note else []
        if judged.dates is not None:
            dated.append(judged.dates)
            times.append(by_place[place])
        if judged.kind == columns.ARM:
            cells[place] = by_place[place]
    if len(times) > 1:  # a date and a time of the day: neither alone says when
        counts = Counter(zip(*times, strict=True))
        twice = next((" ".join(moment) for moment, number in counts.items() if number > 1), "")
        dated = [one._replace(repeated=min(counts.values()), twice=twice) for one in dated]
    # What counts the rows has no percent signs or currency, whatever the arms have.
    counters = {place for place, column in cells.items() if columns.counts_up(place, heads[place], column)}
    by_head = {columns.shown_head(place, heads[place]): cells[place] for place in cells if place not in counters}
    read = numerals.understand(by_head, found.separator)
    understood_numbers = iter(read.columns.values())
    numbers = {}
    for place, column in cells.items():
        if place in counters:
            numbers[place] = np.array(column, dtype=float)
            continue
        numbers[place], said = doubts.without_codes(heads[place], np.array(next(understood_numbers)))
        notes += said
    whole = {place for place, column in cells.items() if numerals.all_whole(column)}
    named = columns.plain(heads[0]) in columns.TIME_HEADS | columns.INDEX_HEADS or not heads[0]
    if 0 in numbers.keys() - whole and len(numbers) > 1 and not named:
        doubts.check_first_column(heads[0], numbers[0])
    return finished(heads, numbers, whole, len(by_place[0]), dated, read.unit, [*notes, *read.notes])


def _tells_time(place: int, head: str, cells: list[str]) -> bool:
    """Whether a column holds dates or times, or counts the rows under a head that says so."""
    first = int(cells[0] == "1")
    counts = not head and place == 0 and cells == [str(row) for row in range(first, first + len(cells))]
    if counts or columns.plain(head) in columns.TIME_HEADS | columns.INDEX_HEADS:
        return True
    try:
        return columns.judged_cells(place, head, cells, True).kind != columns.ARM
    except ValueError:
        return False
