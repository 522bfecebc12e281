"""Round-robin exploration: which arm is next, and what arms are worth when it is over."""

from __future__ import annotations

import math
from typing import Any

from riskbandits.core.compiled import function
from riskbandits.numerics.moments import COUNT, MEAN, variance


@function
def least(state: Any, column: int) -> float:
    """The smallest entry of a column."""
    smallest = state[0, column]
    for k in range(1, state.shape[0]):
        smallest = min(smallest, state[k, column])
    return smallest


@function
def sample_value(state: Any, k: int, risk: Any) -> float:
    """The value of the sample moments; an arm that never answered is worth nothing."""
    if state[k, COUNT] == 0.0:
        return -math.inf
    return risk.value(state[k, MEAN], variance(state, k))
