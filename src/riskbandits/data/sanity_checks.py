"""Checks that a table holds rewards: no missing-value codes, totals, prices, statistics or months as columns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from riskbandits.core.errors import shown
from riskbandits.data import columns
from riskbandits.data.dates import NUMBER_OF, is_date
from riskbandits.data.long_format import REWARD_HEADS
from riskbandits.data.options import option
from riskbandits.data.sheet import readable

CODES = (-99.99, -99.9, -999.0, -999.99, -9999.0)
FAR = 10.0  # a number that is this many times larger than all others of its column is a code
LEAST_FOR_LEVELS = 20  # rows by which prices are told from returns
LEVEL = 0.9  # the correlation of a column with itself a row later that returns never have
LEAST_ABOVE_TOTALS = 4  # rows
LEAST_FOR_STEPS = 6
PRICE_HEADS = (  # of one fund, a day
    {"high", "low", "close"},
    {"hoch", "tief", "schlusskurs"},
    {"najwyzszy", "najnizszy", "zamkniecie"},
    {"bid", "ask"},
)
VOLUME_HEADS = frozenset(("volume", "vol"))
# Nobody calls an arm so, unlike "variant" or "treatment", which stand beside a control.
CHOICE_HEADS = frozenset(("arm", "action"))
NUMBERED = re.compile(r"[VX]?(\d+)")  # heads that R and pandas give to columns without a name
STATISTICS = frozenset(("count", "mean", "std", "var", "min", "max", "median"))
LEAST_STATISTICS = 2
TOTAL_HEADS = frozenset(("total", "sum", "average", "mean"))
SAYS = f"{option('arms')} says which columns are arms"


def check_heads(heads: Sequence[str]) -> None:
    """Refuse tables none of whose columns is an arm: the prices of one fund, months or dates side by side."""
    prices = next((one for one in PRICE_HEADS if {columns.normalized(head) for head in heads} >= one), None)
    if prices is not None:
        named = ", ".join(head for head in heads if columns.normalized(head) in prices).lower()
        raise ValueError(
            f"it contains the prices of one fund ({named}), not a column of rewards per arm: {option('arms')} takes "
            f"one of them, {option('prices', 'True')} its returns"
        )
    volume = next((head for head in heads if columns.normalized(head) in VOLUME_HEADS), None)
    if volume is not None:
        raise ValueError(f"column {shown(volume)} is a number of trades or their size, not rewards: {SAYS}")
    others = [head for head in heads[1:] if columns.normalized(head) not in TOTAL_HEADS]
    months = len(others) > 2 and all(head.lower().rstrip(".") in NUMBER_OF for head in others)
    if months or (len(others) > 1 and all(map(is_date, others))):
        raise ValueError(
            f"its columns are times ({shown(others[0])}, {shown(others[1])}), not a column of rewards per arm"
        )


def check_row_names(heads: Sequence[str], first: Sequence[str]) -> None:
    """Refuse tables of statistics (a row of means, one of deviations) and those of each arm against each other."""
    names = [name.strip().lower() for name in first]
    if not names:
        return
    statistics = [name for name in first if name.strip().lower() in STATISTICS]
    if len(set(statistics)) >= LEAST_STATISTICS:
        those = f"are statistics ({shown(statistics[0])}, {shown(statistics[1])})"
        raise ValueError(f"its rows {those}, not rewards" if names[0] in STATISTICS else f"some of its rows {those}")
    numbers = [NUMBERED.fullmatch(head) for head in heads[1:]]
    words = not any(readable(name) for name in first)
    if words and len(numbers) > 1 and all(numbers) and columns.is_enumeration([one[1] for one in numbers if one]):
        raise ValueError(
            f"its rows have names ({shown(first[0])}) and its columns numbers: it needs a column, not a row, per arm"
        )
    if len(heads) > 2 and not names[0].isdecimal() and names == [head.strip().lower() for head in heads[1:]]:
        raise ValueError("it holds a number for each pair of arms, such as correlations, not rewards")


def without_codes(head: str, numbers: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """A column with gaps in place of numbers such as -99.99 that stand for missing entries, and a note; or an error.

    >>> without_codes("a", np.array([0.5, -99.99, 1.5]))[1]
    ["Column 'a' has 1 entry -99.99, a code for missing ones: it is not a reward."]
    """
    if len(numbers) == 0 or not np.nanmin(numbers, initial=0.0) <= max(CODES):
        return numbers, []
    for code in CODES:
        same = numbers == code
        others = np.abs(numbers[~same & ~np.isnan(numbers)])
        if not same.any() or not len(others) or others.max() >= -code:
            continue
        if FAR * others.max() >= -code:
            raise ValueError(
                f"column {shown(head)} has {code:.6g}, which may be a code for a missing entry or a reward: leave the "
                "cell empty, or read the file with pandas and pass the table"
            )
        entries = "1 entry" if same.sum() == 1 else f"{same.sum()} entries"
        ends = "it is not a reward" if same.sum() == 1 else "they are not rewards"
        note = f"Column {head!r} has {entries} {code:.6g}, a code for missing ones: {ends}."
        return np.where(same, np.nan, numbers), [note]
    return numbers, []


def check_totals(arms: Mapping[str, np.ndarray]) -> None:
    """Refuse a column that holds the sum or the mean of all others, and is called so."""
    for head, numbers in arms.items():
        if columns.normalized(head) not in TOTAL_HEADS or len(arms) < 3:
            continue
        others = np.array([column for name, column in arms.items() if name != head])
        for what, found in (("sum", others.sum(axis=0)), ("mean", others.mean(axis=0))):
            if np.allclose(found, numbers, rtol=1e-6, atol=1e-9, equal_nan=True):
                raise ValueError(f"column {shown(head)} is the {what} of the others: {SAYS}")


def check_choices(arms: Mapping[str, np.ndarray]) -> None:
    """Refuse a log of choices that could not be read as one: columns called "arm" or "reward" are not arms."""
    choice = next((head for head in arms if columns.normalized(head) in CHOICE_HEADS), None)
    if choice is not None and len(arms) > 1:
        raise ValueError(f"column {shown(choice)} may number the arms or be one: {SAYS}")
    reward = next((head for head in arms if columns.normalized(head) in REWARD_HEADS), None)
    if reward is not None and len(arms) > 1:
        other = next(head for head in arms if head != reward)
        raise ValueError(
            f"column {shown(reward)} may hold the rewards of several arms and stands beside column {shown(other)}: "
            f"{SAYS}, or call the one that says which arm it was 'arm'"
        )


def check_first_column(head: str, numbers: np.ndarray) -> None:
    """Refuse a first column that rises in equal steps, as a time does and rewards do not."""
    steps = np.diff(numbers)
    if len(numbers) >= LEAST_FOR_STEPS and steps[0] > 0.0 and np.allclose(steps, steps[0], atol=0.0):
        raise ValueError(f"column {shown(head)} rises in equal steps, as a time does: {SAYS}")


def check_last_row(arms: Mapping[str, np.ndarray]) -> None:
    """Refuse a last row that is the sum or the mean of all others in every column, by chance in none."""
    table = np.array(list(arms.values()))
    rows, last = table[:, :-1], table[:, -1]
    if rows.shape[1] < LEAST_ABOVE_TOTALS or np.isnan(table).any() or not (rows.std(axis=1) > 0.0).all():
        return
    size = np.abs(rows).max(axis=1)
    for what, found in (("sum", rows.sum(axis=1)), ("mean", rows.mean(axis=1))):
        # Totals are rounded; as digits of rewards that many would not agree by chance.
        if (np.abs(found - last) <= 1e-6 * size).all() and (len(arms) > 1 or not (rows == np.floor(rows)).all()):
            raise ValueError(f"its last row is the {what} of all others: remove it")


def column_of_prices(arms: Mapping[str, np.ndarray]) -> str | None:
    """The first column that looks like prices: positive, and each close to the one before. None if none does."""
    for head, numbers in arms.items():
        there = numbers[~np.isnan(numbers)]
        if len(there) < LEAST_FOR_LEVELS or there.min() <= 0.0 or np.ptp(there) == 0.0:
            continue
        with np.errstate(all="ignore"):
            correlation = np.corrcoef(there[1:], there[:-1])[0, 1]
        if correlation > LEVEL:
            return head
    return None
