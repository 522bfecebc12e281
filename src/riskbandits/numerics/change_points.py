"""Whether a stream of rewards has changed: a generalised likelihood ratio over its blocks, in columns of a state row.

Rewards are gathered in blocks of BLOCK. Blocks that are old are merged, two into one, into blocks of twice the length,
and so on: LEVELS levels with at most two blocks each hold any stream. When a block is full, every border between blocks
is looked at: how much better do two Gaussians (or two success probabilities), one before and one after it, explain the
stream than one does?

    (n ln v - n_1 ln v_1 - n_2 ln v_2)/2    or    n_1 kl(m_1, m) + n_2 kl(m_2, m)

is the logarithm of the ratio of likelihoods. Means and variances are tested together.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskbandits.compiling.jit import always_inline, jitable

if TYPE_CHECKING:
    from riskbandits.types import State

BLOCK = 8
LEVELS = 24
SLOT = 3  # count, mean, squares, as in `moments`

# Columns, from the first one given to the stream on.
OPEN = 0  # the block that is being filled
SIZES = SLOT  # how many blocks each level has
BLOCKS = SIZES + LEVELS
WIDTH = BLOCKS + 2 * SLOT * LEVELS

LEAST_RATIO = 0.01  # of the common variance: a few equal rewards in a row are no evidence of a variance of 0


@jitable
def add(state: State, k: int, base: int, reward: float) -> bool:
    """Book a reward; whether a block is full now, and borders should be looked at."""
    count = state[k, base]
    deviation = reward - state[k, base + 1]
    state[k, base + 2] += count / (count + 1.0) * deviation * deviation
    state[k, base + 1] += deviation / (count + 1.0)
    state[k, base] = count + 1.0
    if state[k, base] < BLOCK:
        return False
    push(state, k, base, state[k, base], state[k, base + 1], state[k, base + 2])
    for column in range(SLOT):
        state[k, base + column] = 0.0
    return True


@jitable
def clear(state: State, k: int, base: int) -> None:
    """Forget the stream."""
    for column in range(WIDTH):
        state[k, base + column] = 0.0


@jitable
def push(state: State, k: int, base: int, count: float, mean: float, squares: float) -> None:
    """Take in the youngest block; where two are there already, they become one of the next level."""
    level = 0
    while True:
        sizes = base + SIZES + level
        first = base + BLOCKS + 2 * SLOT * level
        size = size_of(state, k, base, level)
        if size < 2:
            put(state, k, first + SLOT * size, count, mean, squares)
            state[k, sizes] = size + 1.0
            return
        older = merged(
            state[k, first],
            state[k, first + 1],
            state[k, first + 2],
            state[k, first + 3],
            state[k, first + 4],
            state[k, first + 5],
        )
        if level == LEVELS - 1:
            put(state, k, first, *older)
            put(state, k, first + SLOT, count, mean, squares)
            return
        put(state, k, first, count, mean, squares)
        state[k, sizes] = 1.0
        count, mean, squares = older
        level += 1


@always_inline
def size_of(state: State, k: int, base: int, level: int) -> int:
    """How many blocks a level has, whatever a file that was read may say."""
    size = state[k, base + SIZES + level]
    if size >= 2.0:
        return 2
    return 1 if size >= 1.0 else 0


@always_inline
def put(state: State, k: int, column: int, count: float, mean: float, squares: float) -> None:
    """Write a block."""
    state[k, column] = count
    state[k, column + 1] = mean
    state[k, column + 2] = squares


@always_inline
def merged(
    count: float, mean: float, squares: float, other_count: float, other_mean: float, other_squares: float
) -> tuple[float, float, float]:
    """Count, mean and squares of two blocks together."""
    total = count + other_count
    apart = other_mean - mean
    together = squares + other_squares + count * other_count / total * apart * apart
    return total, mean + apart * other_count / total, together


@jitable
def evidence(state: State, k: int, base: int, binary: bool) -> tuple[float, float]:
    """The largest logarithm of a likelihood ratio over all borders, and the number of rewards in blocks."""
    n, mean, squares = 0.0, 0.0, 0.0
    for level in range(LEVELS):
        for place in range(size_of(state, k, base, level)):
            slot = base + BLOCKS + SLOT * (2 * level + place)
            n, mean, squares = merged(state[k, slot], state[k, slot + 1], state[k, slot + 2], n, mean, squares)
    best = 0.0
    late, late_mean, late_squares = 0.0, 0.0, 0.0  # what comes after the border
    for level in range(LEVELS):
        for place in range(size_of(state, k, base, level) - 1, -1, -1):
            slot = base + BLOCKS + SLOT * (2 * level + place)
            late, late_mean, late_squares = merged(
                state[k, slot], state[k, slot + 1], state[k, slot + 2], late, late_mean, late_squares
            )
            early = n - late
            if early > 0.0:
                early_mean = (n * mean - late * late_mean) / early
                apart = early_mean - late_mean
                early_squares = max(0.0, squares - late_squares - early * late / n * apart * apart)
                found = (
                    binary_ratio(early, early_mean, late, late_mean, mean)
                    if binary
                    else gaussian_ratio(early, early_squares, late, late_squares, squares)
                )
                best = max(best, found)
    return best, n


@always_inline
def gaussian_ratio(early: float, early_squares: float, late: float, late_squares: float, squares: float) -> float:
    """For two Gaussians against one."""
    n = early + late
    variance = squares / n
    if not variance > 0.0:
        return 0.0
    least = LEAST_RATIO * variance
    before = early * math.log(max(early_squares / early, least) / variance)
    after = late * math.log(max(late_squares / late, least) / variance)
    return -0.5 * (before + after)


@always_inline
def binary_ratio(early: float, early_mean: float, late: float, late_mean: float, mean: float) -> float:
    """For two success probabilities against one."""
    return early * divergence(early_mean, mean) + late * divergence(late_mean, mean)


@always_inline
def divergence(p: float, q: float) -> float:
    """kl(p, q) of two success probabilities; rounding may have left p a little outside of [0, 1]."""
    found = 0.0
    if p > 0.0 and q > 0.0:
        found += p * math.log(p / q)
    if p < 1.0 and q < 1.0:
        found += (1.0 - p) * math.log((1.0 - p) / (1.0 - q))
    return found
