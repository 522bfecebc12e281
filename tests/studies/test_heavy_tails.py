"""The study of heavy tails: its arms, and how studies sum up and draw what was simulated."""

from __future__ import annotations

import numpy as np
import pytest

import riskbandits as rb
from riskbandits import plotting
from studies import heavy_tails, panels


@pytest.mark.parametrize("name", heavy_tails.EXPERIMENTS)
def test_both_kinds_of_arms_have_the_same_moments_and_the_same_best_arm(name):
    make = heavy_tails.EXPERIMENTS[name].make_problem
    calm, wild = make(heavy_tails.GAUSSIAN), make(heavy_tails.FREEDOM)
    np.testing.assert_allclose(wild.means, calm.means)
    np.testing.assert_allclose(wild.variances, calm.variances)
    assert wild.best_arm == calm.best_arm
    assert type(wild.arms) is rb.StudentTArms


def test_the_moments_that_robust_ucb_is_told_are_true():
    problem = heavy_tails.EXPERIMENTS["mean"].make_problem(heavy_tails.FREEDOM)
    assert (problem.means**2 + problem.variances <= rb.RobustUCB().moment).all()


def test_numbers_and_figure_of_a_study():
    """A policy that plays by lot: every step costs the same, and every run still explores."""
    settings = heavy_tails.EXPERIMENTS["mean"]._replace(policies=(rb.UniformRandom(),), horizon=2_000, runs=10)
    results = heavy_tails.cases({"mean": settings._replace(values=(heavy_tails.GAUSSIAN,))}, workers=1, progress=False)
    (row,) = panels.ends(results["mean"]).to_dict("records")
    assert row["case"] == "mean, Gaussian"
    # Gaps 0.8, 0.6, 0.4, 0.2 and 0 are met equally often: 0.4 a step, with a deviation of sqrt(0.08).
    assert abs(row["regret"] - 800.0) < 4.0 * np.sqrt(0.08 * 2_000 / 10)
    assert 0.5 < row["se"] / np.sqrt(0.08 * 2_000 / 10) < 2.0
    assert row["growth"] == pytest.approx(2.0, abs=0.05)
    assert row["best"] == pytest.approx(0.2, abs=0.02)
    assert row["locked"] == 1.0
    with plotting.style():
        figure = heavy_tails.draw(results)
        figure.draw_without_rendering()
    over_time, runs = (ax for part in figure.subfigs for ax in part.axes)
    assert over_time.lines[0].get_ydata()[-1] == pytest.approx(row["regret"])
    assert [text.get_text() for text in runs.texts] == ["0.0 %"]
