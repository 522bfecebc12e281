"""What a simulation leaves behind: running sums at checkpoints, per run, and pulls at the horizon."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from riskbandits.core.checks import listed
from riskbandits.core.errors import must_be
from riskbandits.problem import Problem


class Trace(NamedTuple):
    """All runs of one policy on one problem."""

    label: str
    policy: dict[str, Any]  # class and fields as plain data
    problem: Problem
    method: str  # how it was simulated; methods agree in distribution, not path by path
    checkpoints: np.ndarray  # (C,) steps
    sums: np.ndarray  # (runs, C, 6), columns named in `kernel`, rewards and means less the best arm's mean
    pulls: np.ndarray  # (runs, arms) at the horizon
    reward_sums: np.ndarray  # (runs, arms) at the horizon, less the best arm's mean
    returns_to_all: bool = False  # whether the policy says that it returns to every arm, however long the run

    @property
    def horizon(self) -> int:
        """The last checkpoint."""
        return int(self.checkpoints[-1])

    @property
    def runs(self) -> int:
        """The number of replications."""
        return len(self.sums)


def check_trace(trace: Any) -> Trace:
    """Return a trace, or raise: what is measured is measured from one."""
    if not isinstance(trace, Trace):
        raise must_be("The trace", "a Trace (one of those in `result.traces`)", trace)
    return trace


def check_traces(traces: Any) -> list[Trace]:
    """Return a list of traces, not an empty one, or raise."""
    found = [check_trace(one) for one in listed("The traces", "a list of traces", traces)]
    if not found:
        raise must_be("The list of traces", "non-empty", found)
    return found
