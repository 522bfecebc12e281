"""Exploration on a schedule: rounds over all arms, a number of them that grows with ln t (DSEE)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskbandits.compiling.jit import jitable
from riskbandits.numerics import moments
from riskbandits.policies.cells import LOG_STEP, SCRATCH

if TYPE_CHECKING:
    from riskbandits.types import RiskMeasure, Run, State

EXPLORED = moments.WIDTH  # a column of the state: how often the arm was chosen to explore it
WIDTH = moments.WIDTH + 1
EXPLORING, EXPLORATIONS = SCRATCH, SCRATCH + 1  # cells of the run


@jitable
def decide(state: State, run: Run, weight: float) -> None:
    """Explore at this step if fewer than K ceil(weight ln t) choices were exploration so far."""
    due = state.shape[0] * math.ceil(weight * run[LOG_STEP])
    run[EXPLORING] = 1.0 if run[EXPLORATIONS] < due else 0.0


@jitable
def score(state: State, k: int, run: Run, risk: RiskMeasure) -> float:
    """The least explored arm when exploring, the best sample value otherwise."""
    if run[EXPLORING] == 1.0:
        return -state[k, EXPLORED]
    return moments.sample_value(state, k, risk)


@jitable
def note_choice(state: State, k: int, run: Run) -> None:
    """Count exploration at choice time, so that answers still outstanding are not explored twice."""
    if run[EXPLORING] == 1.0 or state[k, EXPLORED] == 0.0:
        state[k, EXPLORED] += 1.0
        run[EXPLORATIONS] += 1.0
