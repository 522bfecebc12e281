"""What in a table looks like something other than rewards: missing-value codes, totals, prices, months as columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from riskbandits.core.errors import shown
from riskbandits.data import columns, long, margins
from riskbandits.data.dates import NUMBER_OF, is_date

CODES = (-99.99, -99.9, -999.0, -999.9, -999.99, -9999.0, -9999.99, -99999.0, -999999.0)
FAR = 10.0  # a number that is this many times larger than all others of its column is a code
LEAST_FOR_LEVELS = 20  # rows by which prices are told from returns
LEVEL = 0.9  # the correlation of a column with itself a row later that returns never have
LEAST_ABOVE_TOTALS = 4  # rows
LEAST_FOR_STEPS = 6
PRICE_HEADS = (  # of one fund, a day, as vendors in several countries call them
    {"open", "high", "low", "close"},
    {"hoch", "tief", "schluss"},
    {"hoch", "tief", "schlusskurs"},
    {"haut", "bas", "clot"},
    {"najwyzszy", "najnizszy", "zamkniecie"},
    {"bid", "ask"},
)
VOLUME_HEADS = frozenset(
    ("volume", "vol", "volumen", "wolumen", "turnover", "umsatz", "stückzahl", "stücke", "stuecke", "openinterest")
)
# Nobody calls an arm so, unlike "variant" or "treatment", which stand beside a control.
CHOICE_HEADS = frozenset(("arm", "arms", "action", "actions"))
NUMBERED = re.compile(r"[VX]?(\d+)")  # heads that R and pandas give to columns without a name
STATISTICS = frozenset(("count", "mean", "std", "var", "variance", "min", "max", "median", "25%", "50%", "75%", "skew"))
LEAST_STATISTICS = 2
TOTAL_HEADS = frozenset(
    ("total", "totals", "sum", "summe", "gesamt", "somme", "totale", "suma", "average", "mean", "ytd")
)


def check_heads(heads: Sequence[str]) -> None:
    """Refuse tables none of whose columns is an arm: the prices of one fund, months or dates side by side."""
    prices = next((one for one in PRICE_HEADS if {columns.plain(head) for head in heads} >= one), None)
    if prices is not None:
        named = ", ".join(head for head in heads if columns.plain(head) in prices).lower()
        raise ValueError(f"it contains the prices of one fund ({named}), not a column of rewards per arm")
    volume = next((head for head in heads if columns.plain(head) in VOLUME_HEADS), None)
    if volume is not None:
        raise ValueError(f"column {shown(volume)} is a number of trades or their size, not rewards: remove it")
    others = [head for head in heads[1:] if columns.plain(head) not in TOTAL_HEADS]
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
    words = not any(margins.readable(name) for name in first)
    if words and len(numbers) > 1 and all(numbers) and columns.counts([one[1] for one in numbers if one]):
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
        if columns.plain(head) not in TOTAL_HEADS or len(arms) < 3:
            continue
        others = np.array([column for name, column in arms.items() if name != head])
        for what, found in (("sum", others.sum(axis=0)), ("mean", others.mean(axis=0))):
            if np.allclose(found, numbers, rtol=1e-6, atol=1e-9, equal_nan=True):
                raise ValueError(f"column {shown(head)} is the {what} of the others: remove it, or rename it")


def check_choices(arms: Mapping[str, np.ndarray]) -> None:
    """Refuse a log of choices that could not be read as one: columns called "arm" or "reward" are not arms."""
    choice = next((head for head in arms if columns.plain(head) in CHOICE_HEADS), None)
    if choice is not None and len(arms) > 1:
        raise ValueError(f"column {shown(choice)} may number the arms or be one: rename it, or keep a column per arm")
    reward = next((head for head in arms if columns.plain(head) in long.REWARD_HEADS), None)
    if reward is not None and len(arms) > 1:
        other = next(head for head in arms if head != reward)
        raise ValueError(
            f"column {shown(reward)} may hold the rewards of several arms and stands beside column {shown(other)}: "
            "name each column after its arm, or call the one that says which arm it was 'arm'"
        )


def check_first_column(head: str, numbers: np.ndarray) -> None:
    """Refuse a first column that rises in equal steps, as a time does and rewards do not."""
    steps = np.diff(numbers)
    if len(numbers) >= LEAST_FOR_STEPS and steps[0] > 0.0 and np.allclose(steps, steps[0], atol=0.0):
        raise ValueError(f"column {shown(head)} rises in equal steps, as a time does: call it 'time', or remove it")


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


def levels(arms: Mapping[str, np.ndarray]) -> Iterable[str]:
    """A note on columns that look like prices rather than rewards."""
    for head, numbers in arms.items():
        there = numbers[~np.isnan(numbers)]
        if len(there) < LEAST_FOR_LEVELS or there.min() <= 0.0 or np.ptp(there) == 0.0:
            continue
        with np.errstate(all="ignore"):
            close = np.corrcoef(there[1:], there[:-1])[0, 1]
        if close > LEVEL:
            yield f"Column {head!r} looks like prices or levels; rewards of funds are usually their returns."
