"""Decisions with ids: which are open, and which are settled and how; and the validation of their rewards."""

from __future__ import annotations

import itertools
import math
import re
import secrets
from bisect import bisect_right
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.core.checks import as_number
from riskbandits.core.errors import ConflictError, GoneError, UnknownNameError, must_be, shown
from riskbandits.policies.support import contract

if TYPE_CHECKING:
    from riskbandits.learner.state import LearnerState
    from riskbandits.types import Arms

PREFIX = "decision-"
TOKEN_BYTES = 4
FORM = re.compile(rf"{PREFIX}([1-9][0-9]{{0,15}})(-[0-9a-f]{{{2 * TOKEN_BYTES}}})?")
REMEMBERED = 10_000  # settled decisions, unless a learner is told otherwise
FORGOTTEN = math.nan  # in place of a reward that will not come
# The squares of such rewards, and sums of as many of them as anybody will ever tell, are still numbers.
LARGEST_REWARD = 1e140

# Cells of `LearnerState.decisions`: how many were made; see `DecisionLog`; the row of the last one.
NUMBER, UNCOMMITTED, LAST_ROW = range(3)


class Decision(NamedTuple):
    """A choice whose reward is to be reported: `learner.answer(decision, reward)`, or by its id.

    `probability` is that with which the arm was chosen, for a learner with `propensity=True`, otherwise None.
    """

    id: str
    arm: str | int
    probability: float | None = None


OpenDecision = tuple[int, Any, float | None]  # number, arm, probability
Answer = tuple[int, Any, float]  # number, arm, reward


def format_id(number: int, token: str = "") -> str:
    """The id of a decision: its number, and the token of the load in which it was made, if that has one."""
    return f"{PREFIX}{number}-{token}" if token else f"{PREFIX}{number}"


def id_number(id: object) -> int:
    """The number in an id; raises if it is not one."""
    found = FORM.fullmatch(id) if isinstance(id, str) else None
    if found is None:
        what = f"a string such as {format_id(17, '5eed' * (TOKEN_BYTES // 2))!r}, as returned by `decide`"
        raise must_be("The id of a decision", what, id)
    return int(found[1])


def is_id(thing: object) -> bool:
    """Whether an object has the form of an id."""
    return isinstance(thing, str) and FORM.fullmatch(thing) is not None


def as_id(thing: Any) -> Any:
    """The id of a decision; anything else is returned as it is."""
    return thing.id if isinstance(thing, Decision) else thing


class DecisionIds:
    """The ids that a learner has given out: `decision-<number>-<token>`.

    A learner gets a new random token when it is made and at every load. A process that crashes and continues from an
    older file makes some of its decisions again, perhaps for other arms: under the new token no id is given twice, and
    the ids of the lost time are known to be none of its own. Tokens are no part of a learner's state.

    Without tokens (`with_tokens=False`, where somebody else gives out ids) an id has its number alone, as had those of
    files that do not list tokens.
    """

    def __init__(self, with_tokens: bool = True, past: Iterable[Sequence[Any]] = (), made: int = 0) -> None:
        self.with_tokens = with_tokens
        self.first_numbers, self.tokens = [0], [""]  # of each load, in their order
        if with_tokens:
            for first, token in past:
                self._append(first, token)
            self.begin_load(made)

    def begin_load(self, made: int) -> None:
        """Take a new token for the decisions after the first `made`."""
        if self.with_tokens:
            self._append(made + 1, secrets.token_hex(TOKEN_BYTES))

    def _append(self, first: int, token: str) -> None:
        self.first_numbers.append(first)
        self.tokens.append(token)

    def format(self, number: int) -> str:
        """The id of the decision with this number."""
        return format_id(number, self.tokens[bisect_right(self.first_numbers, number) - 1])

    def loads_of(self, numbers: np.ndarray) -> list[list[Any]]:
        """First number and token of the loads in which these decisions were made: what it takes to know their ids."""
        counts = np.bincount(np.searchsorted(self.first_numbers, numbers, side="right") - 1)
        return [[self.first_numbers[k], self.tokens[k]] for k in np.flatnonzero(counts).tolist() if self.tokens[k]]


