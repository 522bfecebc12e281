"""Validation of rewards: one arm or decision and its reward, or many, checked before anything is recorded."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.core.checks import as_number
from riskbandits.core.errors import ParameterError, must_be, shown
from riskbandits.learner.book import Book
from riskbandits.learner.decisions import NUMBER, DecisionLog, as_id, contradiction, number_of
from riskbandits.learner.steps import OPEN, OUTSTANDING
from riskbandits.policies.support import contract

if TYPE_CHECKING:
    from riskbandits.types import Arms, Policy

# The squares of such rewards, and sums of as many of them as anybody will ever tell, are still numbers.
LARGEST = 1e140


def is_one(arm: object) -> bool:
    """Whether this is meant as the name of one arm or decision rather than as a sequence of names."""
    return isinstance(arm, (str, int, bytes, bytearray)) or not isinstance(arm, Iterable)


def of_arms(policy: Policy, book: Book, arms: Arms, rewards: Any) -> tuple[list[Any], list[float]]:
    """Arms and rewards from two sequences of equal length. For a retired arm, each reward must be outstanding."""
    names, numbers = [], []
    for name, reward in pairs("arms", "the name of an arm", arms, rewards):
        names.append(name if book.known(name) is None else book.names[book.rows[name]])
        numbers.append(of_arm(policy, name, reward))
    for name, times in Counter(names).items():
        if name not in book.rows:
            check_owed(book, name, times)
    return names, numbers


def check_owed(book: Book, name: Any, times: int = 1) -> None:
    """Raise unless this many rewards without ids are outstanding for a retired arm."""
    counts = book.retired[name].counts
    if counts[OUTSTANDING] - counts[OPEN] < times:
        raise ParameterError(f"The arm {name!r} was retired and has no outstanding rewards: `add` brings it back.")


def of_decisions(
    policy: Policy, log: DecisionLog, book: Book, ids: Any, rewards: Any
) -> tuple[list[tuple[int, Any, float]], list[bool]]:
    """Number, arm and reward of the decisions to be recorded, and for each one given, whether it is among them."""
    found: dict[int, tuple[int, Any, float]] = {}
    booked = []
    for one, reward in pairs("ids", "the id of a decision", ids, rewards):
        new = of_decision(policy, log, book, as_id(one), reward)
        if new is not None and found.setdefault(new[0], new) != new:
            raise contradiction(new[0], found[new[0]][2], new[2])
        booked.append(new is not None and found[new[0]] is new)
    return list(found.values()), booked


def of_decision(policy: Policy, log: DecisionLog, book: Book, one: Any, reward: Any) -> tuple[int, Any, float] | None:
    """Number, arm and reward of a decision to be recorded; None if the same reward is already recorded."""
    found = log.open.get(one) if type(one) is str else None
    number = checked(policy, "reward of", one, reward)
    if found is None:
        if log.is_repeated(number_of(one), number):
            return None
        found = log.find(one, int(book.decisions[NUMBER]))
    return found[0], found[1], number


def pairs(thing: str, what: str, names: Any, rewards: Any) -> Iterator[tuple[Any, Any]]:
    """Two sequences of equal length, side by side."""
    if not _in_order(names):
        raise must_be(thing, f"{what} or a sequence of them", names)
    wanted = f"a sequence as long as the sequence of {thing}{_length(names)}"
    if is_one(rewards) or not _in_order(rewards):
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


def of_arm(policy: Policy, arm: object, reward: Any) -> float:
    """The reward of an arm as a number that the policy takes, or raise."""
    return checked(policy, "reward of the arm", arm, reward)


def checked(policy: Policy, kind: str, name: object, reward: Any) -> float:
    """A reward as a number that the policy takes, or raise; `kind` and `name` say in a sentence what it is."""
    number = reward + 0.0 if type(reward) is float else _number(reward)
    if number is None or not math.isfinite(number):
        raise must_be(f"The {kind} {shown(name)}", "a finite number", reward)
    if abs(number) > LARGEST:
        raise must_be(f"The {kind} {shown(name)}", f"between -{LARGEST:g} and {LARGEST:g}", reward)
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
