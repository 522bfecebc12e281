from __future__ import annotations

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.simulation.checkpoints import PAPER, default_checkpoints


def test_the_default_grid_holds_the_papers_steps_and_half_the_horizon():
    steps = default_checkpoints(30_000)
    assert set(PAPER) <= set(steps.tolist())
    assert 15_000 in steps
    assert steps[0] == 1
    assert steps[-1] == 30_000
    assert len(steps) < 80


@pytest.mark.parametrize("horizon", [1, 2, 3, 10, 99, 12_345, 10_000_000])
def test_default_grids_are_increasing_and_end_at_the_horizon(horizon):
    steps = default_checkpoints(horizon)
    assert (np.diff(steps) > 0).all()
    assert steps[0] >= 1
    assert steps[-1] == horizon
    assert max(1, horizon // 2) in steps


def test_ones_own_checkpoints_are_sorted_and_end_at_the_horizon():
    result = rb.simulate(
        rb.problems.zhu_tan_gaussian(1), [rb.MVTS()], horizon=50, runs=1, checkpoints=[20, 7, 20], progress=False
    )
    assert result.table().step.tolist() == [7, 20, 50]


def test_results_at_a_checkpoint_do_not_depend_on_the_others():
    problem = rb.problems.zhu_tan_gaussian(1)
    full = rb.simulate(problem, [rb.MVTS()], horizon=100, runs=2, progress=False).table().set_index("step")
    few = rb.simulate(problem, [rb.MVTS()], horizon=100, runs=2, checkpoints=[50], progress=False).table()
    np.testing.assert_array_equal(few.set_index("step").loc[50].iloc[1:], full.loc[50].iloc[1:])
