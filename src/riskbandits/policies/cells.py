"""The names of the cells of `run`, the array of what any policy may know of its run.

    STEP           the number of the decision being made, from 1: t in the formulas
    LOG_STEP       ln t
    HORIZON        n, infinite when unknown
    REWARD_COUNT   the rewards seen so far
    REWARD_SUM     their sum
    SCRATCH        the first of SCRATCH_CELLS cells that are the policy's own, zero at the start of a run
    FEATURE_COUNT  d, the number of features of the decision; 0 for a policy that uses none
    FEATURES       the features are run[FEATURES : FEATURES + d]; d + 1 cells to work in follow them

The cells in between belong to `SwitchingAware`; in the place of features a policy that uses none may keep a
history (`riskbandits.numerics.history`).
"""

from __future__ import annotations

from riskbandits.numerics.run_cells import (
    FEATURE_COUNT,
    FEATURES,
    HORIZON,
    LOG_STEP,
    REWARD_COUNT,
    REWARD_SUM,
    RUN_CELLS,
    SCRATCH,
    SCRATCH_CELLS,
    STEP,
    WRAPPER,
)

__all__ = [
    "FEATURES",
    "FEATURE_COUNT",
    "HORIZON",
    "LOG_STEP",
    "REWARD_COUNT",
    "REWARD_SUM",
    "RUN_CELLS",
    "SCRATCH",
    "SCRATCH_CELLS",
    "STEP",
    "WRAPPER",
]
