"""What a set of arms is: a record with the four methods below, and the optional ones whose defaults stand here.

    draw(k, rng) -> float     one reward of arm k, from `rng.standard_normal()` and `rng.random()`
    mean(k), variance(k)      the true mean and variance of arm k; a variance may be infinite
    size() -> int             the number of arms

All that follows is optional:

    distribution(k) -> Distribution
        all there is to know of arm k's rewards (`riskbandits.arms.distribution`): needed by risk measures that are not
        functions of mean and variance
    draw_next(k, rng, memory) -> float
        as `draw`, for rewards that depend on the arm's earlier ones: `memory` has a row of MEMORY_CELLS cells per arm,
        0 when a run begins
    binary() -> bool
        whether all rewards are 0 or 1, so that policies for Bernoulli arms may be used (default no)

`draw` and `draw_next` are compiled; the others are plain Python and may import what they like.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from riskbandits.compiled import optional_method

ARMS_METHODS = ("draw", "mean", "variance", "size")

MEMORY_CELLS = 2


def _draw(arms: Any, k: int, rng: Any, memory: Any) -> float:
    return arms.draw(k, rng)


draw_next = optional_method("draw_next", _draw)  # the next reward of arm k in a run


def new_memory(size: int) -> Any:
    """What `draw_next` remembers of a run that has not begun."""
    return np.zeros((size, MEMORY_CELLS))


def reward_range(arms: Any) -> tuple[float, float]:
    """The smallest and the largest reward that any arm can pay, infinite when that is not known."""
    if not hasattr(arms, "distribution"):
        return -math.inf, math.inf
    all_arms = [arms.distribution(k) for k in range(int(arms.size()))]
    return min(float(one.low) for one in all_arms), max(float(one.high) for one in all_arms)


def highest_reward(arms: Any) -> float:
    """The largest reward that any arm can pay, infinite when that is not known."""
    return reward_range(arms)[1]
