"""Decisions with ids: which are open, and which are settled and how; and the validation of their rewards."""

from __future__ import annotations

import itertools
import math
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.core.checks import as_number
from riskbandits.core.errors import ConflictError, GoneError, ParameterError, UnknownNameError, must_be, shown
from riskbandits.policies.support import contract

if TYPE_CHECKING:
    from riskbandits.learner.state import LearnerState
    from riskbandits.types import Arms, Policy

PREFIX = "decision-"
REMEMBERED = 10_000  # settled decisions, unless a learner is told otherwise
FORGOTTEN = math.nan  # in place of a reward that will not come

# Cells of `LearnerState.decisions`: how many were made; see `DecisionLog`; the row of the last one.
NUMBER, UNCOMMITTED, LAST_ROW = range(3)


class Decision(NamedTuple):
    """A choice whose reward is to be reported: `learner.answer(decision, reward)`, or by its id.

    `probability` is that with which the arm was chosen, for a learner with `propensity=True`, otherwise None.
    """

    id: str
    arm: str | int
    probability: float | None = None


def format_id(number: int) -> str:
    """The id of a decision, which contains its number."""
    return f"{PREFIX}{number}"


def as_id(thing: Any) -> Any:
    """The id of a decision; anything else is returned as it is."""
    return thing.id if isinstance(thing, Decision) else thing


def id_number(thing: object) -> int:
    """The number in an id; raises if it is not one."""
    if isinstance(thing, str):
        try:
            number = int(thing[len(PREFIX) :])
        except ValueError:
            number = 0
        if number > 0 and format_id(number) == thing:
            return number
    raise must_be("The id of a decision", f"a string such as {format_id(17)!r}, as returned by `decide`", thing)


def is_id(thing: object) -> bool:
    """Whether an object has the form of an id."""
    try:
        return id_number(thing) > 0
    except ParameterError:
        return False


OpenDecision = tuple[int, Any, float | None]  # number, arm, probability


class DecisionLog:
    """OpenDecision and settled decisions by number.

    A call changes both the arrays of the state and the dictionaries here, and an interrupt may come in between. So the
    change to be made here is recorded beforehand (`pending`), the one step that changes the state also sets its cell
    UNCOMMITTED, and `commit_pending` then makes the pending change and clears the cell. The next call repeats a commit
    that was interrupted; repeating it changes nothing.
    """

    def __init__(self, remember: int) -> None:
        self.remember = remember  # how many settled decisions
        self.open: dict[str, OpenDecision] = {}  # by id, in the order in which they were made
        self.settled: OrderedDict[int, float] = OrderedDict()  # by number, in the order in which they were settled
        self.dropped = 0  # the highest number among those settled that are no longer remembered
        self.pending: tuple[Any, ...] | None = None

    def begin_open(self, id: str, number: int, names: Sequence[Any]) -> None:
        """One decision is about to be made; compiled code notes its arm where it also counts it."""
        self.pending = (self._open, id, number, names)

    def begin_settle(self, id: str, number: int, reward: float) -> None:
        """One decision is about to be answered."""
        self.pending = (self._settle, id, number, reward)

    def begin_many(self, opened: Sequence[OpenDecision], settled: Sequence[tuple[int, float]]) -> None:
        """These decisions are about to be made, and these settled: their numbers and rewards."""
        self.pending = (self._write, None, opened, settled)

    def commit_pending(self, state: Any) -> None:
        """Make the pending change, if the state has changed and this has not been done yet."""
        if self.pending is None:
            return
        if state.decisions[UNCOMMITTED]:
            write, id, one, two = self.pending
            write(state, id, one, two)
            state.decisions[UNCOMMITTED] = 0
        while len(self.settled) > self.remember:
            oldest = next(iter(self.settled))
            self.dropped = max(self.dropped, oldest)
            del self.settled[oldest]
        self.pending = None

    def _open(self, state: Any, id: str, number: int, names: Sequence[Any]) -> None:
        self.open[id] = (number, names[state.decisions[LAST_ROW]], None)

    def _settle(self, state: Any, id: str, number: int, reward: float) -> None:
        self.settled[number] = reward
        self.open.pop(id, None)

    def _write(
        self, state: Any, id: None, opened: Sequence[OpenDecision], settled: Sequence[tuple[int, float]]
    ) -> None:
        for one in opened:
            self.open[format_id(one[0])] = one
        for number, reward in settled:
            self._settle(state, format_id(number), number, reward)

    def find(self, id: Any, made: int) -> OpenDecision:
        """An open decision; raises if there is none with this id (`made` is how many there were)."""
        number = id_number(id)
        found = self.open.get(format_id(number))
        if found is None:
            raise self._closed(number, made)
        return found

    def is_repeated(self, number: int, reward: float) -> bool:
        """Whether this reward is already recorded; a different one, or one for a forgotten decision, is an error."""
        booked = self.settled.get(number)
        if booked is None:
            return False
        if math.isnan(booked):
            raise GoneError(f"The decision {format_id(number)!r} was forgotten: it no longer accepts an answer.")
        if booked != reward:
            raise contradicting_reward(number, booked, reward)
        return True

    def is_forgotten(self, number: int) -> bool:
        """Whether a decision was already forgotten; one that was answered cannot be."""
        booked = self.settled.get(number)
        if booked is not None and not math.isnan(booked):
            raise ConflictError(f"The decision {format_id(number)!r} was already answered: it cannot be forgotten.")
        return booked is not None

    def _closed(self, number: int, made: int) -> Exception:
        if number <= min(self.dropped, made):
            return GoneError(
                f"The decision {format_id(number)!r} is no longer remembered: it was settled before the last "
                f"{self.remember}, or never made."
            )
        return UnknownNameError(f"There is no decision {format_id(number)!r}.")


