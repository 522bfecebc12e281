"""What the arms tell about each other: the scale of their rewards."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskbandits.compiling.jit import jitable
from riskbandits.numerics.moments import COUNT, MEAN, SQUARES

if TYPE_CHECKING:
    from riskbandits.types import State

MOST = 2.0  # times an arm's own variance: what it takes from the others is not more
FIRST = 2.0  # rewards of each arm, from which on it takes less and less
SMALLEST = 1e-30  # the unit while no arm has shown a variance: as good as none,
NEGLIGIBLE = 1e-12  # also beside a mean
ENOUGH = 2  # arms whose variances are known: from then on the others need not be played twice


@jitable
def sample_variance(state: State, k: int) -> float:
    """The unbiased S/(T - 1), or 0 for an arm with fewer than two rewards."""
    return state[k, SQUARES] / (state[k, COUNT] - 1.0) if state[k, COUNT] >= 2.0 else 0.0


@jitable
def variance(state: State) -> float:
    """The geometric mean over arms of the sample variance; arms that have shown none (it is 0) do not count.

    A mean over arms rather than over rewards: the latter would soon be the variance of the arm that is played. And a
    geometric one, since a single wild arm makes the arithmetic mean as large as it likes.
    """
    # Logarithms of ratios rather than of variances: they do not change with the unit of the rewards.
    largest = 0.0
    for k in range(state.shape[0]):
        largest = max(largest, sample_variance(state, k))
    total = 0.0
    arms = 0
    for k in range(state.shape[0]):
        ratio = sample_variance(state, k) / largest if largest > 0.0 else 0.0
        if ratio > 0.0:
            total += math.log(ratio)
            arms += 1
    return largest * math.exp(total / arms) if arms > 0 else 0.0


@jitable
def share(state: State, column: int, rewards: float) -> bool:
    """Write the unit of each arm into a column of its row: G, the mean above, or less for an arm that looks calmer.

    At most twice the arm's own sample variance, but at least G sqrt(2K/t) after t rewards: two rewards that happen to
    lie close together do not make an arm calm. While no arm has shown a variance the unit is next to nothing: it lets
    chance decide between arms whose rewards were all the same number, in favour of those played less. Says whether G is
    known: while fewer than two arms have shown a variance the unit of arms with a single reward is infinite, unless
    there were rewards enough for two of each arm.
    """
    mean = variance(state)
    first = FIRST * state.shape[0]
    least = mean * math.sqrt(first / max(first, rewards))
    shown = 0
    single = False
    for k in range(state.shape[0]):
        own = sample_variance(state, k)
        state[k, column] = min(mean, max(MOST * own, least)) if own > 0.0 else mean
        if mean == 0.0:  # of arms that are equal so far it is not always the first that is played
            state[k, column] = SMALLEST + (NEGLIGIBLE * state[k, MEAN]) ** 2
        shown += own > 0.0
        single = single or state[k, COUNT] < FIRST
    if shown >= ENOUGH or not single or rewards >= first:
        return True
    for k in range(state.shape[0]):
        if state[k, COUNT] < FIRST:
            state[k, column] = math.inf
    return False
