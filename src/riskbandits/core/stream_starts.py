"""Where the generators of many replications start: NumPy's own arithmetic, for all of them at once.

A `SeedSequence` and a `PCG64` take 20 microseconds to make, two of each per run, which was most of what a short run
costs. The numbers are those of NumPy, bit for bit: its documents promise that they never change, and
`tests/test_streams.py` compares.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

# Of numpy/random/bit_generator.pyx, after O'Neill's seed_seq_fe.
POOL = 4
INIT_A, MULT_A = 0x43B0D7E5, 0x931E8875
INIT_B, MULT_B = 0x8B51F9DD, 0x58F38DED
MIX_LEFT, MIX_RIGHT = np.uint32(0xCA01F9DD), np.uint32(0x4973F715)
SHIFT = np.uint32(16)
WORDS = 8  # 32-bit words that a PCG64 is made from
# Of numpy/random/src/pcg64.
PCG_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
BITS_128 = (1 << 128) - 1
WORD = 0xFFFFFFFF


class _Constant:
    """The constant of a hash, another one at every use."""

    def __init__(self, value: int, multiplier: int) -> None:
        self.value, self.multiplier = value, multiplier

    def hashed(self, words: np.ndarray) -> np.ndarray:
        mixed = words ^ np.uint32(self.value)
        self.value = self.value * self.multiplier & WORD
        mixed = mixed * np.uint32(self.value)
        return mixed ^ (mixed >> SHIFT)


def words_of(number: int) -> list[int]:
    """A whole number >= 0 in 32-bit words, the lowest first.

    >>> words_of(0), words_of(2**32 + 7)
    ([0], [7, 1])
    """
    found = [number & WORD]
    while number := number >> 32:
        found.append(number & WORD)
    return found


def starts(seed: int, key: Sequence[int], replications: range, ends: Sequence[int]) -> list[list[dict[str, Any]]]:
    """Per replication the states in which `PCG64(SeedSequence(seed, spawn_key=(*key, replication, end)))` starts.

    The replications must all have as many words, which those below 2^32 do.
    """
    numbers = np.repeat(np.arange(replications.start, replications.stop, dtype=np.int64), len(ends))
    last = np.tile(np.asarray(ends, dtype=np.uint32), len(replications))
    first = words_of(seed)
    columns: list[Any] = [*first, *[0] * (POOL - len(first)), *(word for part in key for word in words_of(part))]
    columns = [np.full(len(numbers), word, dtype=np.uint32) for word in columns]
    for place in range(len(words_of(replications.start))):
        columns.append((numbers >> (32 * place) & WORD).astype(np.uint32))
    made = _pcg_starts(_generated(_mixed([*columns, last])))
    return [made[at : at + len(ends)] for at in range(0, len(made), len(ends))]


def _mixed(entropy: list[np.ndarray]) -> list[np.ndarray]:
    constant = _Constant(INIT_A, MULT_A)
    pool = [constant.hashed(words) for words in entropy[:POOL]]
    for source in range(POOL):
        for target in range(POOL):
            if source != target:
                pool[target] = _mix(pool[target], constant.hashed(pool[source]))
    for words in entropy[POOL:]:
        for target in range(POOL):
            pool[target] = _mix(pool[target], constant.hashed(words))
    return pool


def _mix(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    mixed: np.ndarray = MIX_LEFT * one - MIX_RIGHT * other
    return mixed ^ (mixed >> SHIFT)


def _generated(pool: list[np.ndarray]) -> list[np.ndarray]:
    constant = _Constant(INIT_B, MULT_B)
    return [constant.hashed(pool[place % POOL]) for place in range(WORDS)]


def _pcg_starts(words: list[np.ndarray]) -> list[dict[str, Any]]:
    parts = [
        (words[place + 1].astype(np.uint64) << np.uint64(32) | words[place]).tolist() for place in range(0, WORDS, 2)
    ]
    found = []
    for high, low, stream_high, stream_low in zip(*parts, strict=True):
        increment = ((stream_high << 64 | stream_low) << 1 | 1) & BITS_128
        state = ((increment + (high << 64 | low)) * PCG_MULTIPLIER + increment) & BITS_128
        found.append(
            {
                "bit_generator": "PCG64",
                "state": {"state": state, "inc": increment},
                "has_uint32": 0,
                "uinteger": 0,
            }
        )
    return found