def contradicting_reward(number: int, booked: float, reward: float) -> ConflictError:
    """The error for a decision that is answered twice, with different rewards."""
    thing = f"The reward of the decision {format_id(number)!r}"
    return ConflictError(f"{thing} must be {shown(booked)}, as already recorded. Got {shown(reward)} instead.")


def new_counters() -> np.ndarray:
    """The cells of `LearnerState.decisions` before the first decision."""
    return np.zeros(3, dtype=np.int64)


# The squares of such rewards, and sums of as many of them as anybody will ever tell, are still numbers.
LARGEST_REWARD = 1e140


def is_single(arm: object) -> bool:
    """Whether this is meant as the name of one arm or decision rather than as a sequence of names."""
    return isinstance(arm, (str, int, bytes, bytearray)) or not isinstance(arm, Iterable)


def check_arm_rewards(policy: Policy, state: LearnerState, arms: Arms, rewards: Any) -> tuple[list[Any], list[float]]:
    """Arms and rewards from two sequences of equal length. For a retired arm, each reward must be outstanding."""
    names, numbers = [], []
    for name, reward in pair_rewards("arms", "the name of an arm", arms, rewards):
        names.append(name if state.find_row(name) is None else state.names[state.rows[name]])
        numbers.append(check_arm_reward(policy, name, reward))
    for name, times in Counter(names).items():
        if name not in state.rows:
            state.check_outstanding(name, times)
    return names, numbers


def check_answers(
    policy: Policy, log: DecisionLog, state: LearnerState, ids: Any, rewards: Any
) -> tuple[list[tuple[int, Any, float]], list[bool]]:
    """Number, arm and reward of the decisions to be recorded, and for each one given, whether it is among them."""
    found: dict[int, tuple[int, Any, float]] = {}
    booked = []
    for one, reward in pair_rewards("ids", "the id of a decision", ids, rewards):
        new = check_answer(policy, log, state, as_id(one), reward)
        if new is not None and found.setdefault(new[0], new) != new:
            raise contradicting_reward(new[0], found[new[0]][2], new[2])
        booked.append(new is not None and found[new[0]] is new)
    return list(found.values()), booked


def check_answer(
    policy: Policy, log: DecisionLog, state: LearnerState, one: Any, reward: Any
) -> tuple[int, Any, float] | None:
    """Number, arm and reward of a decision to be recorded; None if the same reward is already recorded."""
    found = log.open.get(one) if type(one) is str else None
    number = check_reward(policy, "reward of", one, reward)
    if found is None:
        if log.is_repeated(id_number(one), number):
            return None
        found = log.find(one, int(state.decisions[NUMBER]))
    return found[0], found[1], number


def pair_rewards(thing: str, what: str, names: Any, rewards: Any) -> Iterator[tuple[Any, Any]]:
    """Two sequences of equal length, side by side."""
    if not _in_order(names):
        raise must_be(thing, f"{what} or a sequence of them", names)
    wanted = f"a sequence as long as the sequence of {thing}{_length(names)}"
    if is_single(rewards) or not _in_order(rewards):
        raise must_be("rewards", wanted, rewards)
    missing = object()
    try:
        for name, reward in itertools.zip_longest(names, rewards, fillvalue=missing):
            if name is missing or reward is missing:
                raise ValueError
            yield name, reward
    except Exception:  # too few of one of them, or what cannot be gone through
        raise must_be("rewards", wanted, rewards) from None


def _length(things: Any) -> str:
    """The length as part of a sentence; empty for objects without a usable length."""
    try:
        return f" ({len(things)})"
    except Exception:
        return ""


def _in_order(things: Any) -> bool:
    """False for sets, and for mappings and tables, where iterating does not give the elements that are meant."""
    return not isinstance(things, (set, frozenset, Mapping)) and getattr(things, "ndim", 1) == 1


def check_arm_reward(policy: Policy, arm: object, reward: Any) -> float:
    """The reward of an arm as a number that the policy takes, or raise."""
    return check_reward(policy, "reward of the arm", arm, reward)


def check_reward(policy: Policy, kind: str, name: object, reward: Any) -> float:
    """A reward as a number that the policy takes, or raise; `kind` and `name` say in a sentence what it is."""
    number = reward + 0.0 if type(reward) is float else _number(reward)
    if number is None or not math.isfinite(number):
        raise must_be(f"The {kind} {shown(name)}", "a finite number", reward)
    if abs(number) > LARGEST_REWARD:
        raise must_be(f"The {kind} {shown(name)}", f"between -{LARGEST_REWARD:g} and {LARGEST_REWARD:g}", reward)
    if hasattr(policy, "rejects") and (complaint := contract.reward_complaint(policy, number)):
        raise must_be(f"The {kind} {shown(name)}", f"{complaint} for {type(policy).__name__}", reward)
    return number


def _number(reward: Any) -> float | None:
    """A number of any kind as a float, True and False and decimal ones too; None for anything else."""
    if not isinstance(reward, (bool, np.bool_, Decimal)):
        return as_number(reward)
    try:
        return float(reward) + 0.0
    except ValueError:  # a decimal number that is a signalling NaN
        return None
