"""The learner's book: per arm what was chosen, told and is outstanding. It knows nothing of policies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from riskbandits.checks import is_whole, listed
from riskbandits.errors import ParameterError, must_be, unknown_name
from riskbandits.statistics import moments

Name = str | int

MOST_ARMS = 1_000_000  # a learner scores them all at every ask

TOLD, OUTSTANDING, CHOSEN = range(3)  # columns of `counts`


class Book:
    """Counts and sample moments per arm, in rows in the order of `names`; retired arms keep a line of their own."""

    def __init__(self, names: Sequence[Name]) -> None:
        self.names: list[Name] = []
        self.rows: dict[Name, int] = {}
        self.counts = np.zeros((0, 3), dtype=np.int64)
        self.moments = np.zeros((0, moments.WIDTH))
        self.retired: dict[Name, dict[str, Any]] = {}
        for name in names:
            self._open(name)
        self.counts = np.zeros((len(self.names), 3), dtype=np.int64)
        self.moments = np.zeros((len(self.names), moments.WIDTH))

    def add(self, name: Any) -> None:
        """Open a row for a new arm."""
        self._open(name)
        self.counts = np.vstack([self.counts, np.zeros((1, 3), dtype=np.int64)])
        self.moments = np.vstack([self.moments, np.zeros((1, moments.WIDTH))])

    def _open(self, name: Any) -> None:
        name = check_name(name)
        if name in self.rows:
            raise ParameterError(f"There is already an arm {name!r}.")
        if name in self.retired:
            raise ParameterError(f"The arm {name!r} was retired; add it under a new name.")
        self.rows[name] = len(self.names)
        self.names.append(name)

    def retire(self, name: Any) -> int:
        """Close an arm's row and return its number; what is outstanding for it is dropped."""
        row = self.row(name)
        self.retired[self.names[row]] = {"counts": self.counts[row].tolist(), "moments": self.moments[row].tolist()}
        self.retired[self.names[row]]["counts"][OUTSTANDING] = 0
        del self.names[row]
        self.rows = {other: number for number, other in enumerate(self.names)}
        self.counts = np.delete(self.counts, row, axis=0)
        self.moments = np.delete(self.moments, row, axis=0)
        return row

    def row(self, name: Any) -> int:
        """The row of an arm, or a sentence about what is wrong with the name."""
        try:
            if name in self.rows and not isinstance(name, bool):
                return self.rows[name]
            if name in self.retired:
                raise ParameterError(f"The arm {name!r} was retired.")
        except ParameterError:
            raise
        except Exception:  # a thing that cannot be looked up is no name
            pass
        raise unknown_name("arm", name, self.names)

    def rows_of(self, names: Iterable[Any]) -> np.ndarray:
        """The rows of several arms, in order, each once."""
        rows = sorted({self.row(name) for name in listed("available", "a list of arms", names)})
        if not rows:
            raise must_be("available", "a list with at least one arm", [])
        return np.array(rows)

    def note_choice(self, row: int) -> None:
        """An arm was chosen; its answer is outstanding."""
        self.counts[row, CHOSEN] += 1
        self.counts[row, OUTSTANDING] += 1

    def note_reward(self, row: int, reward: float) -> None:
        """An answer came."""
        self.counts[row, OUTSTANDING] -= 1
        self.counts[row, TOLD] += 1
        moments.add(self.moments, row, reward)

    def note_forgotten(self, row: int) -> None:
        """An answer will never come."""
        if self.counts[row, OUTSTANDING] == 0:
            raise ParameterError(f"Nothing is outstanding for the arm {self.names[row]!r}.")
        self.counts[row, OUTSTANDING] -= 1


def check_name(name: Any) -> Name:
    """Return an arm's name as text or number, or raise."""
    if isinstance(name, str) and name:
        return str(name)
    if is_whole(name):
        return int(name)
    raise must_be("The name of an arm", "a non-empty text or a whole number", name)


def check_names(arms: Any) -> list[Name]:
    """The names of a learner's first arms: a list of names, or a number of arms."""
    if is_whole(arms):
        if arms > MOST_ARMS:
            raise must_be("arms", f"at most {MOST_ARMS}", arms)
        arms = range(int(arms))
    names = [check_name(name) for name in listed("arms", "a list of names or a number of arms", arms)]
    if not names:
        raise must_be("arms", "a list with at least one name", names)
    return names
