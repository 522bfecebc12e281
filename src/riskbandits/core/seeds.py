"""Random streams. A stream is a function of the seed and of what is simulated, of nothing else.

So a result does not change with the other policies in a list, their order, the number of threads,
or how the work was cut.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.core.checks import whole
from riskbandits.core.records import digest

if TYPE_CHECKING:
    from riskbandits.types import Policy

LARGEST_SEED = 2**1024  # what files can hold; a seed has no use for more bits
CHOICES, REWARDS, DEVICE, COMMON_REWARDS, BELIEFS, CHANCES, DELAYS = range(7)


def check_seed(seed: object) -> int:
    """Return a seed as a Python int, or raise."""
    return whole("The seed", seed, least=0, most=LARGEST_SEED)


def generator(seed: int, *key: int) -> np.random.Generator:
    """The generator named by a seed and a key."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=key)))


def words(number: int, seed: int, *key: int) -> np.ndarray:
    """As many random 32-bit words, named by a seed and a key: what generators of one's own start from."""
    return np.random.SeedSequence(seed, spawn_key=key).generate_state(number, np.uint32)


def streams(
    seed: int, policy: Policy, problem: Any, replication: int, delay: Any = None
) -> tuple[np.random.Generator, np.random.Generator]:
    """The generators for choices and for rewards of one replication of a policy on a problem, maybe with a delay.

    A `Learner` made with the first and fed from the second repeats that replication exactly; with a delay when it is
    told what is due when it is due, as `arrivals` says.
    """
    return keyed_streams(seed, digest(policy, problem.arms, problem.risk, *delay_parts(delay)), replication)


def arrivals(seed: int, policy: Policy, problem: Any, replication: int, delay: Any, decisions: int) -> np.ndarray:
    """Per decision of that replication, the number of the one after which its answer is told."""
    key = digest(policy, problem.arms, problem.risk, delay)
    found: np.ndarray = delay.arrivals(decisions, generator(seed, *key, replication, DELAYS))
    return found


def delay_parts(delay: Any) -> tuple[Any, ...]:
    """What a delay adds to the key of streams; without one they are what they always were."""
    return () if delay is None else (delay,)


def keyed_streams(seed: int, key: tuple[int, ...], replication: int) -> tuple[np.random.Generator, np.random.Generator]:
    """As `streams`, for callers that keep the digest because they need many replications."""
    choices, rewards = generators(seed, key, replication, (CHOICES, REWARDS))
    return choices, rewards


def generators(
    seed: int, key: tuple[int, ...], replication: int, ends: tuple[int, ...]
) -> tuple[np.random.Generator, ...]:
    """The generators of one replication for these ends."""
    return tuple(generator(seed, *key, replication, end) for end in ends)


def device_base(seed: int, key: tuple[int, ...]) -> np.ndarray:
    """Two 64-bit words from which the streams of all replications of a key follow on a GPU."""
    return np.random.SeedSequence(seed, spawn_key=(*key, DEVICE)).generate_state(2, np.uint64)
