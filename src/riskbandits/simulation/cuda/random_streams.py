"""Random streams for the device: xoroshiro128++ (Blackman & Vigna 2021), two words of state per stream.

The words follow from the replication's key alone, by SplitMix64 from a base that is the job's: no thread has to
jump over the streams of others, and results do not depend on how work is laid out.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from riskbandits.compiling.jit import jitable
from riskbandits.core.seeds import device_base
from riskbandits.numerics.variates import box_muller

WORDS = 2  # of one stream
STREAMS = 2  # choices and rewards

FULL = 0xFFFFFFFFFFFFFFFF
GOLDEN = 0x9E3779B97F4A7C15
UNIT = 2.0**-53
SHORT_UNIT = 2.0**-24


class Stream(NamedTuple):
    """What policies and arms call `rng` on the device, in double precision."""

    words: Any

    def random(self) -> float:
        """Uniform on [0, 1), a multiple of 2^-53."""
        return (next_word(self.words) >> 11) * UNIT

    def standard_normal(self) -> float:
        """One of Box and Muller's pair: the other would have to be remembered, and a branch be taken."""
        first = 1.0 - self.random()
        return box_muller(first, self.random())


class ShortStream(NamedTuple):
    """The same in single precision: uniform numbers are multiples of 2^-24, normal ones reach 5.8."""

    words: Any

    def random(self) -> Any:
        """Uniform on [0, 1), a multiple of 2^-24."""
        return np.float32(next_word(self.words) >> 40) * np.float32(SHORT_UNIT)

    def standard_normal(self) -> float:
        """One of Box and Muller's pair."""
        first = 1.0 - self.random()
        return box_muller(first, self.random())


@jitable
def next_word(words: Any) -> int:
    """The next 64 random bits."""
    # Python's int, or the same unsigned word in compiled code: sums are cut to 64 bits by hand where ints are long.
    first = int(words[0])
    second = int(words[1])
    word = (rotated((first + second) & FULL, 17) + first) & FULL
    second ^= first
    words[0] = rotated(first, 49) ^ second ^ ((second << 21) & FULL)
    words[1] = rotated(second, 28)
    return word


@jitable
def rotated(word: int, places: int) -> int:
    """The bits of a word, moved to the left in a circle."""
    return ((word << places) & FULL) | (word >> (64 - places))


def initial_words(seed: int, key: tuple[int, ...], replications: np.ndarray) -> np.ndarray:
    """The state of all streams of some replications, (STREAMS * WORDS, replications)."""
    base = device_base(seed, key)
    numbers = replications.astype(np.uint64) * np.uint64(STREAMS) + np.uint64(1)
    rows = [splitmix(base[i % WORDS], numbers + np.uint64(i // WORDS)) for i in range(STREAMS * WORDS)]
    return np.stack(rows)


def splitmix(base: np.uint64, numbers: np.ndarray) -> np.ndarray:
    """The outputs of SplitMix64 with these numbers, from a base on."""
    z = base + numbers * np.uint64(GOLDEN)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
