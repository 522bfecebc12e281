from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import riskbandits as rb

finite = st.floats(-100, 100, width=32)
positive = st.floats(0, 100, width=32)
arm_lists = st.lists(st.tuples(finite, positive), min_size=1, max_size=8)


def make(arms, rho):
    means, variances = zip(*arms, strict=True)
    return rb.Problem(rb.GaussianArms(means, variances), rb.MeanVariance(rho))


def test_by_hand():
    problem = rb.Problem(rb.GaussianArms([0.0, 2.0, 1.0], [0.1, 1.0, 0.2]), rb.MeanVariance(rho=0.4))
    np.testing.assert_allclose(problem.values, [-0.1, -0.2, 0.2])
    assert problem.best_arm == 2
    np.testing.assert_allclose(problem.gaps, [0.3, 0.4, 0.0])
    np.testing.assert_allclose(problem.mean_gaps, [1.0, -1.0, 0.0])


def test_bernoulli_by_hand():
    problem = rb.Problem(rb.BernoulliArms([0.2, 0.5, 0.9]), rb.MeanVariance(rho=0.5))
    np.testing.assert_allclose(problem.variances, [0.16, 0.25, 0.09])
    np.testing.assert_allclose(problem.values, [-0.06, 0.0, 0.36])


def test_the_papers_problems():
    assert rb.problems.zhu_tan_gaussian(0.001).best_arm == 0
    assert rb.problems.zhu_tan_gaussian(1).best_arm == 10
    assert rb.problems.zhu_tan_gaussian(1000).best_arm == 14
    near_tie = rb.problems.zhu_tan_bernoulli(1 / 9)
    assert np.sort(near_tie.gaps)[1] == pytest.approx(0.00077, abs=1e-5)


@given(arm_lists, st.floats(0, 1e4))
def test_gaps_are_not_negative_and_some_arm_is_best(arms, rho):
    problem = make(arms, rho)
    assert (problem.gaps >= 0).all()
    assert problem.gaps[problem.best_arm] == 0
    assert problem.mean_gaps[problem.best_arm] == 0


@given(arm_lists, st.floats(0, 100), st.randoms(use_true_random=False))
def test_the_order_of_the_arms_does_not_matter(arms, rho, random):
    shuffled = random.sample(arms, len(arms))
    np.testing.assert_allclose(np.sort(make(arms, rho).gaps), np.sort(make(shuffled, rho).gaps), atol=1e-9)


def test_ties_go_to_the_lowest_index_and_all_count_as_best():
    # 0.3 - 0.1 and 0.2 - 0 differ in the last bit: they are a tie all the same.
    problem = rb.Problem(rb.GaussianArms([0.0, 0.3, 0.2, 0.2], [0.5, 0.1, 0.0, 0.0]), rb.MeanVariance(rho=1.0))
    assert problem.best_arm == 1
    assert (problem.gaps == 0).tolist() == [False, True, True, True]


def test_gaps_survive_large_means():
    problem = rb.Problem(rb.GaussianArms([1e9, 1e9 + 0.5], [1.0, 1.25]), rb.MeanVariance(rho=1.0))
    assert problem.gaps.tolist() == [0.25, 0.0]


def test_the_arm_that_is_too_large_is_named():
    with pytest.raises(
        rb.errors.ParameterError, match=r"Arm 0 of GaussianArms must be small enough .* Got 'mean 1e\+200"
    ):
        rb.Problem(rb.GaussianArms([1e200, 0.0], [1.0, 1.0]), rb.MeanVariance(1.0))
