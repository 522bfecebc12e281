"""Upper bounds below the lower bound: where there are some, why, and that the bound for the paper's class is kept."""

from __future__ import annotations

import numpy as np
import pytest

import riskbandits as rb
from riskbandits import theory

UPPER = {"MVTS": (theory.mvts_rate, theory.theorem_3), "MTS": (theory.theorem_1,), "VTS": (theory.theorem_2,)}


def random_problem(rng, rho):
    size = int(rng.integers(2, 6))
    spread = rng.choice([0.3, 1.0, 3.0])
    return rb.Problem(
        rb.GaussianArms(rng.normal(0.0, spread, size), rng.uniform(0.02, 1.0, size)), rb.MeanVariance(rho)
    )


def test_mts_and_mvts_keep_the_bound_of_the_papers_class_where_their_assumptions_hold():
    rng = np.random.default_rng(8)
    compared = below_the_other = 0
    for _ in range(400):
        problem = random_problem(rng, float(rng.choice([0.05, 0.5, 1.0, 5.0, 20.0, 300.0])))
        limited, everything = theory.lower_bound(problem, largest_variance=1.0), theory.lower_bound(problem)
        for bound in (theory.mvts_rate(problem), theory.theorem_1(problem), theory.theorem_3(problem)):
            held = bound.holds & (problem.gaps > 0.0)
            assert (bound.pulls[held] >= limited.pulls[held] * (1.0 - 1e-9)).all()
            compared += int(held.sum())
            below_the_other += int((bound.pulls[held] < 0.99 * everything.pulls[held]).sum())
    assert compared > 1000
    assert below_the_other > 20


def test_everything_that_is_below_is_named_with_its_reason():
    rng = np.random.default_rng(9)
    seen = set()
    for _ in range(100):
        problem = random_problem(rng, float(rng.choice([0.5, 5.0, 20.0])))
        named = {one.bound: one for one in theory.below_lower_bound(problem)}
        least = theory.lower_bound(problem)
        for policy, bounds in UPPER.items():
            for bound in (make(problem) for make in bounds):
                arms = tuple(np.flatnonzero(bound.pulls < least.pulls * (1.0 - 1e-9)).tolist())
                assert bool(arms) == (bound.name in named)
                if arms:
                    one = named[bound.name]
                    assert one.arms == arms
                    assert one.applies == bool(bound.holds[list(arms)].all())
                    assert policy in one.reason
                    assert "not consistent on all Gaussian problems" in one.reason
                    seen.add((bound.name, one.applies))
    assert {("MVTS rate", True), ("Theorem 1 (MTS)", True), ("Theorem 3 (MVTS)", True)} <= seen
    assert ("Theorem 3 (MVTS)", False) in seen


def test_bounds_that_are_equal_are_not_called_below():
    # At rho = 0 the lower bound, MVTS's rate and Theorem 2 are one number.
    problem = rb.Problem(rb.GaussianArms([0.0, 1.0, 2.0], [0.3, 0.7, 0.9]), rb.MeanVariance(0.0))
    assert "MVTS rate" not in [one.bound for one in theory.below_lower_bound(problem)]
    assert "Theorem 2 (VTS)" not in [one.bound for one in theory.below_lower_bound(problem)]


@pytest.mark.parametrize("rho", [0.05, 1 / 9, 0.5, 0.9])
def test_theorem_4_is_nowhere_below(rho):
    problem = rb.problems.zhu_tan_bernoulli(rho)
    assert (theory.theorem_4(problem).pulls >= theory.lower_bound(problem).pulls).all()
    assert theory.below_lower_bound(problem) == ()
