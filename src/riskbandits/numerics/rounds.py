"""Round-robin exploration: which arm is next, and what arms are worth when it is over."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskbandits.core.compiled import function
from riskbandits.numerics.moments import COUNT, MEAN, variance

if TYPE_CHECKING:
    from riskbandits.types import RiskMeasure, State


@function
def least(state: State, column: int) -> float:
    """The smallest entry of a column."""
    smallest = state[0, column]
    for k in range(1, state.shape[0]):
        smallest = min(smallest, state[k, column])
    return smallest


@function
def sample_value(state: State, k: int, risk: RiskMeasure) -> float:
    """The value of the sample moments; an arm that never answered is worth nothing."""
    if state[k, COUNT] == 0.0:
        return -math.inf
    return risk.value(state[k, MEAN], variance(state, k))
