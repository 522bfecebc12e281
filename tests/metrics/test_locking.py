"""Runs that ended on a wrong arm, against a count from the definition."""

from __future__ import annotations

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.api import simulate
from riskbandits.core.errors import ParameterError
from riskbandits.metrics import locked
from riskbandits.simulation import kernel
from riskbandits.simulation.runner import run_in_plain_python
from riskbandits.simulation.trace import Trace


def trace_of(best_arm_plays: list[list[int]], checkpoints: list[int] | None = None) -> Trace:
    """A trace of runs of which it is known at which steps the best arm was played."""
    plays = np.array(best_arm_plays)
    steps = np.arange(1, plays.shape[1] + 1) if checkpoints is None else np.array(checkpoints)
    sums = np.zeros((len(plays), len(steps), kernel.SUMS))
    sums[:, :, kernel.BEST_ARM] = plays.cumsum(axis=1)[:, steps - 1]
    empty = np.zeros((len(plays), 2))
    return Trace("X", {}, rb.problems.zhu_tan_gaussian(), "plain", steps, sums, empty, empty)


@pytest.mark.parametrize(
    ("plays", "expected"),
    [
        ([1, 1, 1, 1, 0, 0, 0, 1], True),  # one of the four last
        ([1, 1, 1, 1, 0, 0, 1, 1], False),  # half of them is not less than half
        ([0, 0, 0, 0, 1, 1, 1, 0], False),
        ([1, 1, 1, 0, 1, 0, 0], True),  # an odd number of steps: the second half is the last four
        ([0, 0, 0, 0, 1, 0, 1], False),
        ([0], True),  # no first half
        ([1], False),
    ],
)
def test_by_hand(plays, expected):
    assert locked(trace_of([plays])).tolist() == [expected]


def test_it_needs_half_the_horizon_and_nothing_else():
    plays = [[1, 1, 0, 0], [0, 0, 1, 1]]
    assert locked(trace_of(plays, [2, 4])).tolist() == [True, False]
    with pytest.raises(ParameterError, match=r"half the horizon \(2\) is one"):
        locked(trace_of(plays, [1, 4]))


def test_arms_tied_with_the_best_count():
    problem = rb.Problem(rb.GaussianArms([1.0, 1.0, 0.0], [0.5, 0.5, 0.5]), rb.MeanVariance(1.0))
    [job] = simulate.plan(problem, [rb.UniformRandom()], 101, 40, 3)
    trace = run_in_plain_python(job)
    # Two arms of three are best: about 34 of the last 51 pulls.
    assert locked(trace).mean() < 0.2
