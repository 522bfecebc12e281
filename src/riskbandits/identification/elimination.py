"""Elimination with confidence bounds: sample all arms that may still be the best, drop those that are not."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from riskbandits.core.errors import must_be
from riskbandits.identification.contract import Decision

# Bounds are looked at when every surviving arm has these numbers of pulls: each look costs confidence, and a sample
# that has grown by a tenth says little more.
FIRST_LOOK, GROWTH = 4, 1.1

Bounds = Callable[[np.ndarray, float], tuple[float, float]]


def eliminate(samples: Any, budget: int, confidence: float, within: float, bounds: Bounds) -> Decision:
    """Sample until one arm is left, or all that are left differ by less than `within`, or the budget is spent.

    `bounds(rewards, error)` gives a lower and an upper bound for the value of an arm, each of which fails with
    probability at most `error`. Over all looks and arms the errors add up to 1 - confidence.
    """
    if budget < FIRST_LOOK * samples.size:
        raise must_be("The budget of an elimination", f"at least {FIRST_LOOK} rewards per arm", budget)
    alive = list(range(samples.size))
    low, high = np.full(samples.size, -math.inf), np.full(samples.size, math.inf)
    pulls, look = FIRST_LOOK, 0
    leader, sure = 0, samples.size == 1
    while not sure and samples.total + sum(pulls - int(samples.used[k]) for k in alive) <= budget:
        look += 1
        for k in alive:
            least, largest = bounds(samples.first(k, pulls), error_of_a_bound(confidence, samples.size, look))
            low[k], high[k] = max(low[k], least), min(high[k], largest)
        leader = max(alive, key=lambda k: (low[k], -k))
        alive = [k for k in alive if high[k] >= low[leader]]
        sure = all(high[k] <= low[leader] + within for k in alive if k != leader)
        pulls = max(pulls + 1, math.ceil(pulls * GROWTH))
    return Decision(leader, finished=sure)


def error_of_a_bound(confidence: float, size: int, look: int) -> float:
    """How often one of the 2 K bounds of a look may fail: over all looks, 1 - confidence in all.

    >>> round(sum(2 * 5 * error_of_a_bound(0.9, 5, look) for look in range(1, 10_000)), 4)
    0.1
    """
    return (1.0 - confidence) / (2 * size * look * (look + 1))
