"""Decisions with ids: which are owed an answer, and which are settled and how."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from riskbandits.core.errors import ConflictError, GoneError, UnknownNameError, must_be, shown

PREFIX = "decision-"
FORM = re.compile(rf"{PREFIX}([1-9][0-9]{{0,15}})")
REMEMBERED = 10_000  # settled decisions, unless a learner is told otherwise
FORGOTTEN = math.nan  # in place of a reward: none will come

NUMBER, NOTED, LAST = range(3)  # cells of `Book.decisions`: how many were made; see `Ledger`; the row of the last one


class Decision(NamedTuple):
    """A choice that is owed an answer: `learner.answer(decision.id, reward)`.

    `probability` is that with which the arm was chosen, for a learner with `propensity=True`, and otherwise None.
    """

    id: str
    arm: str | int
    probability: float | None = None


def id_of(number: int) -> str:
    """The id of a decision, which carries its number."""
    return f"{PREFIX}{number}"


def is_id(thing: Any) -> bool:
    """Whether a thing has the form of an id."""
    return isinstance(thing, str) and FORM.fullmatch(thing) is not None


def number_of(thing: Any) -> int:
    """The number that an id carries, or a sentence."""
    found = FORM.fullmatch(thing) if isinstance(thing, str) else None
    if found is None:
        raise must_be("The id of a decision", f"a text such as {id_of(17)!r}, as `decide` gives it", thing)
    return int(found[1])


class Opening(NamedTuple):
    """Decisions about to be made."""

    decisions: Sequence[tuple[int, Any, float | None]]  # number, arm, probability

    def apply(self, ledger: Ledger, book: Any) -> None:
        """They are owed an answer."""
        for number, arm, probability in self.decisions:
            ledger.open[number] = (arm, probability)


class OpeningNext(NamedTuple):
    """One decision about to be made; which arm it is, compiled code notes where it also counts it."""

    names: Sequence[Any]
    number: int

    def apply(self, ledger: Ledger, book: Any) -> None:
        """It is owed an answer."""
        ledger.open[self.number] = (self.names[book.decisions[LAST]], None)


class Settling(NamedTuple):
    """Decisions about to be answered (or forgotten): their numbers with their rewards."""

    answers: Sequence[tuple[int, float]]

    def apply(self, ledger: Ledger, book: Any) -> None:
        """They are owed nothing any more."""
        for number, reward in self.answers:
            ledger.settled[number] = reward
            ledger.open.pop(number, None)


class Ledger:
    """Open and settled decisions by number.

    What a call changes lies in the arrays of the book and in the dictionaries here, and an interrupt may come between.
    So what is to be written here is said beforehand (`intent`), the one step that changes the book also sets the cell
    NOTED in it, and `fold` then writes what was intended and clears the cell. An interrupted `fold` is done again by
    the next call; doing it twice changes nothing.
    """

    def __init__(self, remember: int) -> None:
        self.remember = remember  # how many settled decisions
        self.open: dict[int, tuple[Any, float | None]] = {}  # in the order in which they were made
        self.settled: dict[int, float] = {}  # in the order in which they were settled
        self.dropped = 0  # the highest number among those settled that are no longer remembered
        self.intent: Any = None

    def fold(self, book: Any) -> None:
        """Write what was intended, if it was done and is not written yet."""
        if book.decisions[NOTED]:
            self.intent.apply(self, book)
            book.decisions[NOTED] = 0
        while len(self.settled) > self.remember:
            oldest = next(iter(self.settled))
            self.dropped = max(self.dropped, oldest)
            del self.settled[oldest]

    def arm_of(self, number: int, made: int) -> Any:
        """The arm of an open decision, or the sentence for one that is none (of the `made` that there were)."""
        found = self.open.get(number)
        if found is None:
            raise self._closed(number, made)
        return found[0]

    def is_repeated(self, number: int, reward: float) -> bool:
        """Whether this answer was booked already; another number, or one for a forgotten decision, is an error."""
        booked = self.settled.get(number)
        if booked is None:
            return False
        if math.isnan(booked):
            raise GoneError(f"The decision {id_of(number)!r} was forgotten: it takes no answer any more.")
        if booked != reward:
            what = f"answered with {shown(booked)} again, if at all: that is booked"
            raise ConflictError(f"The decision {id_of(number)!r} must be {what}. Got {shown(reward)} instead.")
        return True

    def is_forgotten(self, number: int) -> bool:
        """Whether a decision was forgotten already; one that was answered cannot be."""
        booked = self.settled.get(number)
        if booked is not None and not math.isnan(booked):
            raise ConflictError(f"The decision {id_of(number)!r} was answered: there is nothing to forget.")
        return booked is not None

    def _closed(self, number: int, made: int) -> Exception:
        if number <= min(self.dropped, made):
            return GoneError(
                f"The decision {id_of(number)!r} is not remembered: it was settled before the last {self.remember}, "
                "or never made."
            )
        return UnknownNameError(f"There is no decision {id_of(number)!r}.")

    def copy(self) -> Ledger:
        """Another one with the same content."""
        made = Ledger(self.remember)
        made.open, made.settled, made.dropped = dict(self.open), dict(self.settled), self.dropped
        return made


def new_cells() -> np.ndarray:
    """The cells of `Book.decisions` before the first decision."""
    return np.zeros(3, dtype=np.int64)
