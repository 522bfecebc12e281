"""Recorded rewards from files: CSV of any origin, compressed or not, and Parquet."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.core import checks, files, parquet
from riskbandits.core.errors import FileError, ParameterError, must_be, unknown_name
from riskbandits.data import columns, long_format, sanity_checks
from riskbandits.data.dates import Dates, dates_in
from riskbandits.data.frames import from_frame
from riskbandits.data.numbers import all_whole, is_missing, is_number, parse_numbers
from riskbandits.data.options import (
    OF_TEXT,
    ReadOptions,
    TableOptions,
    check_arms,
    read_options,
    refuse_options,
)
from riskbandits.data.reward_table import ColumnNumbers, RewardTable, build_reward_table
from riskbandits.data.sheet import Sheet, read_sheet

if TYPE_CHECKING:
    from typing import Unpack

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


def read_table(path: str | os.PathLike[str], **options: Unpack[TableOptions]) -> RewardTable:
    """Recorded rewards from a .csv, .tsv, .txt or .parquet file with a column per arm; text may be compressed.

    The options are those of `TableOptions`: what they say is not guessed.
    """
    return from_file(path, read_options(options))


def from_file(path: str | os.PathLike[str], options: ReadOptions) -> RewardTable:
    """As `read_table`, with options that were checked."""
    path = Path(checks.path("The file of recorded rewards", path))
    files.check_readable(path)
    if not is_text(path) and path.suffix.lower() != PARQUET:
        known = f"one that ends in {', '.join((*TEXTS, PARQUET))}, or in {', '.join(PACKED)} if it is compressed"
        raise must_be("A file of recorded rewards", known, str(path))
    if is_text(path):
        return from_sheet(read_sheet(path, options), options, path)
    refuse_options(options, OF_TEXT, "files of text, not for Parquet")
    return from_frame(read_parquet(path), options)


def read_with_features(table: Any, names: Sequence[str], texts: Sequence[str], options: ReadOptions) -> RewardTable:
    """Recorded rewards from a file or a pandas table, some of whose columns are features of the decisions.

    Their cells are numbers where all of a column are, except those of `texts`.
    """
    if isinstance(table, (str, os.PathLike)) and is_text(table):
        sheet = read_sheet(table, options)
        heads, by_head = sheet.heads, {head: sheet.column(place) for place, head in enumerate(sheet.heads)}
        kept = [place for place, head in enumerate(heads) if head not in names]
        check_features(names, heads)
        given = {name: _known(name, by_head[name], name in texts, sheet.separator, options) for name in names}
        left = [[row[place] for place in kept] for row in sheet.rows]
        found = from_sheet(sheet._replace(heads=[heads[place] for place in kept], rows=left), options, table)
    else:
        if isinstance(table, (str, os.PathLike)):
            refuse_options(options, OF_TEXT, "files of text, not for Parquet")
            files.check_readable(Path(table))
            table = read_parquet(Path(table))
        heads = [columns.clean_header(name) for name in table.columns]
        check_features(names, heads)
        given = {name: table.iloc[:, heads.index(name)].tolist() for name in names}
        found = from_frame(table.iloc[:, [place for place, head in enumerate(heads) if head not in names]], options)
    if not set(found.names) <= set(heads):
        raise ParameterError("Features need a table with a column per arm: this one has a row per reward.")
    notes = [*found.notes, f"Features: {', '.join(map(repr, names))}."]
    known = {name: [cells[place] for place in found.places] for name, cells in given.items()}
    return found._replace(notes=notes, features=known)


def check_features(names: Sequence[str], heads: Sequence[str]) -> None:
    """Raise if a feature is no column, or if no column is left for the arms."""
    for name in names:
        if name not in heads:
            raise unknown_name("column", name, [head for head in heads if head])
    if len(names) == len(heads):
        raise must_be("A table of recorded rewards", "one with columns beside the features", list(heads))


def _known(head: str, cells: list[str], is_text: bool, separator: str, options: ReadOptions) -> list[Any]:
    """The cells of a column as numbers, if all are numbers or missing and it is not known to be text."""
    if is_text or not all(is_missing(cell) or is_number(cell) for cell in cells):
        return cells
    return list(parse_numbers({head: cells}, separator, options).columns[head])


def from_sheet(sheet: Sheet, options: ReadOptions, path: str | os.PathLike[str]) -> RewardTable:
    """Recorded rewards from the cells of a file that was read."""
    try:
        return _from_sheet(sheet, options)
    except ParameterError:
        raise
    except ValueError as error:
        raise FileError(f"{os.fspath(path)!r} could not be read as a table: {str(error).rstrip('.')}.") from None


def read_parquet(path: Path) -> pd.DataFrame:
    """The table in a Parquet file; a FileError if there is none."""
    import pandas as pd

    try:
        options: dict[str, Any] = parquet.verifying()
        return pd.read_parquet(path, **options)
    except Exception as error:  # pandas and pyarrow raise many kinds
        problem = " ".join(str(error).split()).rstrip(".")
        raise FileError(f"{str(path)!r} could not be read as a table: {problem[:LONGEST_PROBLEM]}.") from None


def _from_sheet(sheet: Sheet, options: ReadOptions) -> RewardTable:
    notes, heads = list(sheet.notes), sheet.heads
    cells = [list(column) for column in zip(*sheet.rows, strict=True)]
    wide = long_format.pivot_long(
        heads, cells, lambda place: _tells_time(place, heads[place], cells[place]), "", options.arms
    )
    if wide is not None:
        heads, cells = wide.heads, wide.cells
        notes.append(wide.note)
        options = long_format.after_pivot(options, heads)
    if options.arms is None:
        sanity_checks.check_heads(heads)
    else:
        check_arms(heads, options.arms)
    sanity_checks.check_row_names(heads, cells[0])
    arms, dated = _classified(heads, cells, options, notes)
    # What counts the rows has no percent signs or currency, whatever the arms have.
    counters = (
        set() if options.arms else {place for place in arms if columns.is_counter(place, heads[place], cells[place])}
    )
    by_head = {columns.column_label(place, heads[place]): cells[place] for place in arms if place not in counters}
    read = parse_numbers(by_head, sheet.separator, options)
    parsed = iter(read.columns.values())
    numbers = {}
    for place in arms:
        if place in counters:
            numbers[place] = np.array(cells[place], dtype=float)
            continue
        numbers[place], said = sanity_checks.without_codes(heads[place], np.array(next(parsed)))
        notes += said
    columns.check_are_arms(heads, numbers, options.arms)
    whole = {place for place in arms if all_whole(cells[place])}
    named = columns.normalized(heads[0]) in columns.TIME_HEADS | columns.INDEX_HEADS or not heads[0]
    if options.arms is None and 0 in numbers.keys() - whole and len(numbers) > 1 and not named:
        sanity_checks.check_first_column(heads[0], numbers[0])
    found = ColumnNumbers(heads, numbers, whole, len(sheet.rows), dated, read.unit, sheet.prices)
    return build_reward_table(found, options, [*notes, *read.notes])


def _classified(
    heads: list[str], cells: list[list[str]], options: ReadOptions, notes: list[str]
) -> tuple[list[int], list[Dates]]:
    """The places of the columns that may be arms, and the columns of dates."""
    arms, dated, times = [], [], []
    for place, head in enumerate(heads):
        if options.arms is not None and head not in options.arms:
            dates = dates_in(cells[place], columns.normalized(head) in columns.TIME_HEADS, options.dates)
            kind = columns.ColumnKind(columns.DATE, None, dates)
        else:
            kind = columns.classify_column(place, head, cells[place], len(heads) > 1, options)
        notes += [kind.note] if kind.note else []
        if kind.dates is not None:
            dated.append(kind.dates)
            times.append(cells[place])
        if kind.kind == columns.ARM:
            arms.append(place)
    if len(times) > 1:  # a date and a time of the day: neither alone says when
        counts = Counter(zip(*times, strict=True))
        twice = next((" ".join(moment) for moment, number in counts.items() if number > 1), "")
        dated = [one._replace(repeated=min(counts.values()), twice=twice) for one in dated]
    return arms, dated


def _tells_time(place: int, head: str, cells: list[str]) -> bool:
    """Whether a column holds dates or times, or counts the rows under a header that says so."""
    first = int(cells[0] == "1")
    counts = not head and place == 0 and cells == [str(row) for row in range(first, first + len(cells))]
    if counts or columns.normalized(head) in columns.TIME_HEADS | columns.INDEX_HEADS:
        return True
    try:
        return columns.classify_column(place, head, cells, True).kind != columns.ARM
    except ValueError:
        return False
