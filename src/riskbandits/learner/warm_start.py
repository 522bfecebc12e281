"""A warm start from recorded rewards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from riskbandits.core.errors import ParameterError, must_be
from riskbandits.data import read_frame

LONG = ("arm", "reward")  # the columns of a log: one row per choice


def rewards_from_data(data: Any) -> tuple[list[Any], list[Any]]:
    """Arms and rewards, in their order, from a table with a column per arm, one of choices, or lists by arm.

    >>> import pandas as pd
    >>> rewards_from_data(pd.DataFrame({"bond": [0.1, 0.2], "stock": [-1.0, None]}))
    (['bond', 'stock', 'bond'], [0.1, -1.0, 0.2])
    >>> rewards_from_data(pd.DataFrame({"arm": ["bond", "stock"], "reward": [0.1, -1.0]}))
    (['bond', 'stock'], [0.1, -1.0])
    """
    what = "a table with a column per arm, or with the columns 'arm' and 'reward', or a dictionary from arms to rewards"
    if isinstance(data, Mapping):
        pairs = [(arm, reward) for arm, rewards in data.items() for reward in _listed(rewards, what)]
        return [arm for arm, _ in pairs], [reward for _, reward in pairs]
    if not hasattr(data, "columns") or not hasattr(data, "iloc"):
        raise must_be("data", what, data)
    if set(LONG) <= set(data.columns):
        _check_columns(data, LONG)
        return data[LONG[0]].tolist(), data[LONG[1]].tolist()
    table = read_frame(data, prices=False).table  # it says what is wrong with the data, and leaves out dates
    names = {" ".join(str(name).split()): name for name in data.columns}
    arms: list[Any] = []
    rewards: list[Any] = []
    for row in table.to_numpy(dtype=float):
        for name, reward in zip(table.columns, row.tolist(), strict=True):
            if reward == reward:  # not missing
                arms.append(names[name])
                rewards.append(reward)
    return arms, rewards


def features_from_data(data: Any, names: list[str]) -> list[dict[str, Any]] | None:
    """The features of each row of a table of choices; None where no features are declared."""
    if not names:
        return None
    what = f"a table with the columns 'arm', 'reward' and {', '.join(map(repr, names))}"
    if not hasattr(data, "columns") or not {*LONG, *names} <= set(data.columns):
        raise must_be("data", what, list(data.columns) if hasattr(data, "columns") else data)
    _check_columns(data, (*LONG, *names))
    return [dict(zip(names, row, strict=True)) for row in zip(*(data[name].tolist() for name in names), strict=True)]


def _check_columns(data: Any, names: Sequence[str]) -> None:
    """Raise unless each of these names, which are different from each other, is that of a single column."""
    for name in names:
        if list(names).count(name) > 1 or list(data.columns).count(name) > 1:
            raise ParameterError(f"Two columns of data would be {name!r}: arms, rewards and features need one each.")


def _listed(rewards: Any, what: str) -> list[Any]:
    if isinstance(rewards, (str, bytes, Mapping)) or not hasattr(rewards, "__iter__"):
        raise must_be("data", what, rewards)
    return list(rewards)
