"""Count, mean and sum of squared deviations of one arm's rewards, kept in the first columns of its state row."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskbandits.compiling.jit import jitable

if TYPE_CHECKING:
    from riskbandits.types import RiskMeasure, State

COUNT, MEAN, SQUARES = 0, 1, 2  # T, m and S = T v
WIDTH = 3


@jitable
def add(state: State, k: int, reward: float) -> None:
    """Welford's update (Algorithm 1 of Zhu & Tan): S += T/(T+1) d^2, m += d/(T+1), T += 1 with d = x - m."""
    count = state[k, COUNT]
    deviation = reward - state[k, MEAN]
    state[k, SQUARES] += count / (count + 1.0) * deviation * deviation
    state[k, MEAN] += deviation / (count + 1.0)
    state[k, COUNT] = count + 1.0


@jitable
def discount(state: State, k: int, factor: float) -> None:
    """Let the evidence fade: T and S times a factor, so that mean and variance stay; 0 forgets all."""
    state[k, COUNT] *= factor
    state[k, SQUARES] *= factor


@jitable
def add_many(state: State, k: int, count: float, mean: float, squares: float) -> None:
    """Chan's update: so many rewards with that mean and that sum of squared deviations from it."""
    before = state[k, COUNT]
    after = before + count
    deviation = mean - state[k, MEAN]
    state[k, SQUARES] += squares + before * (count / after) * deviation * deviation
    state[k, MEAN] += count / after * deviation
    state[k, COUNT] = after


@jitable
def variance(state: State, k: int) -> float:
    """The biased sample variance v = S/T."""
    return state[k, SQUARES] / state[k, COUNT]


@jitable
def unbiased(state: State, k: int) -> float:
    """What turns the biased sample variance into the unbiased one: T/(T - 1), or 1 while there is no second reward."""
    return state[k, COUNT] / (state[k, COUNT] - 1.0) if state[k, COUNT] > 1.0 else 1.0


@jitable
def least(state: State, column: int) -> float:
    """The smallest entry of a column."""
    smallest = state[0, column]
    for k in range(1, state.shape[0]):
        smallest = min(smallest, state[k, column])
    return smallest


@jitable
def sample_value(state: State, k: int, risk: RiskMeasure) -> float:
    """The value of the sample moments; an arm that never answered is worth nothing."""
    if state[k, COUNT] == 0.0:
        return -math.inf
    return risk.value(state[k, MEAN], variance(state, k))
