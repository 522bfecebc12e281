"""Recorded rewards that were read: one column per arm, and a report of how they were read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.core.errors import must_be, shown
from riskbandits.data import columns, sanity_checks
from riskbandits.data.dates import Dates
from riskbandits.data.options import IGNORE, ReadOptions, option

if TYPE_CHECKING:
    import pandas as pd

MOST_NOTES = 20
FRACTIONS = "fractions"
LEAST_PRICES = 2
NO_FEATURES: Mapping[str, list[Any]] = {}


class RewardTable(NamedTuple):
    """A table with a column of rewards per arm, its time, unit, and notes on how it was read.

    Missing entries are NaN; the rows are in order of time, indexed by date where the dates are complete. `places` says
    which rows of the source they are. `features` are columns that are no arms, a cell per row: what was known before
    each choice.
    """

    table: pd.DataFrame
    period: tuple[str, str] | None
    unit: str
    notes: list[str]
    places: np.ndarray
    features: Mapping[str, list[Any]] = NO_FEATURES

    @property
    def names(self) -> list[str]:
        """The arms' names."""
        return [str(name) for name in self.table.columns]

    def rewards(self) -> dict[str, np.ndarray]:
        """The rewards of each arm, without gaps."""
        found = dict(zip(self.names, self.table.to_numpy(dtype=float).T, strict=True))
        return {name: numbers[~np.isnan(numbers)] for name, numbers in found.items()}

    def about(self) -> list[str]:
        """How the table was read, one line each: arms, rows, period, unit, and what was ignored and why."""
        arms = "1 arm" if len(self.names) == 1 else f"{len(self.names)} arms"
        rows = "1 row" if len(self.table) == 1 else f"{len(self.table):,} rows"
        period = f", from {self.period[0]} to {self.period[1]}" if self.period else ""
        first = f"Read {arms} ({', '.join(_short(self.names))}) and {rows}{period}; unit: {self.unit}."
        more = len(self.notes) - MOST_NOTES
        return [first, *self.notes[:MOST_NOTES], *([f"And {more:,} more notes like these."] if more > 0 else [])]


def _short(names: list[str], most: int = 12) -> list[str]:
    return names if len(names) <= most else [*names[: most - 1], f"... {names[-1]}"]


class ColumnNumbers(NamedTuple):
    """The columns of a table that hold numbers, by their place, before it is decided which are arms."""

    heads: list[str]
    numbers: dict[int, np.ndarray]
    whole: set[int]  # places of columns written without a decimal mark
    rows: int
    dated: list[Dates]
    unit: str
    prices: bool = False  # whether the table itself says that they are prices


def build_reward_table(found: ColumnNumbers, options: ReadOptions, notes: list[str]) -> RewardTable:
    """Drop columns that count rows, sort the rows by date, make returns of prices, and report what is missing."""
    import pandas as pd

    arms = _arms(found, options, notes)
    if options.arms is None:
        sanity_checks.check_choices(arms)
        sanity_checks.check_totals(arms)
    sanity_checks.check_last_row(arms)
    table, period = pd.DataFrame(arms), None
    places, direction = np.arange(len(table)), 1
    if found.dated and options.dates != IGNORE:
        # Another column of dates may say what the first one leaves open.
        dates = min(found.dated, key=lambda one: bool(one.ambiguous))
        table, period, direction = _by_date(table, dates, notes)
        places = places[::-1] if direction == -1 else places
    unit = found.unit
    if _are_prices(arms, found.prices, options):
        table, unit = _returns(table, unit, direction != 0), "fractions, returns of prices"
        places = places[1:]
        notes.append("Prices: rewards are the returns from each row to the next.")
    if options.common:
        places = places[table.notna().all(axis=1).to_numpy()]
        table = _common(table, notes)
        period = None if period is None else _period(table, period)
    _note_gaps(table, period is not None, notes)
    return RewardTable(table, period, unit, notes, places)


def _arms(found: ColumnNumbers, options: ReadOptions, notes: list[str]) -> dict[str, np.ndarray]:
    """The columns that are arms: those that were named, or all that do not count rows or tell the time."""
    heads, numbers = found.heads, found.numbers
    if options.arms is not None:
        by_head = {heads[place]: column for place, column in numbers.items()}
        return {name: _finite(by_head[name], name) for name in options.arms}
    arms = {}
    binary = all(bool(np.isin(column[~np.isnan(column)], (0.0, 1.0)).all()) for column in numbers.values())
    for place, column in numbers.items():
        kind = columns.classify_numbers(place, heads[place], column, place in found.whole, len(numbers) > 1, binary)
        if kind.kind == columns.ARM:
            arms[heads[place]] = _finite(column, heads[place])
        else:
            notes.append(str(kind.note))
    if not arms:
        raise must_be("A table of recorded rewards", "one with a column of rewards per arm", heads)
    return arms


def _finite(numbers: np.ndarray, head: str) -> np.ndarray:
    if np.isnan(numbers).all():
        raise ValueError(f"column {shown(head)} is empty: it needs at least one number")
    if np.isinf(numbers).any():
        raise ValueError(f"column {shown(head)} must be finite numbers, and has an infinite or far too large one")
    return numbers


