"""Figures of bounds and of slopes: what is drawn, not how it looks."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("Agg")
import matplotlib.pyplot as plt
import pandas as pd

import riskbandits as rb
from riskbandits.core.errors import ParameterError
from riskbandits.plotting import plot_bounds, plot_slopes


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def test_bounds_against_rho_are_solid_only_where_they_apply():
    problem, rho = rb.problems.zhu_tan_gaussian(), np.array([0.0, 0.1, 1.0, 100.0])
    ax = plot_bounds([rb.theory.lower_bound(problem, rho=rho), rb.theory.theorem_1(problem, rho=rho)])
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["lower bound", "Theorem 1 (MTS)"]
    solid = [line.get_ydata() for line in ax.lines if line.get_linestyle() == "-"]
    assert np.isfinite(solid[0]).tolist() == [False, True, True, True]  # rho = 0 has no place on a logarithmic axis
    assert np.isfinite(solid[1]).tolist() == [False, False, False, True]


def test_infinite_bounds_leave_gaps():
    problem = rb.Problem(rb.GaussianArms([0.3, 0.3], [0.1, 0.2]), rb.MeanVariance(1.0))
    ax = plot_bounds([rb.theory.theorem_3(problem, rho=[0.5, 1.0])])
    assert all(np.isnan(line.get_ydata()).all() for line in ax.lines)


@pytest.mark.parametrize("bounds", [[], [rb.theory.lower_bound(rb.problems.zhu_tan_gaussian())]])
def test_bounds_at_one_rho_are_no_curve(bounds):
    with pytest.raises(ParameterError, match="over an array of rho"):
        plot_bounds(bounds)


def test_slopes_are_written_and_lines_start_at_the_anchor():
    table = pd.DataFrame({"policy": "MVTS", "step": [10, 100, 1000], "mean": [0.0, 23.0, 69.0], "se": [0.1, 0.1, 0.1]})
    _, given = plt.subplots()
    ax = plot_slopes(table, {"lower bound": 20.0}, anchor=100, ax=given)
    assert ax is given
    assert [text.get_text() for text in ax.texts] == ["9.99", "20"]
    line = next(line for line in ax.lines if line.get_label() == "lower bound: 20")
    assert line.get_xdata()[0] == pytest.approx(100)
    assert line.get_ydata()[0] == pytest.approx(23.0)
    assert line.get_ydata()[-1] == pytest.approx(23.0 + 20.0 * np.log(10.0))
