"""L'Ecuyer's combined generator MRG32k3a: a stream of uniform numbers whose whole state is six doubles in a row.

Integers below 2^53 are exact in a double, so the numbers are the same whether the code is compiled or not. Many streams
fit into one array, which compiled code can index: a list of NumPy generators could not be passed to it.

Reference: L'Ecuyer, Good parameters and implementations for combined multiple recursive random number generators,
Operations Research 47 (1999).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from riskbandits.compiling.jit import jitable

if TYPE_CHECKING:
    from riskbandits.types import State

WORDS = 6
MODULUS_1, MODULUS_2 = 4294967087.0, 4294944443.0
A12, A13, A21, A23 = 1403580.0, 810728.0, 527612.0, 1370589.0
UNIT = 1.0 / (MODULUS_1 + 1.0)


def states(words: np.ndarray) -> np.ndarray:
    """States (streams, 6) from as many random 32-bit words; no word of a state is 0, so no part of it stands still."""
    moduli = np.repeat(np.array([MODULUS_1, MODULUS_2], dtype=np.uint64), WORDS // 2)
    return (words.astype(np.uint64) % (moduli - np.uint64(1)) + np.uint64(1)).astype(np.float64)


@jitable
def uniform(state: State, k: int) -> float:
    """The next number of stream k, between 0 and 1 and never either, in steps of 2^-32."""
    first = _remainder(A12 * state[k, 1] - A13 * state[k, 0], MODULUS_1)
    state[k, 0] = state[k, 1]
    state[k, 1] = state[k, 2]
    state[k, 2] = first
    second = _remainder(A21 * state[k, 5] - A23 * state[k, 3], MODULUS_2)
    state[k, 3] = state[k, 4]
    state[k, 4] = state[k, 5]
    state[k, 5] = second
    difference = first - second
    return (difference if difference > 0.0 else difference + MODULUS_1) * UNIT


@jitable
def _remainder(value: float, modulus: float) -> float:
    """The value modulo the modulus, in [0, modulus); the quotient may be off by one through rounding."""
    rest = value - math.floor(value / modulus) * modulus
    if rest < 0.0:
        return rest + modulus
    return rest - modulus if rest >= modulus else rest
