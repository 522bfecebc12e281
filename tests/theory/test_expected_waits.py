"""E[1/G - 1] against mpmath, against another quadrature, and against draws; and where it is infinite."""

from __future__ import annotations

import math

import mpmath as mp
import numpy as np
import pytest
from scipy import special, stats

import riskbandits as rb
from riskbandits.core.errors import RiskBanditsError
from riskbandits.theory import expected_wait
from riskbandits.theory.expected_waits import log_gamma_tail


@pytest.mark.parametrize("shape", [1.0, 1.5, 5.5, 50.5])
def test_the_tail_of_a_gamma_distribution_far_beyond_doubles(shape):
    for x in (0.1, 3.0, 20.0, shape + 31.0 + 3.0 * math.sqrt(shape), 200.0, 5000.0):
        with mp.workdps(40):
            exact = float(mp.log(mp.gammainc(shape, x, mp.inf, regularized=True)))
        assert float(log_gamma_tail(shape, x)) == pytest.approx(exact, rel=1e-12, abs=1e-13)
    assert float(log_gamma_tail(shape, math.inf)) == -math.inf


@pytest.mark.parametrize(("variance", "rho", "epsilon"), [(0.5, 1.0, 0.1), (1.0, 2.0, 0.1), (0.2, 1000.0, 0.01)])
def test_mts_after_one_pull_against_mpmath(variance, rho, epsilon):
    def integrand(z):
        g = mp.ncdf(mp.sqrt(variance) * z + (variance + (1 + rho) * epsilon) / rho)
        return (1 - g) / g * mp.npdf(z)

    with mp.workdps(20):
        exact = float(mp.quad(integrand, [-60, -30, -15, -8, -4, -2, 0, 2, 4, 8, 12]))
    assert expected_wait("MTS", variance, rho, 1, epsilon) == pytest.approx(exact, rel=1e-9)


@pytest.mark.parametrize(("variance", "pulls", "epsilon"), [(0.5, 2, 0.1), (0.05, 3, 0.02), (1.0, 20, 0.2)])
@pytest.mark.parametrize("policy", ["VTS", "MVTS"])
def test_at_rho_zero_against_mpmath(policy, variance, pulls, epsilon):
    half = mp.mpf(pulls - 1) / 2

    def integrand(q):
        g = mp.gammainc(half + 1, (1 + variance * q) / 2 / (variance + epsilon), mp.inf, regularized=True)
        return (1 - g) / g * q ** (half - 1) * mp.exp(-q / 2) / (2**half * mp.gamma(half))

    with mp.workdps(20):
        exact = float(mp.quad(integrand, [0, 0.01, 0.1, 1, 4, 10, 20, 40, 80, 160, 320, 640, 1280]))
    assert expected_wait(policy, variance, 0.0, pulls, epsilon) == pytest.approx(exact, rel=1e-9)


def panels(edges, nodes=12):
    """Gauss-Legendre on every interval between two edges."""
    x, w = np.polynomial.legendre.leggauss(nodes)
    middle, half = (np.add(edges[1:], edges[:-1]) / 2)[:, None], (np.diff(edges) / 2)[:, None]
    return (middle + half * x).ravel(), (half * w).ravel()


@pytest.mark.parametrize(
    ("variance", "rho", "pulls", "epsilon"), [(0.5, 1.0, 2, 0.1), (0.5, 100.0, 2, 0.1), (0.3, 0.2, 3, 0.2)]
)
def test_mvts_against_another_quadrature(variance, rho, pulls, epsilon):
    # Panels over the sample mean, the root of T v/s^2, and the root of the drawn precision; no logarithms.
    z, weight_z = panels([-24, -16, -10, -7, -5, -3.5, -2, -1, 0, 1, 2, 3.5, 5, 8])
    root, weight_root = panels([0, 0.2, 0.6, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 13, 17])
    y, weight_y = panels(np.concatenate([np.linspace(1e-9, 6, 40), np.linspace(6, 27, 60)[1:]]), 10)
    deviation, q = np.meshgrid(z, root**2, indexing="ij")
    rate, shape = 0.5 + variance * q / 2, (1 + pulls) / 2
    g = np.zeros(q.shape)
    for one, weight in zip(y, weight_y, strict=True):
        x = one * one
        density = 2 * one * math.exp((shape - 1) * math.log(x) - x - math.lgamma(shape))
        lack = rate / x - variance - (1 + rho) * epsilon
        g += weight * density * special.ndtr(math.sqrt(variance) * deviation - math.sqrt(pulls) * lack / rho)
    weights = np.outer(stats.norm.pdf(z) * weight_z, stats.chi2(pulls - 1).pdf(root**2) * 2 * root * weight_root)
    exact = float(((1 - g) / g * weights).sum())
    assert expected_wait("MVTS", variance, rho, pulls, epsilon) == pytest.approx(exact, rel=1e-6)


