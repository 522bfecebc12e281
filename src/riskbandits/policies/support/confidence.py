"""The logarithm in the bonus of a confidence bound: of the step, or of the horizon."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskbandits.compiling.jit import always_inline, jitable
from riskbandits.policies.cells import HORIZON, LOG_STEP, SCRATCH

if TYPE_CHECKING:
    from riskbandits.types import Run

LOG_HORIZON = SCRATCH  # a cell of the run: ln n, from the first time that it was asked for


@always_inline
def log_level(run: Run, use_horizon: bool) -> float:
    """L: ln t, or ln n where the horizon sets the level."""
    if not use_horizon:
        return run[LOG_STEP]
    if run[LOG_HORIZON] == 0.0:
        _note_log_horizon(run)
    return run[LOG_HORIZON]


@jitable
def _note_log_horizon(run: Run) -> None:
    """Out of the way of the loop over the arms, which would keep less in registers around a logarithm."""
    run[LOG_HORIZON] = math.log(run[HORIZON])
