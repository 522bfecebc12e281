"""Recorded rewards that were read: one column per arm, and a report of how they were read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskbandits.core.errors import must_be, shown
from riskbandits.data import columns, doubts
from riskbandits.data.dates import Dates

if TYPE_CHECKING:
    import pandas as pd


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


def finished(
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
    doubts.check_choices(arms)
    doubts.check_totals(arms)
    doubts.check_last_row(arms)
    table = pd.DataFrame(arms)
    period = None
    if dated:
        # Another column of dates may say what the first one leaves open.
        first, last, direction, repeated, days, twice, ambiguous = min(dated, key=lambda one: bool(one.ambiguous))
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
        if twice:
            notes.append(f"Some dates appear more than once, such as {twice}.")
        if direction == -1 and rows > 1 and first != last:
            table = table.iloc[::-1] if len(days) == len(table) else table.iloc[::-1].reset_index(drop=True)
            period = (last, first)
            notes.append("The latest row came first: the rows were sorted by date.")
        elif direction == 0:
            notes.append("The dates are not in order: the rows were kept in the order of the file.")
    notes += doubts.levels(arms)
    return Reading(table, period, unit, notes)


def _finite(numbers: np.ndarray, head: str) -> np.ndarray:
    if np.isnan(numbers).all():
        raise ValueError(f"column {shown(head)} is empty: it needs at least one number")
    if np.isinf(numbers).any():
        raise ValueError(f"column {shown(head)} must be finite numbers, and has an infinite or far too large one")
    return numbers
