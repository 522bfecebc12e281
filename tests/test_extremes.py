"""Extreme but legal input works."""

from __future__ import annotations

import numpy as np
import pytest

import riskbandits as rb
from riskbandits import metrics

ALL = [rb.MTS(), rb.VTS(), rb.MVTS(), rb.MVLCB(), rb.MVLCB.sani(), rb.ExpExp(), rb.MVDSEE(), rb.UniformRandom()]
ALL_BERNOULLI = [rb.BMVTS(), rb.BernoulliLCB(), rb.BernoulliLCB.sani(), rb.BernoulliLCB.tight()]

SHAPES = {
    "one arm": ([0.5], [1.0]),
    "identical arms": ([0.5] * 3, [0.2] * 3),
    "zero variance": ([0.1, 0.2, 0.3], [0.0] * 3),
    "zero everything": ([0.0, 0.0], [0.0, 0.0]),
    "huge rewards": ([1e12, 2e12], [1e20, 1e22]),
    "negative rewards": ([-5.0, -1e6], [1.0, 2.0]),
    "thousand arms": (np.linspace(0, 1, 1000), np.linspace(0.1, 1, 1000)),
}


def check(result, runs, horizon):
    for trace in result.traces:
        assert (trace.pulls.sum(axis=1) == horizon).all()
        for metric in (metrics.regret, metrics.pseudo_regret, metrics.exact_pseudo_regret, metrics.best_arm_share):
            assert np.isfinite(metric(trace)).all()
        assert (metrics.exact_pseudo_regret(trace) >= 0).all()


@pytest.mark.parametrize("horizon", [1, 3, 60])
@pytest.mark.parametrize("rho", [0.0, 1e-9, 1.0, 1e9])
@pytest.mark.parametrize("shape", SHAPES)
def test_gaussian(shape, rho, horizon):
    problem = rb.Problem(rb.GaussianArms(*SHAPES[shape]), rb.MeanVariance(rho))
    check(rb.simulate(problem, ALL, horizon=horizon, runs=2, progress=False), 2, horizon)


@pytest.mark.parametrize("horizon", [1, 40])
@pytest.mark.parametrize("rho", [0.0, 1e-9, 0.5, 1e9])
@pytest.mark.parametrize("probabilities", [[0.0], [1.0, 1.0], [0.0, 1.0, 0.5], [0.3] * 50])
def test_bernoulli(probabilities, rho, horizon):
    problem = rb.Problem(rb.BernoulliArms(probabilities), rb.MeanVariance(rho))
    check(rb.simulate(problem, ALL_BERNOULLI, horizon=horizon, runs=2, progress=False), 2, horizon)


def test_one_arm_has_no_pseudo_regret():
    problem = rb.Problem(rb.GaussianArms([3.0], [2.0]), rb.MeanVariance(5.0))
    table = rb.simulate(problem, [rb.MVTS()], horizon=50, runs=3, progress=False).table()
    assert (table.exact_pseudo_regret_mean == 0).all()
    assert (table.best_arm_share_mean == 1).all()


def test_horizon_shorter_than_the_number_of_arms():
    problem = rb.problems.zhu_tan_gaussian(1)
    result = rb.simulate(problem, [rb.MVTS()], horizon=4, runs=2, progress=False)
    assert result.pulls("MVTS").tolist() == [[1] * 4 + [0] * 11] * 2
    r1, r2 = metrics.decomposition(result.traces[0])
    assert np.isfinite(r1).all()
    assert np.isfinite(r2).all()


def test_arms_too_large_for_floating_point_are_refused():
    for means in ([1e308, -1e308], [1e200, 0.0]):
        with pytest.raises(rb.errors.ParameterError, match="must be small enough to be squared"):
            rb.Problem(rb.GaussianArms(means, [0.0, 0.0]), rb.MeanVariance(1.0))


def test_imed_tells_arms_apart_that_share_a_large_offset():
    """A difference of two standard deviations, at means where 1e-12 of the value is as much."""
    means, horizon = np.array([0.0, 3.0, 1.0]), 2_000
    for policy in (rb.IMEDMV(), rb.SwitchingAware.imed()):
        others = []
        for offset in (0.0, 1e12):
            problem = rb.Problem(rb.GaussianArms(means + offset, [1.0] * 3), rb.MeanVariance(1.0))
            result = rb.simulate(problem, [policy], horizon=horizon, runs=10, seed=1, progress=False)
            others.append(result.traces[0].pulls[:, [0, 2]].sum(axis=1).mean())
        assert others[1] < 3.0 * others[0]


def test_a_regret_that_no_number_can_hold_is_refused_and_a_large_one_is_a_number():
    arms = rb.GaussianArms([0.1, 0.2], [1.0, 1.0])
    for rho in (1e308, 1e200):
        problem = rb.Problem(arms, rb.MeanVariance(rho))
        with pytest.raises(rb.errors.ParameterError, match="over 200 steps must be small enough to be squared"):
            rb.simulate(problem, [rb.UniformRandom()], horizon=200, runs=3, progress=False)
    result = rb.simulate(
        rb.Problem(arms, rb.MeanVariance(1e140)), [rb.UniformRandom()], horizon=200, runs=3, progress=False
    )
    assert np.isfinite(result.table().select_dtypes("number").to_numpy()).all()
