"""Common random numbers: the j-th reward of an arm is the same for every policy of a comparison.

What a run costs depends much on the rewards it happens to meet, so the difference of two policies that meet the same
ones is known more precisely. Each arm has a stream of its own, keyed by seed, problem and replication, but not by
policy. A policy by itself cannot tell: its rewards are independent draws as ever.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from riskbandits.arms.contract import book_gap, booked_gaps, draw_features, draw_next
from riskbandits.core import seeds
from riskbandits.numerics import mrg32k3a
from riskbandits.numerics.variates import box_muller


class ArmStreams(NamedTuple):
    """What arms draw from: one stream per arm, of which one has its turn."""

    states: Any  # (arms, mrg32k3a.WORDS)
    turn: Any  # (1,) the arm whose stream is drawn from

    def turn_to(self, k: int) -> None:
        """Let the next draws come from the stream of arm k."""
        self.turn[0] = k

    def random(self) -> float:
        """A uniform number between 0 and 1."""
        return mrg32k3a.uniform(self.states, self.turn[0])

    def standard_normal(self) -> float:
        """A standard normal number, by Box and Muller's formula."""
        first = self.random()
        return box_muller(first, self.random())


class ArmsByStream(NamedTuple):
    """Arms that draw from `ArmStreams`; to the kernel they are arms like others."""

    arms: Any

    def draw(self, k: int, rng: Any) -> float:
        """The next reward of arm k."""
        rng.turn_to(k)
        return self.arms.draw(k, rng)

    def draw_next(self, k: int, rng: Any, memory: np.ndarray) -> float:
        """The next reward of arm k, which may depend on its earlier ones."""
        rng.turn_to(k)
        return draw_next(self.arms, k, rng, memory)

    def draw_features(self, rng: Any, memory: np.ndarray, run: np.ndarray, count: int) -> None:
        """The features of the next decision, from the stream after those of the arms."""
        rng.turn_to(memory.shape[0] - 1)
        draw_features(self.arms, rng, memory, run, count)

    def book_gap(self, k: int, risk: Any, memory: np.ndarray) -> None:
        """The gap of arm k, where that depends on features."""
        book_gap(self.arms, k, risk, memory)

    def booked_gaps(self, memory: np.ndarray) -> tuple[float, float]:
        """The sum of the gaps booked, and the number of those that were 0."""
        return booked_gaps(self.arms, memory)


def arm_streams(seed: int, key: tuple[int, ...], arms: int, replication: int) -> ArmStreams:
    """The streams of one replication of a problem with that key."""
    words = seeds.words(arms * mrg32k3a.WORDS, seed, *key, replication, seeds.COMMON_REWARDS)
    return ArmStreams(mrg32k3a.states(words.reshape(arms, mrg32k3a.WORDS)), np.zeros(1, dtype=np.int64))
