"""The learner's book: per arm what was chosen, told and is outstanding, and what the policy keeps of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from riskbandits.core.checks import is_whole, listed
from riskbandits.core.errors import ParameterError, must_be, unknown_name
from riskbandits.learner.steps import CHOSEN, OUTSTANDING, TOLD
from riskbandits.numerics import moments

Name = str | int

MOST_ARMS = 1_000_000  # a learner scores them all at every ask
# Retired arms that are known by name. What was told of those retired before them is kept as sums, so that a learner
# whose arms come and go for years does not grow.
RETIRED_KEPT = 100


class Book:
    """Counts, sample moments and the policy's state per arm, in rows in the order of `names`.

    Its arms never change: a learner with one arm more or less gets another book, made beforehand, in one assignment.
    So an interrupt finds the one or the other and nothing between.
    """

    def __init__(self, names: Sequence[Name], state: np.ndarray, decisions: np.ndarray | None = None) -> None:
        self.names = list(names)
        self.rows: dict[Name, int] = {name: row for row, name in enumerate(self.names)}
        self.all_rows = np.arange(len(self.names), dtype=np.int64)
        self.state = state  # (arms, columns of the policy)
        self.counts = np.zeros((len(self.names), 3), dtype=np.int64)
        self.moments = np.zeros((len(self.names), moments.WIDTH))
        self.decisions = np.zeros(1, dtype=np.int64) if decisions is None else decisions
        self.retired: dict[Name, dict[str, Any]] = {}  # in the order in which they were retired
        self.long_retired = {"arms": 0, "told": 0, "chosen": 0}  # sums over those no longer known by name

    def with_arm(self, name: Any) -> Book:
        """The book with a row for a new arm."""
        name = check_name(name)
        if name in self.rows:
            raise ParameterError(f"There is already an arm {name!r}.")
        if name in self.retired:
            raise ParameterError(f"The arm {name!r} was retired; add it under a new name.")
        state = np.vstack([self.state, np.zeros((1, self.state.shape[1]))])
        book = Book([*self.names, name], state, self.decisions)
        book.counts[:-1], book.moments[:-1] = self.counts, self.moments
        book.retired, book.long_retired = self.retired, self.long_retired
        return book

    def without_arm(self, row: int, value: float | None) -> Book:
        """The book without an arm's row; what is outstanding is dropped. `value` is what its history was worth."""
        name = self.names[row]
        book = Book([one for one in self.names if one != name], np.delete(self.state, row, axis=0), self.decisions)
        book.counts, book.moments = np.delete(self.counts, row, axis=0), np.delete(self.moments, row, axis=0)
        line: dict[str, Any] = {"counts": self.counts[row].tolist(), "moments": self.moments[row].tolist()}
        line["counts"][OUTSTANDING] = 0
        if value is not None:
            line["value"] = value
        book.retire({**self.retired, name: line}, self.long_retired)
        return book

    def retire(self, lines: dict[Name, dict[str, Any]], long_retired: dict[str, int]) -> None:
        """Keep the lines of the arms retired last, and of the others what they add up to."""
        old = [lines[name] for name in list(lines)[: max(0, len(lines) - RETIRED_KEPT)]]
        self.retired = {name: lines[name] for name in list(lines)[len(old) :]}
        self.long_retired = {
            "arms": long_retired["arms"] + len(old),
            "told": long_retired["told"] + sum(line["counts"][TOLD] for line in old),
            "chosen": long_retired["chosen"] + sum(line["counts"][CHOSEN] for line in old),
        }

    def total(self, column: int) -> int:
        """What was told or chosen, of all arms there ever were."""
        before = self.long_retired["told" if column == TOLD else "chosen"]
        return (
            int(self.counts[:, column].sum()) + sum(line["counts"][column] for line in self.retired.values()) + before
        )

    def row(self, name: Any) -> int:
        """The row of an arm, or a sentence about what is wrong with the name. Equal numbers name the same arm."""
        try:
            row = self.rows.get(name)
            if row is not None and not isinstance(name, (bool, np.bool_)):
                return row
            if name in self.retired:
                raise ParameterError(f"The arm {name!r} was retired.")
        except ParameterError:
            raise
        except Exception:  # a thing that cannot be looked up is no name
            pass
        raise unknown_name("arm", name, self.names)

    def rows_of(self, names: Iterable[Any]) -> np.ndarray:
        """The rows of several arms, in order, each once."""
        if getattr(names, "ndim", 1) != 1:
            raise must_be("available", "a list of arms", names)
        rows = sorted({self.row(name) for name in listed("available", "a list of arms", names)})
        if not rows:
            raise must_be("available", "a list with at least one arm", [])
        return np.array(rows, dtype=np.int64)

    def forget(self, row: int) -> None:
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
    if len(set(names)) < len(names):
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise ParameterError(f"There is already an arm {twice!r}.")
    return names