class DecisionLog:
    """Open and settled decisions.

    A call changes both the arrays of the state and the dictionaries here, and an interrupt may come in between. So the
    change to be made here is recorded beforehand (`pending`), the one step that changes the state also sets its cell
    UNCOMMITTED, and `commit_pending` then makes the pending change and clears the cell. The next call repeats a commit
    that was interrupted; repeating it changes nothing.
    """

    def __init__(self, remember: int, ids: DecisionIds) -> None:
        self.remember = remember  # how many settled decisions
        self.ids = ids
        self.open: dict[str, OpenDecision] = {}  # by id, in the order in which they were made
        self.features: dict[int, np.ndarray] = {}  # of open decisions, by number, for a policy that uses them
        self.settled: OrderedDict[int, float] = OrderedDict()  # by number, in the order in which they were settled
        self.dropped = 0  # the highest number among those settled that are no longer remembered
        self.pending: tuple[Callable[..., None], Any, Any, Any] | None = None

    def begin_open(self, id: str, number: int, names: Sequence[Any]) -> None:
        """One decision is about to be made; compiled code writes down its row where it also counts it."""
        self.pending = (self._open, id, number, names)

    def begin_settle(self, id: str, number: int, reward: float) -> None:
        """One decision is about to be answered."""
        self.pending = (self._settle, id, number, reward)

    def begin_many(self, opened: Sequence[OpenDecision], settled: Sequence[tuple[int, float]]) -> None:
        """These decisions are about to be made, and these settled: their numbers and rewards."""
        self.pending = (self._write, None, opened, settled)

    def commit_pending(self, state: LearnerState) -> None:
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

    def _open(self, state: LearnerState, id: str, number: int, names: Sequence[Any]) -> None:
        self.open[id] = (number, names[state.decisions[LAST_ROW]], None)

    def _settle(self, state: LearnerState, id: str, number: int, reward: float) -> None:
        self.settled[number] = reward
        self.open.pop(id, None)
        self.features.pop(number, None)

    def _write(
        self, state: LearnerState, id: None, opened: Sequence[OpenDecision], settled: Sequence[tuple[int, float]]
    ) -> None:
        for one in opened:
            self.open[self.ids.format(one[0])] = one
        for number, reward in settled:
            self._settle(state, self.ids.format(number), number, reward)

    def settled_reward(self, id: Any, state: LearnerState) -> float:
        """The reward of a settled decision, FORGOTTEN if there will be none; raises for any other that is not open."""
        number = id_number(id)
        is_own = self.ids.format(number) == id
        if is_own and number in self.settled:
            return self.settled[number]
        if number <= min(self.dropped, int(state.decisions[NUMBER])):
            raise GoneError(
                f"The decision {id!r} is no longer remembered: it was settled before the last {self.remember}, "
                "or never made."
            )
        known = is_own or not self.ids.with_tokens
        lost = "" if known else ": it was made after this learner was saved, or by another learner"
        raise UnknownNameError(f"There is no decision {id!r}{lost}.")

    def check_repeated(self, id: Any, reward: float, state: LearnerState) -> None:
        """Raise unless this reward is already recorded for this decision, which is not open."""
        recorded = self.settled_reward(id, state)
        if math.isnan(recorded):
            raise GoneError(f"The decision {id!r} was forgotten: it no longer accepts an answer.")
        if recorded != reward:
            raise contradicting_reward(id, recorded, reward)

    def check_forgotten(self, id: Any, state: LearnerState) -> None:
        """Raise unless this decision, which is not open, was forgotten; one that was answered cannot be."""
        if not math.isnan(self.settled_reward(id, state)):
            raise ConflictError(f"The decision {id!r} was already answered: it cannot be forgotten.")


