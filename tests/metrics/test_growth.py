"""Slopes against ln n."""

from __future__ import annotations

import numpy as np
import pytest

import riskbandits as rb
from riskbandits import metrics
from riskbandits.core.errors import ParameterError


@pytest.fixture(scope="module")
def traces():
    problem = rb.problems.zhu_tan_gaussian(1.0)
    return rb.simulate(problem, [rb.MVTS(), rb.UniformRandom()], horizon=200, runs=50, seed=1, progress=False).traces


def test_wrong_pulls_are_all_pulls_but_the_best_arms(traces):
    for trace in traces:
        expected = trace.horizon - trace.pulls[:, trace.problem.best_arm]
        np.testing.assert_array_equal(metrics.wrong_pulls(trace)[:, -1], expected)


def test_a_straight_line_in_ln_n_has_its_slope_everywhere(traces):
    table = metrics.local_slopes(traces[:1], lambda t: 7.0 + 3.0 * np.log(t.checkpoints) + 0.0 * t.sums[:, :, 0])
    np.testing.assert_allclose(table["slope"], 3.0)
    np.testing.assert_allclose(table["slope_se"], 0.0, atol=1e-12)


def test_slopes_between_chosen_steps(traces):
    table = metrics.local_slopes(traces, metrics.exact_pseudo_regret, steps=[20, 200])
    assert table["policy"].tolist() == ["MVTS", "UniformRandom"]
    assert table["from_step"].tolist() == [20, 20]
    values = metrics.exact_pseudo_regret(traces[0])
    places = np.searchsorted(traces[0].checkpoints, [20, 200])
    growth = (values[:, places[1]] - values[:, places[0]]) / np.log(10.0)
    assert table["slope"][0] == pytest.approx(growth.mean())
    assert table["slope_se"][0] == pytest.approx(growth.std(ddof=1) / np.sqrt(50))


def test_a_growth_table_has_means_and_errors(traces):
    table = metrics.growth_table(traces, metrics.wrong_pulls)
    assert list(table.columns) == ["policy", "step", "mean", "se"]
    assert len(table) == 2 * len(traces[0].checkpoints)


@pytest.mark.parametrize("steps", [[20], [20, 21_000], [3.5, 20]])
def test_steps_that_were_not_kept_are_refused(traces, steps):
    with pytest.raises(ParameterError, match="two or more checkpoints of the trace"):
        metrics.local_slopes(traces, steps=steps)
