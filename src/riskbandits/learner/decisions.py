"""Decisions with ids: which are open, and which are settled and how."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from riskbandits.core.errors import ConflictError, GoneError, ParameterError, UnknownNameError, must_be, shown

PREFIX = "decision-"
REMEMBERED = 10_000  # settled decisions, unless a learner is told otherwise
FORGOTTEN = math.nan  # in place of a reward that will not come

# Cells of `Book.decisions`: how many were made; see `DecisionLog`; the row of the last one.
NUMBER, NOTED, LAST = range(3)


class Decision(NamedTuple):
    """A choice whose reward is to be reported: `learner.answer(decision, reward)`, or by its id.

    `probability` is that with which the arm was chosen, for a learner with `propensity=True`, otherwise None.
    """

    id: str
    arm: str | int
    probability: float | None = None


def id_of(number: int) -> str:
    """The id of a decision, which contains its number."""
    return f"{PREFIX}{number}"


def as_id(thing: Any) -> Any:
    """The id of a decision; anything else is returned as it is."""
    return thing.id if isinstance(thing, Decision) else thing


def number_of(thing: object) -> int:
    """The number in an id; raises if it is not one."""
    if isinstance(thing, str):
        try:
            number = int(thing[len(PREFIX) :])
        except ValueError:
            number = 0
        if number > 0 and id_of(number) == thing:
            return number
    raise must_be("The id of a decision", f"a string such as {id_of(17)!r}, as returned by `decide`", thing)


def is_id(thing: object) -> bool:
    """Whether an object has the form of an id."""
    try:
        return number_of(thing) > 0
    except ParameterError:
        return False


Open = tuple[int, Any, float | None]  # number, arm, probability


class DecisionLog:
    """Open and settled decisions by number.

    A call changes both the arrays of the book and the dictionaries here, and an interrupt may come in between.
    So the change to be made here is recorded beforehand (`intent`), the one step that changes the book also sets the
    cell NOTED in it, and `fold` then carries out the intent and clears the cell. The next call repeats an interrupted
    `fold`; repeating it changes nothing.
    """

    def __init__(self, remember: int) -> None:
        self.remember = remember  # how many settled decisions
        self.open: dict[str, Open] = {}  # by id, in the order in which they were made
        self.settled: OrderedDict[int, float] = OrderedDict()  # by number, in the order in which they were settled
        self.dropped = 0  # the highest number among those settled that are no longer remembered
        self.intent: tuple[Any, ...] | None = None

    def will_open(self, id: str, number: int, names: Sequence[Any]) -> None:
        """One decision is about to be made; compiled code notes its arm where it also counts it."""
        self.intent = (self._open, id, number, names)

    def will_settle(self, id: str, number: int, reward: float) -> None:
        """One decision is about to be answered."""
        self.intent = (self._settle, id, number, reward)

    def will_write(self, opened: Sequence[Open], settled: Sequence[tuple[int, float]]) -> None:
        """These decisions are about to be made, and these settled: their numbers and rewards."""
        self.intent = (self._write, None, opened, settled)

    def fold(self, book: Any) -> None:
        """Carry out the intent, if the book has changed and this has not been done yet."""
        if self.intent is None:
            return
        if book.decisions[NOTED]:
            write, id, one, two = self.intent
            write(book, id, one, two)
            book.decisions[NOTED] = 0
        while len(self.settled) > self.remember:
            oldest = next(iter(self.settled))
            self.dropped = max(self.dropped, oldest)
            del self.settled[oldest]
        self.intent = None

    def _open(self, book: Any, id: str, number: int, names: Sequence[Any]) -> None:
        self.open[id] = (number, names[book.decisions[LAST]], None)

    def _settle(self, book: Any, id: str, number: int, reward: float) -> None:
        self.settled[number] = reward
        self.open.pop(id, None)

    def _write(self, book: Any, id: None, opened: Sequence[Open], settled: Sequence[tuple[int, float]]) -> None:
        for one in opened:
            self.open[id_of(one[0])] = one
        for number, reward in settled:
            self._settle(book, id_of(number), number, reward)

    def find(self, id: Any, made: int) -> Open:
        """An open decision; raises if there is none with this id (`made` is how many there were)."""
        number = number_of(id)
        found = self.open.get(id_of(number))
        if found is None:
            raise self._closed(number, made)
        return found

    def is_repeated(self, number: int, reward: float) -> bool:
        """Whether this reward is already recorded; a different one, or one for a forgotten decision, is an error."""
        booked = self.settled.get(number)
        if booked is None:
            return False
        if math.isnan(booked):
            raise GoneError(f"The decision {id_of(number)!r} was forgotten: it no longer accepts an answer.")
        if booked != reward:
            raise contradiction(number, booked, reward)
        return True

    def is_forgotten(self, number: int) -> bool:
        """Whether a decision was already forgotten; one that was answered cannot be."""
        booked = self.settled.get(number)
        if booked is not None and not math.isnan(booked):
            raise ConflictError(f"The decision {id_of(number)!r} was already answered: it cannot be forgotten.")
        return booked is not None

    def _closed(self, number: int, made: int) -> Exception:
        if number <= min(self.dropped, made):
            return GoneError(
                f"The decision {id_of(number)!r} is no longer remembered: it was settled before the last "
                f"{self.remember}, or never made."
            )
        return UnknownNameError(f"There is no decision {id_of(number)!r}.")


def contradiction(number: int, booked: float, reward: float) -> ConflictError:
    """The error for a decision that is answered twice, with different rewards."""
    thing = f"The reward of the decision {id_of(number)!r}"
    return ConflictError(f"{thing} must be {shown(booked)}, as already recorded. Got {shown(reward)} instead.")


def new_cells() -> np.ndarray:
    """The cells of `Book.decisions` before the first decision."""
    return np.zeros(3, dtype=np.int64)
