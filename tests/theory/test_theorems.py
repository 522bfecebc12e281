"""The printed theorems against their formulas written out once more, arm by arm."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.core.errors import ParameterError, RefusalError
from riskbandits.theory import (
    k_inf,
    lower_bound,
    mvts_rate,
    theorem_1,
    theorem_2,
    theorem_3,
    theorem_4,
)

RHOS = (0.0, 1e-3, 0.3, 1.0, 10.0, 1e3, 1e9)


def h(x):
    return (x - 1.0 - math.log(x)) / 2.0


def direct(problem, pulls_of):
    """The printed sum, arm by arm, from means, variances and rho alone."""
    rho = problem.risk.rho
    values = [rho * m - v for m, v in zip(problem.means, problem.variances, strict=True)]
    best = int(np.argmax(values))
    terms = []
    for i, (m, v) in enumerate(zip(problem.means, problem.variances, strict=True)):
        if i == best:
            terms.append(0.0)
            continue
        widest = max((m - other) ** 2 for other in problem.means)
        delta = rho * (problem.means[best] - m) + v - problem.variances[best]
        pulls = pulls_of(rho, problem.means[best] - m, v, problem.variances[best], problem.means[best], m)
        terms.append(pulls * (delta + 2.0 * widest))
    return np.array(terms)


def gaussian(rho, seed=3):
    rng = np.random.default_rng(seed)
    return rb.Problem(rb.GaussianArms(rng.normal(size=7), rng.uniform(0.05, 1.0, 7)), rb.MeanVariance(rho))


@pytest.mark.parametrize("rho", RHOS)
@pytest.mark.parametrize("seed", range(3))
def test_theorem_1(rho, seed):
    problem = gaussian(rho, seed)
    expected = direct(problem, lambda r, g, v, b, p, q: 2.0 * r**2 / (r * g - b) ** 2)
    np.testing.assert_allclose(theorem_1(problem).per_arm, expected, rtol=1e-12)


@pytest.mark.parametrize("rho", RHOS)
@pytest.mark.parametrize("seed", range(3))
def test_theorem_2(rho, seed):
    problem = gaussian(rho, seed)
    expected = direct(problem, lambda r, g, v, b, p, q: 1.0 / h(v / b))
    np.testing.assert_allclose(theorem_2(problem).per_arm, expected, rtol=1e-12)


@pytest.mark.parametrize("rho", RHOS)
@pytest.mark.parametrize("seed", range(3))
def test_theorem_3(rho, seed):
    problem = gaussian(rho, seed)
    expected = direct(problem, lambda r, g, v, b, p, q: max(2.0 / g**2, 1.0 / h(v / b)))
    found = theorem_3(problem)
    np.testing.assert_allclose(found.per_arm, expected, rtol=1e-12)
    assert found.total == pytest.approx(expected.sum(), rel=1e-12)


@pytest.mark.parametrize("rho", [0.05, 0.3, 0.5, 0.95, 3.0])
def test_theorem_4(rho):
    problem = rb.Problem(rb.BernoulliArms([0.11, 0.3, 0.52, 0.7, 0.94]), rb.MeanVariance(rho))
    expected = direct(problem, lambda r, g, v, b, p, q: max(1.0 / (2.0 * g**2), 1.0 / (2.0 * (1.0 - r - p - q) ** 2)))
    found = theorem_4(problem)
    np.testing.assert_allclose(found.per_arm, expected, rtol=1e-12)
    assert found.applies is (rho < 1.0)


def test_the_gap_of_bernoulli_arms_is_a_product():
    problem = rb.Problem(rb.BernoulliArms([0.11, 0.3, 0.52, 0.94]), rb.MeanVariance(0.35))
    best = problem.means[problem.best_arm]
    np.testing.assert_allclose(problem.gaps, problem.mean_gaps * (best + problem.means + 0.35 - 1.0), atol=1e-15)


@pytest.mark.parametrize("theorem", [theorem_1, theorem_2, theorem_3, lower_bound, mvts_rate])
def test_many_rho_at_once(theorem):
    problem = gaussian(1.0)
    many = theorem(problem, rho=RHOS)
    assert many.per_arm.shape == many.pulls.shape == many.holds.shape == (len(RHOS), 7)
    for place, rho in enumerate(RHOS):
        alone = theorem(problem.with_risk(rb.MeanVariance(rho)))
        np.testing.assert_array_equal(many.per_arm[place], alone.per_arm)
        assert many.total[place] == alone.total
        assert bool(many.applies[place]) is alone.applies
        for name, assumption in many.assumptions.items():
            np.testing.assert_array_equal(assumption.holds[place], alone.assumptions[name].holds)
            assert assumption.words == alone.assumptions[name].words


def test_vanishing_gaps_are_infinite_without_warnings():
    equal_means = rb.Problem(rb.GaussianArms([0.3, 0.3], [0.1, 0.2]), rb.MeanVariance(1.0))
    assert theorem_3(equal_means).pulls.tolist() == [0.0, math.inf]
    assert theorem_3(equal_means).total == math.inf
    equal_variances = rb.Problem(rb.GaussianArms([0.3, 0.1], [0.2, 0.2]), rb.MeanVariance(1.0))
    assert theorem_2(equal_variances).total == math.inf
    on_the_edge = rb.Problem(rb.GaussianArms([0.5, 0.0], [0.5, 0.4]), rb.MeanVariance(1.0))
    assert theorem_1(on_the_edge).total == math.inf
    tied = rb.Problem(rb.BernoulliArms([0.2, 0.3]), rb.MeanVariance(0.5))
    assert theorem_4(tied).total == math.inf


@pytest.mark.parametrize("rho", [0.0, 0.5, 1e9])
@pytest.mark.parametrize("theorem", [theorem_1, theorem_2, theorem_3, lower_bound, mvts_rate])
def test_degenerate_arms_never_give_nan(theorem, rho):
    for means, variances in [
        ([0.0, 0.0], [0.0, 0.0]),
        ([0.0, 0.0], [0.5, 0.5]),
        ([1.0, 0.0], [0.0, 0.5]),
        ([1.0, 0.0], [0.5, 0.0]),
        ([0.0], [1.0]),
        ([1e-300, 0.0], [1e-300, 1e-200]),
        ([1e150, 0.0], [1.0, 2.0]),
    ]:
        bound = theorem(rb.Problem(rb.GaussianArms(means, variances), rb.MeanVariance(rho)))
        assert not np.isnan(bound.per_arm).any()
        assert not np.isnan(bound.pulls).any()
        assert bound.per_arm.min() >= 0.0


def test_assumptions_of_theorem_1():
    problem = rb.Problem(rb.GaussianArms([2.0, 1.0, 1.9], [0.5, 0.1, 0.6]), rb.MeanVariance(1.0))
    bound = theorem_1(problem)
    assert bound.assumptions["mean_outweighs_variance"].holds.tolist() == [True, True, False]
    assert "rho Gamma_i > s_best^2" in bound.assumptions["mean_outweighs_variance"].words
    assert bound.applies is False
    assert theorem_1(problem, rho=10.0).applies is True


def test_an_assumption_can_be_used_as_its_booleans():
    problem = rb.Problem(rb.GaussianArms([2.0, 1.0, 1.9], [0.5, 0.1, 0.6]), rb.MeanVariance(1.0))
    assumption = theorem_1(problem).assumptions["mean_outweighs_variance"]
    assert np.asarray(assumption).tolist() == [True, True, False]
    assert [bool(one) for one in assumption] == [True, True, False]
    assert not assumption[2]
    assert not np.all(assumption)
    assert len(assumption) == 3
    assert repr(assumption) == "Assumption('rho Gamma_i > s_best^2', holds for 2 of 3)"


def test_assumptions_of_theorem_2_in_three_versions():
    # h(2) = 0.153: 2 s_best^2 h = 0.153, 8 s_best^2 h = 0.614, 2 s_i^2 h = 0.307.
    for gap, main_text, proof, supplement in [
        (0.3, False, False, False),
        (0.5, True, False, False),
        (0.6, True, True, False),
        (0.9, True, True, True),
    ]:
        found = theorem_2(rb.Problem(rb.GaussianArms([gap, 0.0], [0.5, 1.0]), rb.MeanVariance(0.1)))
        assert found.assumptions["means_apart_main_text"].holds.tolist() == [True, main_text]
        assert found.assumptions["means_apart_proof"].holds.tolist() == [True, proof]
        assert found.assumptions["means_apart_supplement"].holds.tolist() == [True, supplement]
        assert found.applies is supplement


def test_assumptions_that_theorem_3_does_not_state():
    bound = theorem_3(rb.theory.theorem_3_counterexample())
    assert bound.assumptions["mean_smaller"].holds.tolist() == [True, False]
    assert bound.assumptions["variance_larger"].holds.tolist() == [True, True]
    assert bound.applies is False


class Entropic(NamedTuple):
    strength: float = 1.0

    def value(self, mean, variance):
        return mean - 0.5 * self.strength * variance


GAUSSIAN = rb.Problem(rb.GaussianArms([0, 1], [1, 1]), rb.MeanVariance(1.0))
BERNOULLI = rb.Problem(rb.BernoulliArms([0.1, 0.2]), rb.MeanVariance(0.5))


@pytest.mark.parametrize("theorem", [theorem_1, theorem_2, theorem_3, mvts_rate])
def test_gaussian_statements_refuse_bernoulli_arms(theorem):
    with pytest.raises(RefusalError, match=r"is a statement about GaussianArms\. Got BernoulliArms instead\.$"):
        theorem(BERNOULLI)


def test_theorem_4_refuses_gaussian_arms():
    with pytest.raises(RefusalError, match=r"^Theorem 4 is a statement about BernoulliArms\. Got GaussianArms"):
        theorem_4(GAUSSIAN)


@pytest.mark.parametrize("theorem", [theorem_1, lower_bound, k_inf])
def test_other_risk_measures_are_refused(theorem):
    with pytest.raises(RefusalError, match=r"MeanVariance\. Got Entropic instead\.$"):
        theorem(rb.Problem(rb.GaussianArms([0, 1], [1, 1]), Entropic()))


@pytest.mark.parametrize("rho", [-1.0, math.nan, math.inf, [1.0, -2.0], "one", [], [[1.0]]])
def test_a_bad_rho_is_refused_with_a_sentence(rho):
    with pytest.raises(ParameterError, match=r"must be .* Got .* instead\."):
        lower_bound(GAUSSIAN, rho=rho)


def test_a_problem_is_asked_for():
    with pytest.raises(ParameterError, match="The problem must be a Problem"):
        lower_bound(GAUSSIAN.arms)
