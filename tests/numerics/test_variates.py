"""Gamma and beta variates against SciPy's distributions, small and large parameters."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from riskbandits.compiling import jit
from riskbandits.numerics.variates import beta, gamma

DRAWS = 40_000
P_VALUE = 1e-4


def many(rng, a, b, draws):
    out = np.empty(draws)
    for i in range(draws):
        out[i] = gamma(rng, a) if b == 0.0 else beta(rng, a, b)
    return out


fast = jit.entry(many, ())


@pytest.mark.parametrize("shape", [0.02, 0.5, 0.99, 1.0, 1.5, 7.0, 300.0, 1e5, 1e7])
def test_gamma(shape):
    sample = fast(np.random.default_rng(1), shape, 0.0, DRAWS)
    assert stats.kstest(sample, stats.gamma(shape).cdf).pvalue > P_VALUE
    # The tails apart: a wrong squeeze shows there first.
    for q in (1e-3, 1 - 1e-3):
        inside = (sample < stats.gamma(shape).ppf(q)).sum()
        assert stats.binomtest(int(inside), DRAWS, q).pvalue > P_VALUE


@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (1.0, 1.0), (1.0, 40.0), (300.0, 2.0), (5000.0, 9000.0)])
def test_beta(a, b):
    sample = fast(np.random.default_rng(2), a, b, DRAWS)
    assert stats.kstest(sample, stats.beta(a, b).cdf).pvalue > P_VALUE
    assert ((sample >= 0) & (sample <= 1)).all()


def test_compiled_and_plain_draw_the_same():
    plain = many(np.random.default_rng(3), 0.7, 2.5, 200)
    np.testing.assert_array_equal(plain, fast(np.random.default_rng(3), 0.7, 2.5, 200))