def _by_date(table: pd.DataFrame, dates: Dates, notes: list[str]) -> tuple[pd.DataFrame, tuple[str, str], int]:
    """The rows in order of time where the dates fall, the period, and 1; -1 if they were turned, 0 if out of order."""
    import pandas as pd

    if dates.ambiguous:
        raise ValueError(
            f"the date {dates.ambiguous} may have the day or the month first, and no other date settles it: "
            f"{option('dates')} is 'dmy' or 'mdy'"
        )
    complete = len(dates.days) == len(table)
    if complete:
        table.index = pd.DatetimeIndex(dates.days)
    if dates.repeated > 1:
        raise ValueError("every date appears more than once: a table needs one row per date and one column per arm")
    if dates.twice:
        notes.append(f"Some dates appear more than once, such as {dates.twice}.")
    if dates.direction == -1 and len(table) > 1 and dates.first != dates.last:
        notes.append("The latest row came first: the rows were sorted by date.")
        backwards = table.iloc[::-1]
        return backwards if complete else backwards.reset_index(drop=True), (dates.last, dates.first), -1
    if dates.direction == 0:
        notes.append("The dates are not in order: the rows were kept in the order of the file.")
    return table, (dates.first, dates.last), min(abs(dates.direction), 1)


def _are_prices(arms: dict[str, np.ndarray], said: bool, options: ReadOptions) -> bool:
    """Whether returns are to be made; an error if the numbers look like prices and nothing was said about it."""
    if options.prices is not None:
        return options.prices
    head = next(iter(arms)) if said else sanity_checks.column_of_prices(arms)
    if head is None:
        return False
    are = "holds prices" if said else "looks like prices"
    raise ValueError(
        f"column {shown(head)} {are}, and the rewards of a fund are its returns: {option('prices', 'True')} makes "
        f"returns of the columns, {option('prices', 'False')} takes them as rewards"
    )


def _returns(prices: pd.DataFrame, unit: str, ordered: bool) -> pd.DataFrame:
    """The change from each row to the next, relative to the former; missing where either of them is."""
    if unit.startswith(FRACTIONS):
        raise ValueError(f"it has percent signs, which prices do not have: {option('prices', 'True')} is not for it")
    if not ordered:
        raise ValueError(
            f"returns need rows in order of time, and its dates are not: sort it for {option('prices', 'True')}"
        )
    odd = next((name for name, column in prices.items() if bool((column <= 0.0).any())), None)
    if odd is not None:
        raise ValueError(
            f"column {shown(odd)} must be positive to be prices: {option('prices', 'False')} takes it as it is"
        )
    returns = (prices / prices.shift() - 1.0).iloc[1:]
    empty = next((name for name, column in returns.items() if bool(column.isna().all())), None)
    if empty is not None:
        raise ValueError(f"column {shown(empty)} must have two prices in successive rows, to make a return of")
    return returns


def _common(table: pd.DataFrame, notes: list[str]) -> pd.DataFrame:
    """The rows in which every arm has a reward."""
    kept = table.dropna()
    if not len(kept):
        raise ValueError(f"it has no row in which every arm has a reward, as {option('common', 'True')} needs")
    left_out = len(table) - len(kept)
    if left_out:
        notes.append(f"{left_out:,} of {len(table):,} rows lack a reward of some arm and were left out.")
    return kept


def _period(table: pd.DataFrame, before: tuple[str, str]) -> tuple[str, str]:
    """The period of the rows that are left, where they have dates."""
    dated = len(table) > 0 and hasattr(table.index[0], "year")
    return (_row(table, 0), _row(table, len(table) - 1)) if dated else before


def _note_gaps(table: pd.DataFrame, dated: bool, notes: list[str]) -> None:
    """Say which columns have entries missing, and whether they cover different periods."""
    there = ~np.isnan(table.to_numpy(dtype=float))
    for name, missing in zip(table.columns, (~there).sum(axis=0).tolist(), strict=True):
        if missing:
            notes.append(f"Column {str(name)!r} has {missing} of {len(table)} entries missing.")
    first, last = there.argmax(axis=0), len(table) - 1 - there[::-1].argmax(axis=0)
    if not dated or len(set(first.tolist())) == len(set(last.tolist())) == 1:
        return
    common = int(there.all(axis=1).sum())
    late, early = int(first.argmax()), int(first.argmin())
    if first[late] == first[early]:
        late, early = int(last.argmin()), int(last.argmax())
    spans = [
        f"{str(table.columns[k])!r} {_row(table, int(first[k]))} to {_row(table, int(last[k]))}" for k in (late, early)
    ]
    notes.append(
        f"Columns cover different periods ({', '.join(spans)}) and are compared over different rows: "
        f"{option('common', 'True')} takes the {common:,} common rows."
    )


def _row(table: pd.DataFrame, place: int) -> Any:
    """A row by its date, or by its number from 1."""
    named = table.index[place]
    return str(named).removesuffix(" 00:00:00") if hasattr(named, "year") else f"row {place + 1}"
