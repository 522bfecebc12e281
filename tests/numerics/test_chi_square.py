from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from riskbandits.numerics.chi_square import chi_square_quantile, gamma_masses

FREEDOMS = [1.0, 2.0, 3.0, 5.0, 17.0, 100.0, 1e3, 1e4, 1e5, 3e5]


@pytest.mark.parametrize("freedom", FREEDOMS)
def test_quantiles_are_those_of_scipy(freedom):
    for p in (1e-6, 0.01, 0.3, 0.5, 0.95, 0.999, 1 - 1e-9):
        assert chi_square_quantile(p, freedom) == pytest.approx(stats.chi2.ppf(p, freedom), rel=1e-9), p


@pytest.mark.parametrize("freedom", [1e6, 1e8])
def test_many_degrees_of_freedom(freedom):
    for p in (0.01, 0.5, 0.95, 0.999):
        assert chi_square_quantile(p, freedom) == pytest.approx(stats.chi2.ppf(p, freedom), rel=1e-8), p


def test_both_masses():
    for shape in (0.5, 3.0, 40.0, 3e3):
        law = stats.gamma(shape)
        for x in shape * np.array([0.2, 0.9, 1.0, 1.1, 2.5]):
            below, above = gamma_masses(shape, x)
            assert below == pytest.approx(law.cdf(x), rel=1e-9, abs=1e-14)
            assert above == pytest.approx(law.sf(x), rel=1e-9, abs=1e-14)
