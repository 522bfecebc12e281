"""At which steps the sums of a run are kept."""

from __future__ import annotations

from typing import Any

import numpy as np

from riskbandits.core.checks import as_number, listed
from riskbandits.core.errors import must_be

PAPER = (100, 200, 300, 1000, 2000, 3000, 5000, 8000, 13000, 21000, 30000)  # Zhu & Tan's scripts
PER_DECADE = 10


def default_checkpoints(horizon: int) -> np.ndarray:
    """A grid with about ten steps per decade that contains the paper's, half the horizon, and the horizon."""
    decades = int(np.ceil(np.log10(horizon))) + 1
    grid = np.unique(np.round(10 ** (np.arange(PER_DECADE * decades + 1) / PER_DECADE)).astype(np.int64))
    steps = np.concatenate([grid, PAPER, [max(1, horizon // 2), horizon]])
    return np.unique(steps[steps <= horizon]).astype(np.int64)


def check_checkpoints(checkpoints: object, horizon: int) -> np.ndarray:
    """Return the steps in order, with the horizon as the last one, or raise."""
    if checkpoints is None:
        return default_checkpoints(horizon)
    steps = []
    for step in [checkpoints] if as_number(checkpoints) is not None else _members(checkpoints):
        number = as_number(step)
        if number is None or not number.is_integer() or not 1 <= number <= horizon:
            raise must_be("A checkpoint", f"a whole number from 1 to the horizon ({horizon})", step)
        steps.append(int(number))
    return np.unique(np.array([*steps, horizon], dtype=np.int64))


def _members(checkpoints: object) -> list[Any]:
    if isinstance(checkpoints, np.ndarray) and not isinstance(checkpoints, np.ma.MaskedArray):
        return list(checkpoints.ravel())
    return listed("The checkpoints", "a list of steps", checkpoints)
