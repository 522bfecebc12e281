"""What a simulation leaves behind: running sums at checkpoints, per run, and pulls at the horizon."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from riskbandits.problem import Problem


class Trace(NamedTuple):
    """All runs of one policy on one problem."""

    label: str
    policy: dict[str, Any]  # class and fields as plain data
    problem: Problem
    method: str  # how it was simulated; methods agree in law, not path by path
    checkpoints: np.ndarray  # (C,) steps
    sums: np.ndarray  # (runs, C, 6), columns named in `kernel`, rewards and means less the best arm's mean
    pulls: np.ndarray  # (runs, arms) at the horizon
    reward_sums: np.ndarray  # (runs, arms) at the horizon, less the best arm's mean

    @property
    def horizon(self) -> int:
        """The last checkpoint."""
        return int(self.checkpoints[-1])

    @property
    def runs(self) -> int:
        """The number of replications."""
        return len(self.sums)
