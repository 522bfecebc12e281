"""Densities, tail envelopes and tail draws against SciPy, for shapes 0.5 to 1e7 and tails down to 1e-300."""

import math

import mpmath
import numpy as np
import pytest
from scipy import special as scipy_special
from scipy import stats

from riskbandits.numerics import special, tails, variates

SHAPES = [0.5, 0.7, 1.0, 1.5, 3.0, 9.5, 10.0, 100.0, 1e4, 1e6, 1e7]
TAILS = [0.2, 1e-2, 1e-6, 1e-30, 1e-100, 1e-300]
DRAWS = 4000


def generator(seed=3):
    return np.random.default_rng(seed)


def exact_log_gamma_density(shape, x):
    with mpmath.workdps(50):
        a, y = mpmath.mpf(shape), mpmath.mpf(x)
        return float((a - 1) * mpmath.log(y) - y - mpmath.loggamma(a))


def gamma_point(shape, tail):
    """About the point beyond which a Gamma(shape) has this probability."""
    return float(scipy_special.gammainccinv(shape, tail))


@pytest.mark.parametrize("x", [0.5, 1.0, 3.3, 9.99, 10.0, 1e3, 1e7])
def test_log_gamma(x):
    assert special.log_gamma(x) == pytest.approx(scipy_special.gammaln(x), rel=1e-14, abs=1e-14)
    with mpmath.workdps(40):
        rest = mpmath.loggamma(x) - (mpmath.mpf(x) - 0.5) * mpmath.log(x) + x - mpmath.log(2 * mpmath.pi) / 2
    assert special.stirling_remainder(x) == pytest.approx(float(rest), abs=1e-13)


@pytest.mark.parametrize("x", [1e-300, 0.1, 0.989, 0.9901, 1 - 1e-5, 1.0, 1 + 1e-9, 1.009, 1.02, 6.0])
def test_log_ratio_excess(x):
    for mean in (1.0, 3.0):
        with mpmath.workdps(40):
            ratio = mpmath.mpf(x * mean) / mean
            exact = float(mpmath.log(ratio) - ratio + 1)
        assert special.log_ratio_remainder(x * mean, mean) == pytest.approx(exact, rel=1e-9, abs=1e-30)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("tail", TAILS)
def test_log_gamma_density(shape, tail):
    x = gamma_point(shape, tail)
    assert special.log_gamma_density(shape, x) == pytest.approx(exact_log_gamma_density(shape, x), rel=1e-10, abs=1e-9)


@pytest.mark.parametrize("a", [0.5, 1.0, 3.0, 50.0, 1e4, 1e7])
@pytest.mark.parametrize("b", [0.5, 1.0, 20.0, 1e5, 1e7])
def test_log_beta_density(a, b):
    for share in (0.2, 0.999, 1.0, 1.001, 3.0):
        x = a / (a + b) * share
        if not 0.0 < x < 1.0:
            continue
        with mpmath.workdps(60):
            exact = (mpmath.mpf(a) - 1) * mpmath.log(mpmath.mpf(x)) + (mpmath.mpf(b) - 1) * mpmath.log1p(-mpmath.mpf(x))
            exact -= mpmath.loggamma(a) + mpmath.loggamma(b) - mpmath.loggamma(mpmath.mpf(a) + mpmath.mpf(b))
        assert special.log_beta_density(a, b, x, 1.0 - x) == pytest.approx(float(exact), rel=1e-9, abs=1e-7)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("tail", TAILS)
def test_gamma_masses_bound_the_tails_closely(shape, tail):
    x = gamma_point(shape, tail)
    with mpmath.workdps(40):
        exact = mpmath.gammainc(shape, x, mpmath.inf, regularized=True) if shape <= 1e4 else None
    exact_log = float(mpmath.log(exact)) if exact else float(np.log(scipy_special.gammaincc(shape, x)))
    if math.isfinite(exact_log) and tails.gamma_slope(shape, x) > 0.0:
        excess = tails.log_gamma_mass(shape, x) - exact_log
        assert -1e-8 <= excess < (1.0 if tail > 1e-3 else 0.15)
    low = float(scipy_special.gammaincinv(shape, tail))
    if 1e-290 < low < shape:
        excess = tails.log_gamma_low_mass(shape, low) - float(np.log(scipy_special.gammainc(shape, low)))
        assert -1e-7 <= excess < (1.3 if tail > 1e-3 else 0.15)


