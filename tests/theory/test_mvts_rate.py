"""What MVTS can reach, against brute force."""

from __future__ import annotations

import high_precision as exact
import numpy as np
import pytest

import riskbandits as rb
from riskbandits.theory import lower_bound, mvts_rate


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("rho", [0.05, 0.4, 1.0, 5.0, 100.0])
def test_against_brute_force(seed, rho):
    rng = np.random.default_rng(seed)
    problem = rb.Problem(rb.GaussianArms(rng.normal(size=5), rng.uniform(0.05, 1.5, 5)), rb.MeanVariance(rho))
    bound = mvts_rate(problem)
    for k in range(5):
        if k != problem.best_arm:
            searched = exact.mvts_k_by_brute_force(
                problem.means[k], problem.variances[k], float(problem.values.max()), rho
            )
            assert 1.0 / bound.pulls[k] == pytest.approx(searched, rel=1e-6)


def test_near_ties_keep_their_digits():
    # For small gaps K = Delta^2/(2 (rho^2 + 2 s^4)): the two quadratic costs in parallel.
    problem = rb.Problem(rb.GaussianArms([0.0, 0.0], [0.5, 0.5 + 1e-9]), rb.MeanVariance(0.7))
    gap = problem.gaps[1]
    assert 1.0 / mvts_rate(problem).pulls[1] == pytest.approx(gap**2 / (2.0 * (0.7**2 + 2.0 * 0.25)), rel=1e-7)


def test_limits():
    problem = rb.Problem(rb.GaussianArms([1.0, 0.5], [0.3, 0.6]), rb.MeanVariance(1.0))
    assert mvts_rate(problem, rho=0.0).pulls == pytest.approx(lower_bound(problem, rho=0.0).pulls, rel=1e-12)
    assert mvts_rate(problem, rho=1e9).pulls[1] == pytest.approx(2.0 / 0.5**2, rel=1e-6)


def test_a_constant_reward_is_overtaken_by_its_mean_alone():
    problem = rb.Problem(rb.GaussianArms([1.0, 0.0], [0.3, 0.0]), rb.MeanVariance(2.0))
    assert mvts_rate(problem).pulls[1] == pytest.approx(2.0 / (1.7 / 2.0) ** 2)


@pytest.mark.parametrize("rho", [1e-300, 1e-100, 1e-3, 1.0, 1e10, 1e100, 1e154, 1e155, 1e200, 1e300, 1e308])
def test_any_rho_has_its_digits_and_no_warning(rho):
    means, variances = [0.3, 0.79, 0.5], [0.05, 0.3, 0.2]
    problem = rb.Problem(rb.GaussianArms(means, variances), rb.MeanVariance(rho))
    bound, best = mvts_rate(problem), problem.best_arm
    for k in range(3):
        if k != best:
            with exact.mp.workdps(700):  # rho^2 beside numbers of size 1
                exponent = exact.mvts_k_in_digits(means[k], variances[k], means[best], variances[best], rho)
            assert bound.pulls[k] == pytest.approx(float(1 / exponent), rel=1e-9)


def test_variances_too_large_to_be_squared_do_not_warn():
    problem = rb.Problem(rb.GaussianArms([0.0, 1.0], [1e160, 3e200]), rb.MeanVariance(1.0))
    assert mvts_rate(problem).pulls[1] == pytest.approx(lower_bound(problem, rho=0.0).pulls[1], rel=1e-9)


def test_it_does_not_apply_where_mvts_comes_back_to_the_best_arm_too_rarely():
    means, variances = [1.0, 0.0], [1.5, 0.5]
    assert not mvts_rate(rb.Problem(rb.GaussianArms(means, variances), rb.MeanVariance(9.0))).applies
    assert mvts_rate(rb.Problem(rb.GaussianArms(means, [1.0, 2.5]), rb.MeanVariance(9.0))).applies
