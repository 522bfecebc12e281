"""What the arms tell about each other: the scale of their rewards."""

from __future__ import annotations

from typing import Any

from riskbandits.compiled import function
from riskbandits.statistics.moments import COUNT, SQUARES


@function
def variance(state: Any) -> float:
    """The average over arms of the unbiased sample variance S/(T - 1); arms with fewer than two rewards do not count.

    An average over arms rather than over rewards: the latter would soon be the variance of the arm that is played.
    """
    total = 0.0
    arms = 0
    for k in range(state.shape[0]):
        if state[k, COUNT] >= 2.0:
            total += state[k, SQUARES] / (state[k, COUNT] - 1.0)
            arms += 1
    return total / arms if arms > 0 else 0.0


@function
def share(state: Any, column: int) -> None:
    """Write that average into a column of every arm's row."""
    average = variance(state)
    for k in range(state.shape[0]):
        state[k, column] = average
