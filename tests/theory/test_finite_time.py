"""The finite-time theorems' leading terms and Remark 3's limits."""

from __future__ import annotations

import math

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.core.errors import ParameterError
from riskbandits.theory import (
    lemma_1,
    remark_3_large_rho,
    remark_3_small_rho,
    theorem_1,
    theorem_2,
    theorem_3,
    theorem_4,
    theorem_s1,
    theorem_s2,
    theorem_s3,
    theorem_s4,
)

WIDE = rb.Problem(rb.GaussianArms([3.0, 0.0], [0.3, 0.8]), rb.MeanVariance(2.0))
BERNOULLI = rb.Problem(rb.BernoulliArms([0.9, 0.02]), rb.MeanVariance(0.95))
PAIRS = [
    (theorem_s1, theorem_3, WIDE),
    (theorem_s2, theorem_1, WIDE),
    (theorem_s3, theorem_2, WIDE),
    (theorem_s4, theorem_4, BERNOULLI),
]


def h(x):
    return (x - 1.0 - math.log(x)) / 2.0


def test_direct_formulas():
    n = 10**6
    eps = math.log(n) ** -0.25
    weight = 2.0 * 3.0 + 0.8 - 0.3 + 2.0 * 9.0
    expected = max(2.0 * math.log(2 * n) / (3.0 - 2.0 * eps) ** 2, math.log(2 * n) / h(0.8 / 0.3)) * weight
    assert theorem_s1(WIDE, n).total == pytest.approx(expected, rel=1e-12)
    expected = 2.0 * 4.0 * math.log(n) / (6.0 - 0.3 - 3.0 * eps) ** 2 * weight
    assert theorem_s2(WIDE, n).total == pytest.approx(expected, rel=1e-12)
    assert theorem_s3(WIDE, n).total == pytest.approx(math.log(2 * n) / h(0.8 / 0.3) * weight, rel=1e-12)


def test_direct_formula_for_bernoulli_arms():
    n = 10**6
    root = math.log(n) ** -0.125
    problem = BERNOULLI
    first, second = 0.88 - root, abs(1.0 - 0.95 - 0.92) - root
    expected = math.log(2 * n) / 2.0 * max(1.0 / first**2, 1.0 / second**2) * (problem.gaps[1] + 2.0 * 0.88**2)
    assert theorem_s4(problem, n).total == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("finite", "asymptotic", "problem"), PAIRS)
def test_over_ln_n_they_go_to_the_asymptotic_theorem_of_the_same_policy(finite, asymptotic, problem):
    sizes = [1e20, 1e80, 1e300]
    ratios = np.array([finite(problem, n).total / math.log(n) for n in sizes]) / asymptotic(problem).total
    assert (np.diff(ratios) < 0.0).all()
    assert (ratios > 1.0).all()
    policy = finite(problem, 10).name.split("(")[1]
    assert policy == asymptotic(problem).name.split("(")[1]


@pytest.mark.parametrize(("finite", "asymptotic", "problem"), PAIRS)
def test_many_n_and_many_rho(finite, asymptotic, problem):
    rhos = [0.5, 0.95]
    many = finite(problem, [100, 10**6, 10**9], rho=rhos)
    assert many.per_arm.shape == (3, 2, 2)
    assert many.total.shape == many.applies.shape == (3, 2)
    np.testing.assert_array_equal(many.per_arm[1, 1], finite(problem, 10**6, rho=0.95).per_arm)


def test_before_eps_is_small_the_terms_are_infinite_and_do_not_apply():
    close = rb.Problem(rb.GaussianArms([0.5, 0.0], [0.1, 0.2]), rb.MeanVariance(2.0))
    for theorem in (theorem_s1, theorem_s2):
        bound = theorem(close, 30_000)
        assert bound.total == math.inf
        assert bound.assumptions["n_large"].holds.tolist() == [True, False]
        assert bound.applies is False
    near = rb.Problem(rb.BernoulliArms([0.9, 0.5]), rb.MeanVariance(0.5))
    assert theorem_s4(near, 30_000).total == math.inf


@pytest.mark.parametrize("n", [1, 0, -5, math.nan, math.inf, [], [[2.0]]])
def test_n_must_be_above_1(n):
    with pytest.raises(ParameterError, match=r"^n must be"):
        theorem_s1(WIDE, n)


def test_remark_3_small_rho_is_the_limit_of_theorem_2():
    problem = rb.problems.zhu_tan_gaussian(1000.0)  # another best arm: the limit's counts
    assert remark_3_small_rho(problem).total == pytest.approx(theorem_2(problem, rho=0.0).total, rel=1e-12)


def test_remark_3_large_rho_is_the_limit_of_theorem_1():
    problem = rb.problems.zhu_tan_gaussian(0.001)
    limit = remark_3_large_rho(problem)
    gaps = [0.79 - mean for mean in problem.means if mean < 0.79]
    assert limit.total == pytest.approx(sum(2.0 / gap for gap in gaps), rel=1e-12)
    assert theorem_1(problem, rho=1e9).total / 1e9 == pytest.approx(limit.total, rel=1e-6)


def test_remark_3_with_equal_arms_is_infinite():
    problem = rb.Problem(rb.GaussianArms([1.0, 1.0], [0.3, 0.3]), rb.MeanVariance(1.0))
    assert remark_3_large_rho(problem).total == math.inf
    assert not np.isnan(remark_3_small_rho(problem).total)


def test_lemma_1():
    assert lemma_1(WIDE, pseudo_regret=10.0) == pytest.approx(10.0 + 3.0 * 1.1)
    np.testing.assert_allclose(lemma_1(WIDE, np.array([0.0, 1.0])), [3.3, 4.3])