@pytest.mark.parametrize("z", [-1.0, 0.3, 1.0, 4.0, 30.0])
def test_normal_above(z):
    rng = generator()
    drawn = np.array([tails.normal_above(rng, z) for _ in range(DRAWS)])
    # The conditional distribution of survival probabilities is uniform, also where they underflow.
    uniform = np.exp(stats.norm.logsf(drawn) - stats.norm.logsf(z))
    assert stats.kstest(uniform, "uniform").pvalue > 1e-3


@pytest.mark.parametrize("shape", [0.5, 0.8, 1.0, 1.5, 12.0, 1e3, 1e7])
@pytest.mark.parametrize("tail", [0.1, 1e-3, 1e-30, 1e-200])
def test_gamma_above_and_below(shape, tail):
    rng = generator()
    x = gamma_point(shape, tail)
    if tails.gamma_slope(shape, x) > 0.0:
        drawn = np.array([tails.gamma_proposal(rng, shape, x) for _ in range(DRAWS)])
        drawn = drawn[drawn >= x]  # NaN where a proposal is not kept
        uniform = scipy_special.gammaincc(shape, drawn) / scipy_special.gammaincc(shape, x)
        assert stats.kstest(uniform, "uniform").pvalue > 1e-3
    low = float(scipy_special.gammaincinv(shape, tail))
    if low < 1e-290:
        return
    drawn = np.array([tails.gamma_low_proposal(rng, shape, low) for _ in range(DRAWS)])
    kept = drawn[~np.isnan(drawn)]
    uniform = scipy_special.gammainc(shape, kept) / scipy_special.gammainc(shape, low)
    assert stats.kstest(uniform, "uniform").pvalue > 1e-3
    expected = scipy_special.gammainc(shape, low) / math.exp(tails.log_gamma_low_mass(shape, low))
    assert abs(len(kept) / DRAWS - expected) < 4 * math.sqrt(expected * max(0.0, 1 - expected) / DRAWS) + 1e-6


@pytest.mark.parametrize(("a", "b"), [(1.0, 1.0), (0.6, 2.0), (3.0, 1.0), (1.0, 40.0), (30.0, 70.0), (5e5, 1e6)])
@pytest.mark.parametrize("tail", [0.05, 1e-4, 1e-20])
def test_beta_above(a, b, tail):
    rest = float(1.0 - stats.beta.isf(tail, a, b)) if tail > 1e-10 else float(stats.beta.ppf(tail, b, a))
    if tails.beta_power(a, b, rest) <= 0.0:
        pytest.skip("inside the mode there is no envelope")
    rng = generator()
    exact = float(stats.beta.cdf(rest, b, a))
    mass = math.exp(tails.log_beta_mass(a, b, rest))
    assert exact * (1 - 1e-7) <= mass
    drawn = np.array([tails.beta_proposal(rng, a, b, rest) for _ in range(DRAWS)])
    kept = drawn[~np.isnan(drawn)]
    share = exact / mass
    assert abs(len(kept) / DRAWS - share) < 4 * math.sqrt(share * max(0.0, 1 - share) / DRAWS) + 1e-6
    assert stats.kstest(stats.beta.cdf(kept, b, a) / exact, "uniform").pvalue > 1e-3
    assert kept.max() <= rest


@pytest.mark.parametrize("shape", [0.5, 1.0, 2.5, 1e3, 1e7])
def test_gamma_and_beta(shape):
    rng = generator()
    drawn = [variates.gamma(rng, shape) for _ in range(DRAWS)]
    assert stats.kstest(scipy_special.gammainc(shape, drawn), "uniform").pvalue > 1e-3
    drawn = [variates.beta(rng, shape, 2.0 * shape) for _ in range(DRAWS)]
    assert stats.kstest(stats.beta.cdf(drawn, shape, 2.0 * shape), "uniform").pvalue > 1e-3


@pytest.mark.parametrize("probability", [0.9, 0.25, 1e-3])
def test_geometric(probability):
    rng = generator()
    drawn = np.array([variates.geometric(rng, -math.log1p(-probability)) for _ in range(DRAWS)])
    assert abs(drawn.mean() - 1 / probability) < 4 * math.sqrt(1 - probability) / probability / math.sqrt(DRAWS)
    assert abs((drawn == 1).mean() - probability) < 4 * math.sqrt(probability / DRAWS)


def test_what_cannot_happen_never_does():
    assert variates.geometric(generator(), 0.0) == math.inf
    assert variates.geometric(generator(), 1e-300) == math.inf
