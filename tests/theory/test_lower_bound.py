"""The lower bound against 60-digit arithmetic, against an optimiser, and in its limits."""

from __future__ import annotations

import high_precision as exact
import numpy as np
import pytest

import riskbandits as rb
from riskbandits.core.errors import RiskBanditsError
from riskbandits.theory import k_inf, lower_bound

RHOS = (0.0, 1e-9, 1e-3, 0.1, 0.4, 1.0, 3.0, 50.0, 1e3, 1e6, 1e9)


def random_gaussian(seed, arms=6):
    rng = np.random.default_rng(seed)
    return rng.normal(0.0, 1.0, arms), rng.uniform(0.02, 2.0, arms)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("rho", RHOS)
def test_gaussian_against_sixty_digits(seed, rho):
    means, variances = random_gaussian(seed)
    bound = lower_bound(rb.Problem(rb.GaussianArms(means, variances), rb.MeanVariance(rho)))
    pulls, terms = exact.gaussian_lower_bound(means, variances, rho)
    np.testing.assert_allclose(bound.pulls, np.array(pulls, dtype=float), rtol=1e-9)
    np.testing.assert_allclose(bound.per_arm, np.array(terms, dtype=float), rtol=1e-9)
    assert bound.total == pytest.approx(float(sum(terms)), rel=1e-9)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("rho", [0.1, 0.5, 1.0, 4.0])
def test_gaussian_against_a_constrained_optimiser(seed, rho):
    means, variances = random_gaussian(seed, arms=4)
    problem = rb.Problem(rb.GaussianArms(means, variances), rb.MeanVariance(rho))
    for k, found in enumerate(k_inf(problem)):
        if k != problem.best_arm:
            target = float(problem.values.max())
            searched = exact.gaussian_k_by_optimiser(means[k], variances[k], target, rho)
            assert found == pytest.approx(searched, rel=1e-6)


@pytest.mark.parametrize("rho", [0.0, 0.1, 0.3, 0.5, 0.9, 1.0, 2.0, 1e9])
def test_bernoulli_against_sixty_digits(rho):
    p = [0.05, 0.2, 0.35, 0.5, 0.77, 0.9]
    problem = rb.Problem(rb.BernoulliArms(p), rb.MeanVariance(rho))
    bound = lower_bound(problem)
    best = problem.best_arm
    for k in range(len(p)):
        if problem.gaps[k] > 0:
            pulls = float(1 / exact.bernoulli_k(p[k], p[best], rho))
            assert bound.pulls[k] == pytest.approx(pulls, rel=1e-9)
            assert bound.per_arm[k] == pytest.approx(pulls * (problem.gaps[k] + (p[best] - p[k]) ** 2), rel=1e-9)


def test_one_rho_of_many_is_that_rho_alone():
    problem = rb.problems.zhu_tan_gaussian(1.0)
    many = lower_bound(problem, rho=RHOS)
    assert many.per_arm.shape == (len(RHOS), 15)
    assert many.total.shape == many.applies.shape == (len(RHOS),)
    for place, rho in enumerate(RHOS):
        alone = lower_bound(rb.problems.zhu_tan_gaussian(rho))
        np.testing.assert_array_equal(many.per_arm[place], alone.per_arm)
        np.testing.assert_array_equal(lower_bound(problem, rho=rho).pulls, alone.pulls)
    assert isinstance(alone.total, float)


def test_rho_zero_compares_variances_alone():
    problem = rb.Problem(rb.GaussianArms([5.0, -3.0], [0.5, 1.0]), rb.MeanVariance(0.0))
    assert lower_bound(problem).pulls[1] == pytest.approx(2.0 / (2.0 - 1.0 - np.log(2.0)), rel=1e-14)


def test_large_rho_is_the_ordinary_bandit_with_unknown_variance():
    problem = rb.Problem(rb.GaussianArms([1.0, 0.0], [0.3, 0.6]), rb.MeanVariance(1e9))
    assert k_inf(problem)[1] == pytest.approx(0.5 * np.log(1.0 + 1.0 / 0.6), rel=1e-8)


def test_an_arm_tied_with_the_best_contributes_nothing():
    problem = rb.Problem(rb.GaussianArms([0.5, 0.5, 0.0], [0.2, 0.2, 0.3]), rb.MeanVariance(1.0))
    bound = lower_bound(problem)
    assert bound.per_arm[:2].tolist() == bound.pulls[:2].tolist() == [0.0, 0.0]
    assert np.isfinite(bound.total)


def test_with_tied_arms_of_other_means_a_policy_may_settle_on_the_nearer_one():
    # MV = 0 for both; the third arm's mean is that of the second.
    arms = rb.GaussianArms([0.1, 0.9, 0.9], [0.1, 0.9, 1.2])
    bound = lower_bound(rb.Problem(arms, rb.MeanVariance(1.0)))
    gap = 0.3
    assert bound.per_arm[2] == pytest.approx(bound.pulls[2] * gap, rel=1e-12)