@pytest.mark.parametrize("policy", ["MTS", "VTS", "MVTS"])
def test_a_limited_wait_against_draws(policy):
    variance, rho, pulls, epsilon, steps = 0.8, 1.5, 3, 0.3, 50
    rng = np.random.default_rng(6)
    runs = 4000
    mean = math.sqrt(variance / pulls) * rng.standard_normal((runs, 1))
    sample_variance = variance / pulls * rng.chisquare(pulls - 1, (runs, 1))
    theta = mean + rng.standard_normal((runs, steps)) / math.sqrt(pulls)
    drawn = (1.0 + pulls * sample_variance) / 2.0 / rng.gamma((1 + pulls) / 2, size=(runs, steps))
    index = rho * (mean if policy == "VTS" else theta) - (sample_variance if policy == "MTS" else drawn)
    success = index >= -variance - (1 + rho) * epsilon
    waited = np.where(success.any(axis=1), success.argmax(axis=1), steps)
    found = expected_wait(policy, variance, rho, pulls, epsilon, steps=steps)
    assert found == pytest.approx(waited.mean(), abs=4.0 * waited.std() / math.sqrt(runs))


@pytest.mark.parametrize(
    ("variance", "pulls", "epsilon", "steps", "expected"),
    [(0.2, 2, 0.4, math.inf, 0.789), (0.5, 1, 0.1, math.inf, 1.301), (0.05, 3, 0.02, 1000.0, 294.3)],
)
def test_at_rho_zero_vts_comes_back(variance, pulls, epsilon, steps, expected):
    """The wait is finite there, for any number of pulls: by quadrature, and by draws until one is large enough."""
    rng = np.random.default_rng(8)
    sample = variance * rng.chisquare(pulls - 1, 100_000) if pulls > 1 else np.zeros(100_000)
    g = special.gammaincc((1 + pulls) / 2, (1 + sample) / 2 / (variance + epsilon))
    waited = np.minimum(rng.geometric(g) - 1.0, steps)
    found = expected_wait("VTS", variance, 0.0, pulls, epsilon, steps=steps)
    assert found == pytest.approx(expected, rel=1e-3)
    assert found == pytest.approx(waited.mean(), abs=4.0 * waited.std() / math.sqrt(len(waited)))


def test_with_a_limit_on_the_steps_the_bend_is_met_by_the_nodes():
    """After many pulls G falls from 1 to 1/steps within a few hundredths of the sample variance."""
    q, weight = panels(np.linspace(1e-9, 200.0, 401), 30)
    g = special.gammaincc(10.5, (1.0 + q) / 2.0 / 1.2)
    exact = ((1.0 - g) / g * -np.expm1(1000.0 * np.log1p(-g)) * stats.chi2(19).pdf(q) * weight).sum()
    assert expected_wait("VTS", 1.0, 0.0, 20, 0.2, steps=1000.0) == pytest.approx(exact, rel=1e-7)


def test_at_rho_zero_vts_is_logarithmic():
    """Two arms, variances 0.3 and 0.6: of 1500 runs none stays with the wrong one; at rho = 1 one in a hundred does."""
    arms = rb.GaussianArms([0.0, -0.3], [0.3, 0.6])
    wrong = {}
    for rho in (0.0, 1.0):
        problem = rb.Problem(arms, rb.MeanVariance(rho))
        result = rb.simulate(problem, [rb.VTS()], horizon=20_000, runs=1500, seed=1, progress=False)
        wrong[rho] = rb.metrics.wrong_pulls(result.traces[0])[:, -1]
    assert wrong[0.0].max() < 1_000
    assert wrong[1.0].max() > 19_000


