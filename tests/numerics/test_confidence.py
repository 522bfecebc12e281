from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from riskbandits.numerics.confidence import _upper_end, bernoulli_value_bound, gaussian_value_bound
from riskbandits.numerics.divergences import bernoulli_divergence, bernoulli_k_inf, gaussian_k_inf

sizes = st.floats(1e-3, 1e3)


@given(st.floats(-5, 5), sizes, sizes, st.floats(1e-6, 20))
def test_it_is_the_inverse_of_k(mean, variance, rho, divergence):
    bound = gaussian_value_bound(mean, variance, rho, divergence)
    assert bound >= rho * mean - variance
    assert gaussian_k_inf(mean, variance, bound, rho) == pytest.approx(divergence, rel=1e-5)


@pytest.mark.parametrize("rho", [0.0, 1e-9, 0.3, 1.0, 50.0, 1e6])
@pytest.mark.parametrize("divergence", [1e-4, 0.05, 1.0, 8.0])
def test_against_an_optimiser(rho, divergence):
    mean, variance = 0.4, 0.7

    def value(y):
        room = math.exp(y) * (1 + 2 * divergence - y) - 1
        return rho * (mean + math.sqrt(variance * max(room, 0.0))) - variance * math.exp(y) - (1e9 if room < 0 else 0.0)

    grid = np.linspace(-2 * math.sqrt(divergence), 2 * divergence, 4001)
    best = grid[np.argmax([value(y) for y in grid])]
    step = grid[1] - grid[0]
    found = minimize_scalar(
        lambda y: -value(y), bounds=(best - step, best + step), method="bounded", options={"xatol": 1e-12}
    )
    expected = max(-found.fun, value(best))
    assert gaussian_value_bound(mean, variance, rho, divergence) == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_limits():
    assert gaussian_value_bound(0.5, 0.0, 2.0, 1.0) == 1.0
    assert gaussian_value_bound(0.5, 0.3, 2.0, 0.0) == pytest.approx(0.7)
    # rho = 0: the smallest variance u with h(1/u) = d.
    u = -gaussian_value_bound(0.0, 1.0, 0.0, 0.5)
    assert (1 / u - 1 + math.log(u)) / 2 == pytest.approx(0.5, rel=1e-6)


@given(st.floats(0, 1), st.floats(0, 3), st.floats(1e-6, 5))
def test_bernoulli(p, rho, divergence):
    bound = bernoulli_value_bound(p, rho, divergence)
    q = np.linspace(0, 1, 2001)
    allowed = q[[bernoulli_divergence(p, one) <= divergence for one in q]]
    if len(allowed):
        assert bound >= (rho * allowed - allowed * (1 - allowed)).max() - 1e-9
    if 0 < p < 1 and bound < rho - 1e-6 and bound < -1e-6:
        assert bernoulli_k_inf(p, bound, rho) == pytest.approx(divergence, rel=1e-4, abs=1e-9)


@given(st.floats(0, 1), st.floats(1e-7, 15))
@example(1.0 - 2.0**-53, 1.5)  # next to 1
@example(1.0 - 1e-12, 1e-7)
def test_the_end_of_the_interval_by_bisection(p, divergence):
    inside, outside = p, 1.0
    for _ in range(100):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if bernoulli_divergence(p, middle) <= divergence else (inside, middle)
    assert _upper_end(p, divergence) == pytest.approx(inside, rel=1e-6, abs=1e-8)