@pytest.mark.parametrize("rho", [0.0, 1.0, 1e9])
def test_constant_rewards_give_numbers_and_no_warnings(rho):
    problem = rb.Problem(rb.GaussianArms([0.0, 1.0, 0.5], [0.0, 0.0, 0.3]), rb.MeanVariance(rho))
    bound = lower_bound(problem)
    assert not np.isnan(bound.per_arm).any()
    assert bound.pulls[problem.variances == 0.0].tolist() == [0.0, 0.0]  # one look tells all


def test_means_of_a_hundred_million_change_nothing():
    means, variances = np.array([0.0, 2.0, 0.5]), np.array([0.125, 1.0, 0.5])
    near = lower_bound(rb.Problem(rb.GaussianArms(means, variances), rb.MeanVariance(0.5)))
    far = lower_bound(rb.Problem(rb.GaussianArms(means + 2.0**27, variances), rb.MeanVariance(0.5)))
    np.testing.assert_allclose(far.pulls, near.pulls, rtol=1e-9)


def two_arms(rho=20.0):
    """N(2, 0.05) against N(0, 1): the nearest arm worth as much as the best has a variance of 4.9."""
    return rb.Problem(rb.GaussianArms([2.0, 0.0], [0.05, 1.0]), rb.MeanVariance(rho))


def test_the_bound_for_variances_up_to_1_is_smaller_where_the_nearest_arm_is_outside():
    assert lower_bound(two_arms()).total == pytest.approx(49.41, abs=0.01)
    limited = lower_bound(two_arms(), largest_variance=1.0)
    assert limited.total == pytest.approx(21.44, abs=0.01)
    assert limited.applies is True
    # At v = 1 the mean must rise to (c + 1)/rho = 2.0475, and h(1) = 0.
    assert 1.0 / limited.pulls[1] == pytest.approx(0.5 * 2.0475**2, rel=1e-12)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("rho", [0.3, 1.0, 5.0, 80.0])
@pytest.mark.parametrize("largest", [1.0, 3.0])
def test_the_bound_for_a_largest_variance_against_a_search(seed, rho, largest):
    rng = np.random.default_rng(seed)
    means, variances = rng.normal(0.0, 2.0, 4), rng.uniform(0.02, 1.0, 4)
    problem = rb.Problem(rb.GaussianArms(means, variances), rb.MeanVariance(rho))
    bound, everything = lower_bound(problem, largest_variance=largest), lower_bound(problem)
    target = float(problem.values.max())
    for k in range(4):
        if k != problem.best_arm:
            searched = exact.gaussian_k_up_to(means[k], variances[k], target, rho, largest)
            assert 1.0 / bound.pulls[k] == pytest.approx(searched, rel=1e-6)
            assert bound.pulls[k] <= everything.pulls[k] * (1.0 + 1e-12)
    assert lower_bound(problem, largest_variance=1e12).pulls == pytest.approx(everything.pulls, rel=1e-12)


def test_at_rho_zero_the_largest_variance_does_not_matter():
    problem = rb.Problem(rb.GaussianArms([5.0, -3.0], [0.5, 1.0]), rb.MeanVariance(0.0))
    assert lower_bound(problem, largest_variance=1.0).pulls.tolist() == lower_bound(problem).pulls.tolist()


def test_a_problem_outside_the_class_is_told_so():
    problem = rb.Problem(rb.GaussianArms([1.0, 0.0], [0.5, 2.0]), rb.MeanVariance(1.0))
    bound = lower_bound(problem, largest_variance=1.0)
    assert not bound.applies
    assert bound.assumptions["variances_in_class"].holds.tolist() == [True, False]
    assert lower_bound(problem, largest_variance=2.0).applies


@pytest.mark.parametrize("largest", [0.0, -1.0, "1", None, float("nan")])
def test_a_largest_variance_that_is_none_is_refused(largest):
    with pytest.raises(RiskBanditsError, match="largest_variance must be a number > 0"):
        lower_bound(two_arms(), largest_variance=largest)


def test_bernoulli_arms_have_no_largest_variance():
    with pytest.raises(RiskBanditsError, match="GaussianArms"):
        lower_bound(rb.problems.zhu_tan_bernoulli(0.5), largest_variance=1.0)


@pytest.mark.parametrize("rho", [1e100, 1e154, 1e155, 1e200, 1e300, 1e307, 1e308])
def test_any_rho_has_its_digits_and_no_warning(rho):
    means, variances = [0.3, 0.79, 0.5], [0.05, 0.3, 0.2]
    bound = lower_bound(rb.Problem(rb.GaussianArms(means, variances), rb.MeanVariance(rho)))
    with exact.mp.workdps(700):  # rho^2 beside numbers of size 1
        pulls, _ = exact.gaussian_lower_bound(means, variances, rho)
    np.testing.assert_allclose(bound.pulls, np.array(pulls, dtype=float), rtol=1e-9)
    assert bound.total > rho
