"""Tables with a row per reward, and the arm in a column of names: as tables with a column per arm."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from riskbandits.core.errors import shown
from riskbandits.data import columns
from riskbandits.data.numbers import is_missing, is_number, parse_number
from riskbandits.data.options import ReadOptions, option

# Names of a column that says which arm a row is about; any other column of words could mean anything.
ASSET_HEADS = frozenset(("asset", "fund", "ticker", "symbol", "stock", "name"))
# Those under which logs write the arms' numbers as well.
NUMBERED_HEADS = frozenset(("arm", "action", "variant", "option", "treatment", "choice"))
ARM_HEADS = NUMBERED_HEADS | ASSET_HEADS
REWARD_HEADS = frozenset(("reward", "return", "payoff", "outcome"))


class WideTable(NamedTuple):
    """Heads and columns with one column per arm, and a sentence about it."""

    heads: list[str]
    cells: list[list[Any]]
    note: str


def pivot_long(
    heads: Sequence[str],
    cells: Sequence[Sequence[Any]],
    is_time: Callable[[int], bool],
    gap: Any,
    asked: tuple[str, ...] | None = None,
) -> WideTable | None:
    """The same rewards with a column per arm; None unless there is one column of names and one of rewards.

    Rows of the same time become one; where every row has its own time, or there is none, the rewards of each arm
    stand one below the other. `asked` are the columns that were said to be arms: one of words names them.
    """
    names = [place for place, head in enumerate(heads) if columns.normalized(head) in ARM_HEADS]
    if asked is not None and set(asked) <= set(heads):
        names = [heads.index(asked[0])] if len(asked) == 1 and _is_of_names(cells[heads.index(asked[0])]) else []
    if len(names) != 1:
        return None
    times = [place for place in range(len(heads)) if place not in names and is_time(place)]
    rest = [place for place in range(len(heads)) if place not in names and place not in times]
    labels = _labels(cells[names[0]])
    arms = list(dict.fromkeys(labels))
    if all(map(str.isdecimal, arms)):
        arms.sort(key=int)
    several = 2 <= len(arms) < len(labels)
    if not rest and len(times) == 1 and several and all(map(str.isdecimal, arms)) and _has_parts(cells[times[0]]):
        rest, times = times, []  # it is called like an index, such as x, and is none
    if len(rest) != 1:
        _check_rest(heads, names[0], rest)
        return None
    # Under these two heads everything is a name: prices that were asked, say.
    said_so = (
        columns.normalized(heads[names[0]]) in NUMBERED_HEADS and columns.normalized(heads[rest[0]]) in REWARD_HEADS
    ) or asked == (heads[names[0]],)
    if not several and not said_so:
        return None  # one name for all rows, or a name for each: no arms with several rewards
    if any(map(is_missing, arms)):
        if said_so:
            raise ValueError(f"column {shown(heads[names[0]])} has a gap: every reward needs its arm")
        return None
    if any(map(is_number, arms)) and not said_so:
        if columns.normalized(heads[names[0]]) not in NUMBERED_HEADS or not all(map(str.isdecimal, arms)):
            return None  # the rewards of a fund that is called "stock", say
        arm, other = shown(heads[names[0]]), shown(heads[rest[0]])
        raise ValueError(
            f"column {arm} may number the arms or be one: call column {other} 'reward', or choose with {option('arms')}"
        )
    when = list(zip(*(cells[place] for place in times), strict=True)) if times else []
    shared = bool(when) and len(set(when)) < len(when)
    keys: Sequence[Any] = when if shared else _counted(labels)
    rows = {key: row for row, key in enumerate(dict.fromkeys(keys))}
    wide = {arm: [gap] * len(rows) for arm in arms}
    seen = set()
    for key, arm, reward in zip(keys, labels, cells[rest[0]], strict=True):
        if (key, arm) in seen:
            raise ValueError(f"{shown(arm)} has two rewards at {shown(' '.join(map(str, key)))}")
        seen.add((key, arm))
        wide[arm][rows[key]] = reward
    said = f"Each row has one reward: column {heads[names[0]]!r} names the arms, {heads[rest[0]]!r} holds the rewards."
    if not shared:
        said += " They are in the order of the file, each arm's by themselves."
        return WideTable(arms, list(wide.values()), said)
    kept = [[key[place] for key in rows] for place in range(len(times))]
    return WideTable([*(heads[place] for place in times), *arms], [*kept, *wide.values()], said)


def after_pivot(options: ReadOptions, heads: Sequence[str]) -> ReadOptions:
    """The options for the table with a column per arm: arms named before by the column that named them are all."""
    if options.arms is None or set(options.arms) <= set(heads):
        return options
    return options._replace(arms=None)


def _check_rest(heads: Sequence[str], arm: int, rest: Sequence[int]) -> None:
    """Refuse a log of choices that says more than which reward each arm paid: the rest would become arms."""
    plain = [columns.normalized(heads[place]) for place in rest]
    if columns.normalized(heads[arm]) in NUMBERED_HEADS and any(head in REWARD_HEADS for head in plain):
        others = ", ".join(
            shown(heads[place]) for place in rest if columns.normalized(heads[place]) not in REWARD_HEADS
        )
        raise ValueError(
            f"it has a row per reward of an arm, and other columns beside it ({others}): keep the time, the arm and "
            f"the reward, or choose with {option('arms')}"
        )


def _is_of_names(cells: Sequence[Any]) -> bool:
    """Whether there are words in a column, or gaps alone."""
    return not all(is_number(str(cell)) or is_missing(str(cell)) for cell in cells)


def _has_parts(cells: Sequence[Any]) -> bool:
    """Whether there are numbers in a column that are not whole."""
    found = [one for cell in cells if (one := parse_number(str(cell))) is not None]
    return any(not one.is_whole() for one in found)


def _labels(names: Sequence[Any]) -> list[str]:
    """What stands in the column of names, as text; 3 rather than 3.0, where all numbers are like that."""
    found = [str(name).strip() for name in names]
    if all(re.fullmatch(r"\d+\.0+", one) or is_missing(one) for one in found):
        return [one.partition(".")[0] for one in found]
    return found


def _counted(labels: Sequence[str]) -> list[int]:
    """How often each label was there before."""
    before: Counter[str] = Counter()
    found = []
    for label in labels:
        found.append(before[label])
        before[label] += 1
    return found
