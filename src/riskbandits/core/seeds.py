"""Random streams. A stream is a function of the seed and of what is simulated, of nothing else.

So a result does not change with the other policies in a list, their order, the number of threads,
or how the work was cut.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from riskbandits.core.checks import whole
from riskbandits.core.records import digest

LARGEST_SEED = 2**1024  # what files can hold; a seed has no use for more bits
CHOICES, REWARDS, DEVICE, COMMON_REWARDS, BELIEFS, CHANCES = range(6)


def check_seed(seed: Any) -> int:
    """Return a seed as a Python int, or raise."""
    return whole("The seed", seed, least=0, most=LARGEST_SEED)


def generator(seed: int, *key: int) -> np.random.Generator:
    """The generator named by a seed and a key."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=key)))


def words(number: int, seed: int, *key: int) -> np.ndarray:
    """As many random 32-bit words, named by a seed and a key: what generators of one's own start from."""
    return np.random.SeedSequence(seed, spawn_key=key).generate_state(number, np.uint32)


def streams(seed: int, policy: Any, problem: Any, replication: int) -> tuple[np.random.Generator, np.random.Generator]:
    """The generators for choices and for rewards of one replication of a policy on a problem.

    A `Learner` made with the first and fed from the second repeats that replication exactly.
    """
    return keyed_streams(seed, digest(policy, problem.arms, problem.risk), replication)


def keyed_streams(seed: int, key: tuple[int, ...], replication: int) -> tuple[np.random.Generator, np.random.Generator]:
    """As `streams`, for callers that keep the digest because they need many replications."""
    return generator(seed, *key, replication, CHOICES), generator(seed, *key, replication, REWARDS)


def device_base(seed: int, key: tuple[int, ...]) -> np.ndarray:
    """Two 64-bit words from which the streams of all replications of a key follow on a GPU."""
    return np.random.SeedSequence(seed, spawn_key=(*key, DEVICE)).generate_state(2, np.uint64)


def restart(rng: np.random.Generator, seed: int, *key: int) -> None:
    """Put a generator where `generator(seed, *key)` starts: handing compiled code a new one takes longer."""
    rng.bit_generator.state = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=key)).state


def restart_streams(
    streams: tuple[np.random.Generator, np.random.Generator], seed: int, key: tuple[int, ...], replication: int
) -> None:
    """Put two generators where those of `keyed_streams` start."""
    for which, rng in zip((CHOICES, REWARDS), streams, strict=True):
        restart(rng, seed, *key, replication, which)