def contradicting_reward(id: str, recorded: float, reward: float) -> ConflictError:
    """The error for a decision that is answered twice, with different rewards."""
    thing = f"The reward of the decision {id!r}"
    return ConflictError(f"{thing} must be {shown(recorded)}, as already recorded. Got {shown(reward)} instead.")


def is_single(thing: object) -> bool:
    """Whether this is meant as the name of one arm or decision rather than as a sequence of names."""
    return isinstance(thing, (str, int, bytes, bytearray)) or not isinstance(thing, Iterable)


class RewardCheck:
    """The check of rewards before they are recorded: finite numbers that the policy takes."""

    def __init__(self, policy: Any) -> None:
        self.name = type(policy).__name__
        self._judge: Any = policy  # the innermost policy: wrappers that only hand the question on are not asked
        while getattr(getattr(type(self._judge), "rejects", None), "__handed_on__", False):
            self._judge = self._judge.policy
        self._rejects_some = hasattr(self._judge, "rejects")

    def __call__(self, reward: Any, kind: str, name: object) -> float:
        """A reward as a number, or raise; `kind` and `name` say in a sentence what it is: "reward of the arm", "b"."""
        number = reward + 0.0 if type(reward) is float else number_of(reward)
        if number is None or not math.isfinite(number):
            raise must_be(f"The {kind} {shown(name)}", "a finite number", reward)
        if abs(number) > LARGEST_REWARD:
            raise must_be(f"The {kind} {shown(name)}", f"between -{LARGEST_REWARD:g} and {LARGEST_REWARD:g}", reward)
        if self._rejects_some and (complaint := contract.reward_complaint(self._judge, number)):
            raise must_be(f"The {kind} {shown(name)}", f"{complaint} for {self.name}", reward)
        return number

    def of_arm(self, arm: object, reward: Any) -> float:
        """The reward of an arm."""
        return self(reward, "reward of the arm", arm)

    def of_arms(self, state: LearnerState, arms: Arms, rewards: Any) -> tuple[list[Any], list[float]]:
        """Arms and rewards from two sequences of equal length. For a retired arm, each reward must be outstanding."""
        names, numbers = [], []
        for name, reward in pair_rewards("arms", "the name of an arm", arms, rewards):
            names.append(name if state.find_row(name) is None else state.names[state.rows[name]])
            numbers.append(self.of_arm(name, reward))
        for name, times in Counter(names).items():
            if name not in state.rows:
                state.check_outstanding(name, times)
        return names, numbers

    def of_decision(self, log: DecisionLog, state: LearnerState, id: Any, reward: Any) -> Answer | None:
        """Number, arm and reward of a decision to be recorded; None if the same reward is already recorded."""
        found = log.open.get(id) if isinstance(id, str) else None
        number = self(reward, "reward of", id)
        if found is None:
            log.check_repeated(id, number, state)
            return None
        return found[0], found[1], number

    def of_decisions(
        self, log: DecisionLog, state: LearnerState, ids: Any, rewards: Any
    ) -> tuple[list[Answer], list[bool]]:
        """The decisions to be recorded, and for each one given, whether it is among them."""
        found: dict[int, Answer] = {}
        recorded = []
        for id, reward in pair_rewards("ids", "the id of a decision", ids, rewards):
            new = self.of_decision(log, state, as_id(id), reward)
            if new is not None and found.setdefault(new[0], new) != new:
                raise contradicting_reward(as_id(id), found[new[0]][2], new[2])
            recorded.append(new is not None and found[new[0]] is new)
        return list(found.values()), recorded


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


def number_of(given: Any) -> float | None:
    """A number of any kind as a float, True and False and decimal ones too; None for anything else."""
    if not isinstance(given, (bool, np.bool_, Decimal)):
        return as_number(given)
    try:
        return float(given) + 0.0
    except ValueError:  # a decimal number that is a signalling NaN
        return None
