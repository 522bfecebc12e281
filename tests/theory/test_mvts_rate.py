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
