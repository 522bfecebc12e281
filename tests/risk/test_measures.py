"""Risk measures against their definitions, against each other, and as samples, Gaussians and true distributions."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

import riskbandits as rb
from riskbandits.arms.discrete import Discrete
from riskbandits.arms.gaussian import Normal
from riskbandits.compiling import jit
from riskbandits.numerics import weighted_samples
from riskbandits.numerics.normal import normal_cdf, normal_density, normal_quantile
from riskbandits.risk import contract

MEASURES = [
    rb.Mean(),
    rb.MeanVariance(0.7),
    rb.Variance(),
    rb.Sharpe(0.5, 2.0),
    rb.Sharpe.squared(),
    rb.CVaR(0.3),
    rb.ValueAtRisk(0.3),
    rb.Entropic(1.5),
    rb.Semivariance(0.4),
    rb.MeanCVaR(0.5, 2.0, 0.3),
    rb.LargestVariance(),
    rb.MeanSemideviation(0.6),
    rb.MeanSemideviation(),
    rb.Expectile(0.2),
    rb.Expectile(0.5),
]
names = [f"{type(risk).__name__}{tuple(risk)}" for risk in MEASURES]

# Numbers with few bits, so that ties are frequent and sums exact.
numbers = st.integers(-20, 20).map(lambda x: x / 4)
weighted = st.lists(st.tuples(numbers, st.integers(1, 6)), min_size=1, max_size=12)
levels = st.integers(1, 20).map(lambda x: x / 20)


def sample_of(pairs):
    pairs = sorted(pairs)
    return np.array([x for x, _ in pairs]), np.array([float(w) for _, w in pairs])


def spelt_out(pairs):
    """The sample with every value as often as its weight says."""
    return np.sort(np.concatenate([[x] * w for x, w in pairs]))


def by_definition(risk, x):
    """The value of an unweighted sample, from the textbook."""
    m, v = x.mean(), x.var()
    if isinstance(risk, rb.CVaR):  # the supremum is attained at a value of the sample
        return max(c - np.maximum(c - x, 0).mean() / risk.level for c in x)
    if isinstance(risk, rb.ValueAtRisk):
        return min(c for c in x if (x <= c).mean() >= risk.level - 1e-12)
    if isinstance(risk, rb.Expectile):  # the root, by halving: its equation falls as m grows
        low, high = x.min(), x.max()
        for _ in range(100):
            m = 0.5 * (low + high)
            gain, loss = np.maximum(x - m, 0).mean(), np.maximum(m - x, 0).mean()
            low, high = (m, high) if risk.level * gain > (1 - risk.level) * loss else (low, m)
        return low
    return {
        rb.Mean: lambda: m,
        rb.MeanVariance: lambda: risk.rho * m - v,
        rb.Variance: lambda: -v,
        rb.Sharpe: lambda: (m**2 if risk.squares_mean else m) / (risk.regularisation + risk.weight * v),
        rb.Entropic: lambda: -np.log(np.exp(-risk.aversion * x).mean()) / risk.aversion,
        rb.Semivariance: lambda: -(np.maximum(risk.target - x, 0) ** 2).mean(),
        rb.MeanCVaR: lambda: risk.mean_weight * m + risk.tail_weight * by_definition(rb.CVaR(risk.level), x),
        rb.LargestVariance: lambda: v,
        rb.MeanSemideviation: lambda: m - risk.weight * np.maximum(m - x, 0).mean(),
    }[type(risk)]()


@pytest.mark.parametrize("risk", MEASURES, ids=names)
@settings(max_examples=40)
@given(weighted)
def test_weighted_samples(risk, pairs):
    values, weights = sample_of(pairs)
    expected = by_definition(risk, spelt_out(pairs))
    assert contract.sample_value(risk, values, weights) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert contract.sample_value(risk, values, weights / 7.0) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@settings(max_examples=40)
@given(weighted, levels)
def test_tails_at_every_level_with_ties(pairs, level):
    values, weights = sample_of(pairs)
    x = spelt_out(pairs)
    for risk in (rb.CVaR(level), rb.ValueAtRisk(min(level, 0.95))):
        assert risk.sample_value(values, weights) == pytest.approx(by_definition(risk, x), abs=1e-9)
        # The same from the distribution of these rewards.
        assert Discrete(values, weights).value_of(risk) == pytest.approx(by_definition(risk, x), abs=1e-9)


@settings(max_examples=40)
@given(weighted)
def test_cvar_at_level_one_is_the_mean_and_falls_with_the_level(pairs):
    values, weights = sample_of(pairs)
    assert rb.CVaR(1.0).sample_value(values, weights) == pytest.approx(weighted_samples.mean(values, weights), abs=1e-9)
    by_level = [rb.CVaR(level).sample_value(values, weights) for level in (0.05, 0.2, 0.5, 1.0)]
    assert by_level == sorted(by_level) or np.diff(by_level).min() > -1e-9
    assert rb.CVaR(0.2).sample_value(values, weights) <= rb.ValueAtRisk(0.2).sample_value(values, weights) + 1e-9


@pytest.mark.parametrize("risk", MEASURES, ids=names)
@settings(max_examples=40)
@given(weighted, st.integers(1, 5))
def test_bounds_hold_for_every_way_to_place_the_masses(risk, pairs, width):
    """Blocks of neighbours, known only by their weight and ends: the value must lie between the bounds."""
    values, weights = sample_of(pairs)
    edges = [*range(0, len(values), width), len(values)]
    blocks = [(a, b) for a, b in pairwise(edges)]
    lows = np.array([values[a] for a, _ in blocks])
    highs = np.array([values[b - 1] for _, b in blocks])
    masses = np.array([weights[a:b].sum() for a, b in blocks])
    least, largest = contract.sample_bounds(risk, lows, highs, masses)
    value = contract.sample_value(risk, values, weights)
    assert least - 1e-9 <= value <= largest + 1e-9
    if width == 1:
        assert largest - least < 1e-9


def quadrature(f, mean, deviation, cuts=()):
    ends = [mean - 12 * deviation, *sorted(cuts), mean + 12 * deviation]
    density = stats.norm(mean, deviation).pdf
    return sum(
        integrate.quad(lambda x: f(x) * density(x), a, b, epsabs=1e-13, epsrel=1e-12)[0] for a, b in pairwise(ends)
    )


@pytest.mark.parametrize(("mean", "variance"), [(0.0, 1.0), (0.8, 0.25), (-2.0, 3.0)])
def test_gaussian_values_against_quadrature(mean, variance):
    s = math.sqrt(variance)
    q = stats.norm(mean, s).ppf(0.3)
    assert rb.ValueAtRisk(0.3).value(mean, variance) == pytest.approx(q, abs=1e-12)
    short = quadrature(lambda x: max(q - x, 0.0), mean, s, [q])
    assert rb.CVaR(0.3).value(mean, variance) == pytest.approx(q - short / 0.3, abs=1e-9)
    squares = quadrature(lambda x: max(0.4 - x, 0.0) ** 2, mean, s, [0.4])
    assert rb.Semivariance(0.4).value(mean, variance) == pytest.approx(-squares, abs=1e-9)
    assert rb.Entropic(1.5).value(mean, variance) == pytest.approx(
        -math.log(quadrature(lambda x: math.exp(-1.5 * x), mean, s)) / 1.5, abs=1e-9
    )
    both = rb.MeanCVaR(0.5, 2.0, 0.3)
    assert both.value(mean, variance) == pytest.approx(0.5 * mean + 2.0 * (q - short / 0.3), abs=1e-9)
    below = quadrature(lambda x: max(mean - x, 0.0), mean, s, [mean])
    assert rb.MeanSemideviation(0.6).value(mean, variance) == pytest.approx(mean - 0.6 * below, abs=1e-9)
    m = rb.Expectile(0.2).value(mean, variance)
    gain, loss = (quadrature(lambda x, d=d: max(d * (x - m), 0.0), mean, s, [m]) for d in (1.0, -1.0))
    assert 0.2 * gain == pytest.approx(0.8 * loss, abs=1e-9)
    coherent = (rb.MeanSemideviation(0.6), rb.Expectile(0.2))
    for risk in (rb.CVaR(0.3), rb.ValueAtRisk(0.3), rb.Entropic(1.5), rb.Semivariance(0.4), both, *coherent):
        # The general ways to value a distribution give the same as the closed form for a Gaussian.
        assert risk.exact_value(Normal(mean, variance)) == pytest.approx(risk.value(mean, variance), abs=1e-10)
        assert risk.sample_value(*Normal(mean, variance).sample()) == pytest.approx(
            risk.value(mean, variance), abs=2e-3 if isinstance(risk, rb.ValueAtRisk) else 1e-5
        )


@settings(max_examples=40)
@given(st.lists(st.tuples(numbers, st.integers(0, 40)), min_size=2, max_size=6, unique=True), st.integers(1, 30))
def test_entropic_risk_orders_gaussian_arms_as_mean_variance_does(arms, tenths):
    aversion = tenths / 10
    means, variances = [m for m, _ in arms], [v / 8 for _, v in arms]
    gaussian = rb.GaussianArms(means, variances)
    entropic = rb.Problem(gaussian, rb.Entropic(aversion))
    mean_variance = rb.Problem(gaussian, rb.MeanVariance(2 / aversion))
    np.testing.assert_allclose(entropic.gaps * 2 / aversion, mean_variance.gaps, atol=1e-9)


def test_variance_is_mean_variance_at_rho_zero_regret_included():
    gaussian = rb.GaussianArms([0.0, 5.0], [1.0, 0.5])
    one, other = rb.Problem(gaussian, rb.Variance()), rb.Problem(gaussian, rb.MeanVariance(0.0))
    assert one.charges_switching
    np.testing.assert_array_equal(one.values, other.values)
    np.testing.assert_array_equal(one.gaps, other.gaps)


def test_only_mean_variance_charges_for_switching():
    assert [contract.charges_switching(risk) for risk in MEASURES] == [False, True, True] + [False] * 12


@pytest.mark.parametrize("risk", MEASURES, ids=names)
def test_rewards_of_zero_and_one(risk):
    for p in (0.0, 0.1, 0.3, 0.31, 1.0):
        value = contract.binary_value(risk, p, np.zeros(8))
        x = np.concatenate([np.zeros(round(1000 * (1 - p))), np.ones(round(1000 * p))])
        assert value == pytest.approx(by_definition(risk, x), abs=1e-9)


def test_small_aversions_and_large_rewards_keep_their_digits():
    values, weights = np.array([1e8, 1e8 + 1.0]), np.array([1.0, 1.0])
    assert rb.Entropic(1e-9).sample_value(values, weights) - 1e8 == pytest.approx(0.5, abs=1e-6)
    assert rb.Entropic(700.0).sample_value(np.array([-1e4, 0.0]), weights) == pytest.approx(-1e4, abs=0.01)
    assert weighted_samples.mean(values, weights) - 1e8 == 0.5
    assert rb.CVaR(0.75).sample_value(values, weights) - 1e8 == pytest.approx(1 / 3, abs=1e-7)


def test_expectiles_at_every_level():
    """From the mean to the worst case, with large rewards and weights of 0."""
    x, w = np.array([1e8, 1e8 + 1.0, 1e8 + 2.0, 1e8 + 9.0]), np.array([1.0, 2.0, 0.0, 1.0])
    for level in (0.5, 0.3, 0.05, 1e-6):
        m = rb.Expectile(level).sample_value(x, w)
        assert m - 1e8 == pytest.approx(stats.expectile(x - 1e8, alpha=level, weights=w), abs=1e-6)
        z = rb.Expectile(level).value(0.0, 1.0)
        assert level * (stats.norm.pdf(z) - z * stats.norm.sf(z)) == pytest.approx(
            (1 - level) * (stats.norm.pdf(z) + z * stats.norm.cdf(z)), rel=1e-9
        )
    for level in (1e-300, 1e-320):
        assert -40.0 < rb.Expectile(level).value(0.0, 1.0) < -36.0
    assert rb.Expectile(0.1).sample_value(np.array([3.0, 3.0]), np.ones(2)) == 3.0
    assert rb.Expectile(0.1).value(2.0, 0.0) == rb.MeanSemideviation().value(2.0, 0.0) == 2.0


def test_the_normal_distribution_with_math_alone():
    p = np.concatenate([10.0 ** np.arange(-300, -1, 7), np.linspace(0.01, 0.99, 99), 1 - 10.0 ** np.arange(-15, -2)])
    z = np.array([normal_quantile(one) for one in p])
    np.testing.assert_allclose(z, stats.norm.ppf(p), rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose([normal_cdf(one) for one in z[:100]], p[:100], rtol=1e-11)
    assert normal_density(0.3) == pytest.approx(stats.norm.pdf(0.3), rel=1e-14)
    assert normal_quantile(0.0) == -math.inf
    assert normal_quantile(1.0) == math.inf


def test_a_measure_in_which_nothing_counts_is_refused():
    with pytest.raises(
        rb.errors.ParameterError, match="positive mean_weight or tail_weight. Got 'mean_weight=0, tail_weight=0'"
    ):
        rb.Problem(rb.GaussianArms([0.0], [1.0]), rb.MeanCVaR(0.0, 0.0))
    # With one weight alone it is the mean, or CVaR.
    arms = rb.LognormalArms([0.0, 0.2], [0.5, 1.0])
    for one, other in ((rb.MeanCVaR(2.0, 0.0), rb.Mean()), (rb.MeanCVaR(0.0, 2.0, 0.1), rb.CVaR(0.1))):
        np.testing.assert_allclose(rb.Problem(arms, one).values, 2.0 * rb.Problem(arms, other).values, rtol=1e-12)


def all_values(mean_variance, sharpe, cvar, quantile, entropic, semivariance, semi, expectile, values, weights, out):
    out[0] = contract.sample_value(mean_variance, values, weights)
    out[1] = contract.sample_value(sharpe, values, weights)
    out[2] = cvar.sample_value(values, weights)
    out[3] = quantile.sample_value(values, weights)
    out[4] = entropic.sample_value(values, weights)
    out[5] = semivariance.sample_value(values, weights)
    out[6] = cvar.value(0.3, 2.0)
    out[7] = quantile.value(0.3, 2.0)
    out[8] = semivariance.value(0.3, 2.0)
    out[9], out[10] = contract.sample_bounds(mean_variance, values, values, weights)
    out[11], out[12] = contract.sample_bounds(cvar, values, values, weights)
    out[13] = contract.binary_value(cvar, 0.4, values)
    out[14] = contract.tail_share(cvar) + contract.tail_share(sharpe)
    out[15] = semi.sample_value(values, weights) + semi.lipschitz_constant()
    out[16] = expectile.sample_value(values, weights) + expectile.lipschitz_constant()
    out[17] = semi.value(0.3, 2.0)
    out[18] = expectile.value(0.3, 2.0)


def test_compiled_values_are_those_of_python():
    records = [rb.MeanVariance(2.0), rb.Sharpe(), rb.CVaR(0.4), rb.ValueAtRisk(0.4), rb.Entropic(), rb.Semivariance()]
    records += [rb.MeanSemideviation(0.4), rb.Expectile(0.3)]
    x, w = np.array([-1.0, 0.0, 0.0, 2.0, 5.0]), np.array([0.1, 0.5, 2.0, 0.3, 1.0])
    plain, fast = np.zeros(19), np.zeros(19)
    all_values(*records, x.copy(), w, plain)
    jit.entry(all_values, [type(record) for record in records])(*records, x.copy(), w, fast)
    np.testing.assert_allclose(fast, plain, rtol=1e-12)
