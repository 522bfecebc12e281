"""What is told to a learner: one arm and its reward, or many, checked before anything is booked."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from riskbandits.core.checks import as_number
from riskbandits.core.errors import must_be, shown
from riskbandits.learner.book import Book
from riskbandits.policies.support import contract

# The squares of such rewards, and sums of as many of them as anybody will ever tell, are still numbers.
LARGEST = 1e140


def is_one(arm: Any) -> bool:
    """Whether this is meant as the name of one arm rather than as a sequence of names."""
    return isinstance(arm, (str, int, bytes, bytearray)) or not isinstance(arm, Iterable)


def many(policy: Any, book: Book, arms: Any, rewards: Any) -> tuple[np.ndarray, np.ndarray]:
    """The rows and rewards of two sequences of equal length."""
    if not _in_order(arms):
        raise must_be("arms", "the name of an arm or a sequence of names", arms)
    length = _length(arms)
    if is_one(rewards) or not _in_order(rewards):
        raise must_be("rewards", f"a sequence as long as the sequence of arms{length}", rewards)
    rows, numbers, missing = [], [], object()
    for name, reward in itertools.zip_longest(arms, rewards, fillvalue=missing):
        if name is missing or reward is missing:
            raise must_be("rewards", f"a sequence as long as the sequence of arms{length}", rewards)
        rows.append(book.row(name))
        numbers.append(checked(policy, name, reward))
    return np.array(rows, dtype=np.int64), np.array(numbers, dtype=np.float64)


def _length(things: Any) -> str:
    """How many there are, as part of a sentence; of what has no length that can be told, nothing."""
    try:
        return f" ({len(things)})"
    except Exception:
        return ""


def _in_order(things: Any) -> bool:
    """Not so for sets; for mappings and tables, what a loop over them gives is not what is meant."""
    return not isinstance(things, (set, frozenset, Mapping)) and getattr(things, "ndim", 1) == 1


def checked(policy: Any, arm: Any, reward: Any) -> float:
    """A reward as a number that the policy takes, or raise."""
    number = float(reward) if isinstance(reward, (bool, np.bool_)) else as_number(reward)
    if number is None or not math.isfinite(number):
        raise must_be(f"The reward of the arm {shown(arm)}", "a finite number", reward)
    if abs(number) > LARGEST:
        raise must_be(f"The reward of the arm {shown(arm)}", f"between -{LARGEST:g} and {LARGEST:g}", reward)
    complaint = contract.reward_complaint(policy, number)
    if complaint:
        raise must_be(f"The reward of the arm {shown(arm)}", f"{complaint} for {type(policy).__name__}", reward)
    return number
