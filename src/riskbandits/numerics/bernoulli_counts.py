"""Pulls and successes of one arm with rewards 0 and 1, kept in the first columns of its state row."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskbandits.compiling.jit import jitable

if TYPE_CHECKING:
    from riskbandits.types import State

PULLS, SUCCESSES = 0, 1
WIDTH = 2


@jitable
def add(state: State, k: int, reward: float) -> None:
    """Book one reward."""
    state[k, PULLS] += 1.0
    state[k, SUCCESSES] += reward


@jitable
def discount(state: State, k: int, factor: float) -> None:
    """Let the evidence fade: both counts times a factor; 0 forgets all."""
    state[k, PULLS] *= factor
    state[k, SUCCESSES] *= factor


@jitable
def add_many(state: State, k: int, count: float, mean: float) -> None:
    """Book so many rewards with that mean."""
    state[k, PULLS] += count
    state[k, SUCCESSES] += round_half_up(count * mean)


@jitable
def round_half_up(x: float) -> float:
    """The nearest whole number: the successes that a mean stands for."""
    return math.floor(x + 0.5)
