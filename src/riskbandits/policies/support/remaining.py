"""How much of a run is still to come, compared with what is known already: what is found out pays only from then on."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskbandits.compiling.jit import jitable
from riskbandits.numerics.moments import COUNT
from riskbandits.policies.cells import HORIZON, STEP

if TYPE_CHECKING:
    from riskbandits.types import Run, State


@jitable
def remaining(state: State, run: Run) -> float:
    """The share (n - t)/(n - t + E) of steps to come, E the rewards that the moments of all arms are made of.

    It is 1 - t/n where nothing was forgotten, and 1 if n is unknown. Beyond a horizon that was too short, it rises
    again from 0, as 1 - n/t.
    """
    horizon = run[HORIZON]
    if horizon == math.inf:
        return 1.0
    evidence = 0.0
    for k in range(state.shape[0]):
        evidence += state[k, COUNT]
    away = abs(horizon - run[STEP])
    return away / (away + min(evidence, horizon)) if away > 0.0 else 0.0
