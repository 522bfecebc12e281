"""Arms made of recorded rewards, resampled from a table."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np

from riskbandits.arms.discrete import Discrete
from riskbandits.core.notices import say_once
from riskbandits.core.records import Limits, Names, Numbers, cast
from riskbandits.data import RewardTable, TableOptions, read_frame, read_table

if TYPE_CHECKING:
    from typing import Unpack

    import pandas as pd

    from riskbandits.types import Rng

POSITION = 0  # the cell of an arm's memory: the place of its last reward, from 1; 0 before the first


class DataArms(NamedTuple):
    """Arm k pays recorded rewards, resampled at random (bootstrap).

    Use it to try policies on real data. Create it with `DataArms.from_table` or `DataArms.from_file`: one column per
    arm, whose name is the arm's. Missing entries are dropped column by column; columns of dates and row numbers are
    ignored; ambiguous input is refused (`riskbandits.data` reports how it was read).

    `block` = 1 draws every reward independently. A larger `block` keeps consecutive records together, and with them
    their autocorrelation: the next pull of an arm pays the record after its last one with probability 1 - 1/block, and
    otherwise one drawn at random (the circular stationary bootstrap of Politis & Romano 1994). Each single reward
    has the distribution of the records either way, so means, risks and gaps do not depend on `block`.

    `rewards` holds the records of all arms one after the other, `ends` where those of each arm end, `names` the arms'
    names, one per line.

    >>> import pandas as pd
    >>> arms = DataArms.from_table(pd.DataFrame({"bond": [0.1, 0.2, None], "stock": [-1.0, 0.5, 1.0]}))
    >>> arms.size(), round(arms.mean(0), 3), arms.names.split()
    (2, 0.15, ['bond', 'stock'])
    """

    rewards: Numbers
    ends: Numbers
    block: Annotated[float, Limits(low=1.0)] = 1.0
    names: Annotated[Any, Names(keyed=True)] = ""

    def draw(self, k: int, rng: Rng) -> float:
        """One reward of arm k, independent of earlier ones."""
        first = int(self.ends[k - 1]) if k > 0 else 0
        length = int(self.ends[k]) - first
        return self.rewards[first + min(int(rng.random() * length), length - 1)]

    def draw_next(self, k: int, rng: Rng, memory: np.ndarray) -> float:
        """The next reward of arm k, given the position of its last one."""
        first = int(self.ends[k - 1]) if k > 0 else 0
        length = int(self.ends[k]) - first
        last = int(memory[k, POSITION])
        if last == 0 or self.block <= 1.0 or rng.random() * self.block < 1.0:
            place = min(int(rng.random() * length), length - 1)
        else:
            place = last if last < length else 0
        memory[k, POSITION] = place + 1.0
        return self.rewards[first + place]

    def mean(self, k: int) -> float:
        return self.distribution(k).mean

    def variance(self, k: int) -> float:
        """The variance of arm k's records, divided by their number."""
        return self.distribution(k).variance

    def size(self) -> int:
        return len(self.ends)

    def distribution(self, k: int) -> Discrete:
        first = int(self.ends[k - 1]) if k > 0 else 0
        values, counts = np.unique(self.rewards[first : int(self.ends[k])], return_counts=True)
        return Discrete(values, counts)

    def binary(self) -> bool:
        """Whether all records are 0 or 1: policies for Bernoulli arms may then be used."""
        return bool(np.isin(self.rewards, (0.0, 1.0)).all())

    def invalid(self) -> tuple[str, str, object] | None:
        """Ends must cut the rewards into one piece per arm, none of them empty."""
        pieces = np.diff(np.concatenate([[0.0], self.ends]))
        if (pieces >= 1.0).all() and self.ends[-1] == len(self.rewards) and (self.ends == np.floor(self.ends)).all():
            return None
        return ("The 'ends' parameter of DataArms", f"whole, rising, and {len(self.rewards)} last", self.ends.tolist())

    @classmethod
    def from_table(cls, table: pd.DataFrame, block: float = 1.0, **options: Unpack[TableOptions]) -> DataArms:
        """Arms from a pandas table with a column of rewards per arm; missing entries are left out.

        The options are those of `riskbandits.data.TableOptions` that do not concern text.
        """
        return cls.from_rewards(read_frame(table, **options), block)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], block: float = 1.0, **options: Unpack[TableOptions]) -> DataArms:
        """Arms from a .csv, .tsv, .txt or .parquet file with a column per arm; prints how the file was read.

        What a file leaves open is said by options (`riskbandits.data.TableOptions`): `separator`, `decimal`,
        `thousands`, `dates`, `arms`, `header`, `encoding`; `prices=True` makes returns of prices, `common=True` keeps
        the rows in which every arm has a reward.
        """
        rewards = read_table(path, **options)
        say_once(" ".join(rewards.about()))
        return cls.from_rewards(rewards, block)

    @classmethod
    def from_rewards(cls, rewards: RewardTable, block: float = 1.0) -> DataArms:
        """Arms from a table that was read already."""
        pieces = list(rewards.rewards().values())
        names = "\n".join(rewards.names)
        return cast(cls(np.concatenate(pieces), np.cumsum([len(one) for one in pieces]), block, names))