def test_the_proofs_of_theorems_1_and_2_bound_what_is_infinite():
    for pulls in (2, 3, 50):
        assert expected_wait("MTS", 0.5, 10.0, pulls, 0.1) == math.inf
    for pulls in (1, 2, 50):
        assert expected_wait("VTS", 0.5, 0.001, pulls, 0.1) == math.inf
        assert expected_wait("MVTS", 1.01, 10.0, pulls, 0.1) == math.inf
    assert expected_wait("MTS", 1.01, 10.0, 1, 0.1) == math.inf
    assert expected_wait("MVTS", 1.0, 10.0, 2, 0.1) == pytest.approx(35.03, abs=0.01)
    assert expected_wait("MTS", 1.0, 10.0, 1, 0.1) == pytest.approx(23.44, abs=0.01)


def test_infinite_is_seen_as_well_as_decided():
    # MTS after two pulls: the integral up to v diverges, and the faster the farther one looks.
    variance, rho, epsilon = 0.5, 1.0, 0.1

    def up_to(limit):
        def integrand(q):
            g = mp.ncdf(-mp.sqrt(2) * (variance * (q / 2 - 1) - (1 + rho) * epsilon) / rho)  # for m = mu
            return (1 - g) / g * q ** mp.mpf(-0.5) * mp.exp(-q / 2)

        with mp.workdps(15):
            return mp.quad(integrand, [0, 1, 4, *range(8, limit + 1, 4)])

    parts = [up_to(limit) for limit in (12, 16, 20, 24)]
    growth = [parts[k + 1] / parts[k] for k in range(3)]
    assert growth[0] > 1.0
    assert growth[0] < growth[1] < growth[2]
    # With a limit on the steps: almost proportional to it for MTS, exactly so in the end for VTS.
    waits = [expected_wait("MTS", variance, rho, 2, epsilon, steps=10.0**k) for k in (4, 8, 12)]
    exponents = np.diff(np.log(waits)) / math.log(1e4)
    assert 0.5 < exponents[0] < exponents[1] < 1.0
    shut_out = stats.norm.cdf(-(variance + (1 + rho) * epsilon) / (rho * math.sqrt(variance / 2)))
    least = expected_wait("VTS", variance, rho, 2, epsilon, steps=1e9) / 1e9
    assert shut_out < least < 1.2 * shut_out
    assert expected_wait("MVTS", variance, rho, 2, epsilon, steps=1e9) == pytest.approx(
        expected_wait("MVTS", variance, rho, 2, epsilon), rel=1e-6
    )


def test_small_rho_is_near_rho_zero():
    shut_out = stats.chi2(1).sf(2 * 0.6 / 0.5)  # P(v > s^2 + eps) after two pulls
    assert expected_wait("MTS", 0.5, 0.0, 2, 0.1, steps=1000) == pytest.approx(1000 * shut_out, rel=1e-12)
    assert expected_wait("MTS", 0.5, 0.005, 2, 0.1, steps=1000) == pytest.approx(1000 * shut_out, rel=0.04)
    assert expected_wait("MTS", 0.5, 0.0, 1, 0.1) == 0.0
    limit = expected_wait("VTS", 0.5, 0.0, 2, 0.1, steps=1000)
    assert expected_wait("VTS", 0.5, 1e-6, 2, 0.1, steps=1000) == pytest.approx(limit, rel=1e-4)
    # VTS where the best arm is shut out with every probability from small to tiny: no jump between two sets of nodes.
    waits = [expected_wait("VTS", 0.5, rho, 2, 0.1, steps=1000) for rho in np.linspace(0.0875, 0.0975, 5)]
    assert np.abs(np.diff(waits, 3)).max() < 5e-6


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"policy": "UCB"}, "policy"),
        ({"variance": 0.0}, "variance must be a finite number > 0"),
        ({"epsilon": -1.0}, "epsilon must be a finite number > 0"),
        ({"rho": math.inf}, "rho must be a finite number >= 0"),
        ({"pulls": 1.5}, "pulls must be a whole number >= 1"),
        ({"steps": 0.0}, "steps must be a number >= 1"),
    ],
)
def test_bad_input_is_a_sentence(change, words):
    with pytest.raises(RiskBanditsError, match=words):
        expected_wait(**{"policy": "MVTS", "variance": 0.5, "rho": 1.0, "pulls": 2, "epsilon": 0.1} | change)
