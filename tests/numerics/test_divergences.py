"""The scalar formulas of K: against 60 digits, in their limits, and compiled."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import mpmath as mp
import numba
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskbandits.numerics import divergences

sys.path.append(str(Path(__file__).parents[1] / "theory"))
import high_precision as exact

moderate = st.floats(1e-3, 1e3)
probabilities = st.floats(1e-6, 1 - 1e-6)


@pytest.mark.parametrize("x", [-0.999, -0.5, -0.1, -1e-3, -1e-9, 1e-300, 1e-12, 1e-5, 0.0999, 0.1001, 2.0, 1e9])
def test_the_excess_over_the_logarithm_keeps_all_digits(x):
    assert divergences.log_excess(x) == pytest.approx(float(mp.mpf(x) - mp.log1p(mp.mpf(x))), rel=1e-13)


@pytest.mark.parametrize("ratio", [1e-200, 0.2, 0.999999, 1.0, 1.000001, 3.0, 1e200])
def test_h(ratio):
    exactly = (mp.mpf(ratio) - 1 - mp.log(mp.mpf(ratio))) / 2
    assert divergences.h(ratio) == pytest.approx(float(exactly), rel=1e-12)


def test_h_is_infinite_where_one_variance_vanishes():
    assert divergences.h(0.0) == divergences.h(math.inf) == math.inf


@given(probabilities, probabilities)
def test_bernoulli_divergence(p, q):
    assert divergences.bernoulli_divergence(p, q) == pytest.approx(
        float(exact.bernoulli_divergence(p, q)), rel=1e-9, abs=1e-300
    )


def test_bernoulli_divergence_at_the_edges():
    assert divergences.bernoulli_divergence(0.0, 0.3) == pytest.approx(-math.log(0.7), rel=1e-14)
    assert divergences.bernoulli_divergence(1.0, 0.3) == pytest.approx(-math.log(0.3), rel=1e-14)
    assert divergences.bernoulli_divergence(0.3, 0.0) == divergences.bernoulli_divergence(0.3, 1.0) == math.inf
    assert divergences.bernoulli_divergence(0.3, 0.3) == 0.0
    assert divergences.bernoulli_divergence(1e-310, 0.5) == pytest.approx(math.log(2.0))


@given(st.floats(-10, 10), moderate, st.floats(0.01, 10), st.floats(1e-3, 1e3))
def test_gaussian_k_against_sixty_digits(mean, variance, shortfall, rho):
    target = rho * mean - variance + shortfall
    found = divergences.gaussian_k_inf(mean, variance, target, rho)
    # The shortfall is the small difference of what was passed in: its rounding is not the formula's.
    slack = 1e-9 + 8 * sys.float_info.epsilon * (abs(target) + rho * abs(mean) + variance) / shortfall
    assert found == pytest.approx(float(exact.gaussian_k(mean, variance, target, rho)), rel=slack)


@given(moderate, st.floats(1e-6, 10), st.floats(-9, 9))
def test_gaussian_k_from_the_gap_keeps_its_digits_near_ties_and_at_any_rho(variance, relative_gap, log_rho):
    rho = 10.0**log_rho
    threshold = variance * (1.0 - relative_gap)
    gap = float(mp.mpf(variance) - mp.mpf(threshold))
    found = divergences.gaussian_k_inf_from_gap(variance, threshold, gap, rho)
    assert found == pytest.approx(float(exact.gaussian_k(0.0, variance, -threshold, rho)), rel=1e-12)


def test_a_target_that_is_met_costs_nothing():
    assert divergences.gaussian_k_inf(1.0, 0.5, 0.5, 1.0) == 0.0
    assert divergences.gaussian_k_inf(1.0, 0.0, 0.5, 1.0) == 0.0
    assert divergences.bernoulli_k_inf(0.9, 0.0, 0.5) == 0.0


def test_targets_out_of_reach_cost_infinitely():
    assert divergences.gaussian_k_inf(1.0, 0.0, 2.0, 1.0) == math.inf  # a constant reward is no other arm
    assert divergences.gaussian_k_inf(1.0, 1.0, 0.0, 0.0) == math.inf  # no variance is below 0
    assert divergences.bernoulli_k_inf(0.5, 0.6, 0.5) == math.inf  # f(1) = rho = 0.5


@pytest.mark.parametrize("rho", [5e-324, 1e-310, 1e-200, 1e200])
@pytest.mark.parametrize("variance", [1e-300, 1.0, 3.0, 1e300])
@pytest.mark.parametrize("target", [-2.0, -1e-300, 0.0, 5e-324, 1.0, 1e300])
def test_absurd_numbers_give_numbers(rho, variance, target):
    found = divergences.gaussian_k_inf(0.0, variance, target, rho)
    assert found >= 0.0  # neither NaN nor an exception


@given(probabilities, st.floats(0.0, 0.99), st.floats(1e-4, 1.0))
def test_bernoulli_k_by_a_search_over_all_arms(p, rho, share):
    value = rho * p - p * (1.0 - p)
    target = value + share * (rho - value)
    low = [q / 5000 for q in range(1, 5000) if rho * q / 5000 - q / 5000 * (1 - q / 5000) >= target]
    found = divergences.bernoulli_k_inf(p, target, rho)
    searched = min((divergences.bernoulli_divergence(p, q) for q in low), default=math.inf)
    assert found <= searched * (1.0 + 1e-12)


@given(st.floats(-3, 3), moderate, st.floats(-5, 5), st.floats(0, 5), st.floats(0, 10))
def test_k_increases_with_the_target(mean, variance, target, more, rho):
    lower = divergences.gaussian_k_inf(mean, variance, target, rho)
    assert divergences.gaussian_k_inf(mean, variance, target + more, rho) >= lower * (1.0 - 1e-12)


@given(probabilities, st.floats(-0.25, 1), st.floats(0, 1), st.floats(0, 2))
def test_bernoulli_k_increases_with_the_target(p, target, more, rho):
    lower = divergences.bernoulli_k_inf(p, target, rho)
    assert divergences.bernoulli_k_inf(p, target + more, rho) >= lower * (1.0 - 1e-9)


def test_compiled_and_plain_agree_to_the_last_bit():
    @numba.njit(error_model="numpy")
    def all_of_them(a, b, c, d):
        return (
            divergences.gaussian_k_inf(a, b, c, d),
            divergences.bernoulli_k_inf(b, c, d),
            divergences.bernoulli_divergence(b, d),
            divergences.h(b),
        )

    for a, b, c, d in [(0.3, 0.4, 0.2, 0.5), (0.0, 0.7, -0.1, 0.0), (2.0, 0.9, -0.1, 0.4), (0.1, 0.2, 0.1, 0.99)]:
        assert all_of_them(a, b, c, d) == pytest.approx(all_of_them.py_func(a, b, c, d), rel=1e-15)
