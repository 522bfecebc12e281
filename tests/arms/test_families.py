"""Families of arms: draws, moments and every risk measure of them, against SciPy, definitions and Monte Carlo."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from scipy import integrate, stats

import riskbandits as rb
from riskbandits.arms.contract import draw_next, new_memory
from riskbandits.arms.distribution import Distribution
from riskbandits.compiling import jit
from riskbandits.core.errors import ParameterError, RefusalError
from riskbandits.core.records import cast
from riskbandits.testing import check_arms
from riskbandits.testing.risk_and_arms import _check_distribution

MIXTURE = rb.GaussianMixtureArms([[0.9, 0.1, 0.0]], [[1.0, -4.0, 9.0]], [[0.1, 1.0, 1.0]])
LIMITED_MIXTURE = rb.TruncatedGaussianMixtureArms([[0.7, 0.3]], [[0.6, 0.1]], [[0.2, 0.05]], [0.0], [1.0])
# Arms of one arm, and the same as SciPy has it (None: SciPy has no such family).
FAMILIES = {
    "gaussian": (rb.GaussianArms([0.5], [2.0]), stats.norm(0.5, math.sqrt(2.0))),
    "bernoulli": (rb.BernoulliArms([0.35]), stats.bernoulli(0.35)),
    "student-t": (rb.StudentTArms([0.5], [2.0], [5.0]), stats.t(5.0, 0.5, 2.0)),
    "lognormal": (rb.LognormalArms([0.2], [0.7]), stats.lognorm(0.7, scale=math.exp(0.2))),
    "beta": (rb.BetaArms([0.7], [2.5]), stats.beta(0.7, 2.5)),
    "uniform": (rb.UniformArms([-1.0], [2.5]), stats.uniform(-1.0, 3.5)),
    "exponential": (rb.ExponentialArms([1.7]), stats.expon(scale=1.7)),
    "mixture": (MIXTURE, None),
    "truncated": (
        rb.TruncatedGaussianArms([0.3], [1.5], [-1.0], [2.0]),
        stats.truncnorm(-1.3 / 1.5, 1.7 / 1.5, 0.3, 1.5),
    ),
    "far-tail": (rb.TruncatedGaussianArms([0.0], [1.0], [6.0], [7.0]), stats.truncnorm(6.0, 7.0)),
    "limited-mixture": (LIMITED_MIXTURE, None),
    "poisson": (rb.PoissonArms([3.5]), stats.poisson(3.5)),
    "many-poisson": (rb.PoissonArms([40.0]), stats.poisson(40.0)),
    "data": (rb.DataArms([3.0, -1.0, 0.5, 0.5, 2.0], [5]), None),
}
FAMILIES = {name: (cast(arms), twin) for name, (arms, twin) in FAMILIES.items()}
MEASURES = [
    rb.CVaR(0.2),
    rb.ValueAtRisk(0.2),
    rb.Entropic(0.8),
    rb.MeanSemideviation(0.7),
    rb.Expectile(0.2),
    rb.Semivariance(0.4),
    rb.MeanVariance(1.3),
    rb.Sharpe(),
    rb.Sharpe.squared(),
    rb.Variance(),
]

SHARES = np.array([0.001, 0.03, 0.2, 0.5, 0.77, 0.999])


@pytest.mark.parametrize("name", [name for name, (_, twin) in FAMILIES.items() if twin is not None])
def test_against_scipy(name):
    arms, twin = FAMILIES[name]
    one = arms.distribution(0)
    assert arms.mean(0) == pytest.approx(twin.mean(), rel=1e-9)
    assert arms.variance(0) == pytest.approx(twin.var(), rel=1e-7)
    np.testing.assert_allclose(one.quantile(SHARES), twin.ppf(SHARES), rtol=1e-9)
    x = twin.ppf(SHARES) + 0.01
    np.testing.assert_allclose(one.cdf(x), twin.cdf(x), rtol=1e-9)
    assert isinstance(one.quantile(0.3), float)


def density_of(name):
    twin = FAMILIES[name][1]
    if twin is not None:
        return (
            (twin.pdf, None)
            if hasattr(twin.dist, "pdf") and twin.dist.__class__.__name__ not in DISCRETE
            else (None, twin)
        )
    if name == "limited-mixture":
        high, low = stats.truncnorm(-3.0, 2.0, 0.6, 0.2), stats.truncnorm(-2.0, 18.0, 0.1, 0.05)
        return (lambda x: 0.7 * high.pdf(x) + 0.3 * low.pdf(x)), None
    return (lambda x: 0.9 * stats.norm.pdf(x, 1.0, math.sqrt(0.1)) + 0.1 * stats.norm.pdf(x, -4.0, 1.0)), None


DISCRETE = ("bernoulli_gen", "poisson_gen")


def expectation(name, f, cut):
    """E f(X), by integration of the density or summation, cut where f has a kink."""
    if name == "data":
        return float(np.mean([f(x) for x in (3.0, -1.0, 0.5, 0.5, 2.0)]))
    density, discrete = density_of(name)
    if discrete is not None:
        k = np.arange(400)
        return float(np.sum(discrete.pmf(k) * np.array([f(x) for x in k])))
    one = FAMILIES[name][0].distribution(0)
    low = one.low if math.isfinite(one.low) else one.mean - 60.0 * math.sqrt(one.variance)
    high = one.high if math.isfinite(one.high) else one.mean + 60.0 * math.sqrt(one.variance)
    cuts = sorted({low, high, *(min(max(c, low), high) for c in (cut, one.mean, -4.0, 1.0))})
    return sum(integrate.quad(lambda x: f(x) * density(x), a, b, epsabs=1e-12, limit=300)[0] for a, b in pairwise(cuts))


@pytest.mark.parametrize("name", FAMILIES)
def test_risk_measures_of_true_distributions_against_their_definitions(name):
    arms, _ = FAMILIES[name]
    one = arms.distribution(0)
    rough = 1e-3 if name == "student-t" else 1e-7  # its tails are cut above
    q = rb.Problem(arms, rb.ValueAtRisk(0.2)).values[0]
    assert one.cdf(q) >= 0.2 - 1e-9
    assert one.cdf(q - 1e-6 * (1 + abs(q))) <= 0.2
    expected = q - expectation(name, lambda x: max(q - x, 0.0), q) / 0.2
    assert rb.Problem(arms, rb.CVaR(0.2)).values[0] == pytest.approx(expected, rel=rough, abs=rough)
    squares = expectation(name, lambda x: max(0.4 - x, 0.0) ** 2, 0.4)
    assert rb.Problem(arms, rb.Semivariance(0.4)).values[0] == pytest.approx(-squares, rel=10 * rough, abs=1e-9)
    below = expectation(name, lambda x: max(one.mean - x, 0.0), one.mean)
    expected = one.mean - 0.7 * below
    assert rb.Problem(arms, rb.MeanSemideviation(0.7)).values[0] == pytest.approx(expected, rel=rough, abs=rough)
    m = rb.Problem(arms, rb.Expectile(0.2)).values[0]
    gain, loss = (expectation(name, lambda x, d=d: max(d * (x - m), 0.0), m) for d in (1.0, -1.0))
    assert 0.2 * gain == pytest.approx(0.8 * loss, rel=10 * rough, abs=rough)
    if name != "student-t":
        moment = expectation(name, lambda x: math.exp(-0.8 * x), 0.0)
        assert rb.Problem(arms, rb.Entropic(0.8)).values[0] == pytest.approx(-math.log(moment) / 0.8, rel=1e-7)
    assert rb.Problem(arms, rb.CVaR(1.0)).values[0] == pytest.approx(arms.mean(0), rel=1e-9)


def of_sample(risk, x):
    """Values of a large unweighted sample, in NumPy."""
    if isinstance(risk, rb.CVaR):
        q = np.quantile(x, risk.level, method="inverted_cdf")
        return q - np.maximum(q - x, 0).mean() / risk.level
    if isinstance(risk, rb.ValueAtRisk):
        return np.quantile(x, risk.level, method="inverted_cdf")
    if isinstance(risk, rb.Entropic):
        return -np.log(np.exp(-risk.aversion * x).mean()) / risk.aversion
    if isinstance(risk, rb.MeanSemideviation):
        return x.mean() - risk.weight * np.maximum(x.mean() - x, 0).mean()
    if isinstance(risk, rb.Expectile):
        return stats.expectile(x, alpha=risk.level)
    if isinstance(risk, rb.Semivariance):
        return -(np.maximum(risk.target - x, 0) ** 2).mean()
    return risk.value(x.mean(), x.var())


@pytest.mark.parametrize("name", FAMILIES)
def test_draws_have_the_risk_they_claim(name):
    """Draws in plain Python, in batches: their spread is the standard error."""
    arms, _ = FAMILIES[name]
    rng = np.random.default_rng(5)
    x = np.array([arms.draw(0, rng) for _ in range(20_000)])
    batches = x.reshape(20, 1000)
    _check_distribution(arms, 0, x)
    measures = [risk for risk in MEASURES if name != "student-t" or not isinstance(risk, rb.Entropic)]
    for risk in [rb.Mean(), *measures]:
        exact = rb.Problem(arms, risk).values[0]
        found = np.array([of_sample(risk, batch) for batch in batches])
        error = found.std(ddof=1) / math.sqrt(len(found))
        # Quantiles of 1000 draws are off by up to the distance of neighbours, and ratios by a little.
        assert abs(found.mean() - exact) < 4.5 * error + 0.01 * math.sqrt(min(arms.variance(0), 4.0)), risk


def test_a_wrong_parameter_is_noticed():
    """The same check with 3 % more spread than claimed."""
    arms, wrong = cast(rb.LognormalArms([0.2], [0.7])), cast(rb.LognormalArms([0.2], [0.75]))
    rng = np.random.default_rng(5)
    x = np.array([wrong.draw(0, rng) for _ in range(20_000)])
    found = np.array([of_sample(rb.MeanVariance(1.3), batch) for batch in x.reshape(20, 1000)])
    exact = rb.Problem(arms, rb.MeanVariance(1.3)).values[0]
    assert abs(found.mean() - exact) > 4.5 * found.std(ddof=1) / math.sqrt(20) + 0.01


class ByCdfAlone(Distribution):
    """A distribution of which only the distribution function is written down."""

    def __init__(self, one):
        self.one, self.mean, self.variance, self.low, self.high = one, one.mean, one.variance, one.low, one.high

    def cdf(self, x):
        return self.one.cdf(x)


@pytest.mark.parametrize(
    "name", ["gaussian", "lognormal", "beta", "uniform", "exponential", "mixture", "truncated", "limited-mixture"]
)
def test_what_follows_numerically_from_a_distribution_function(name):
    one = FAMILIES[name][0].distribution(0)
    other = ByCdfAlone(one)
    np.testing.assert_allclose(other.quantile(SHARES), one.quantile(SHARES), rtol=1e-9, atol=1e-12)
    for x in one.quantile(np.array([0.05, 0.6, 0.99])):
        assert other.shortfall(x, 1) == pytest.approx(one.shortfall(x, 1), rel=1e-7)
        assert other.shortfall(x, 2) == pytest.approx(one.shortfall(x, 2), rel=1e-7)
    assert other.log_mgf(-0.8) == pytest.approx(one.log_mgf(-0.8), rel=1e-7)
    for risk in MEASURES[:4]:
        assert other.value_of(risk) == pytest.approx(one.value_of(risk), rel=1e-6)


class Shifted(NamedTuple):
    """The mean, by way of samples only: what a measure of one's own sees of a distribution."""

    def value(self, mean, variance):
        raise AssertionError("only a Gaussian is valued by its moments")

    def sample_value(self, values, weights):
        return float(values @ weights / weights.sum())


@pytest.mark.parametrize("name", [name for name in FAMILIES if name != "gaussian"])
def test_grids_of_quantiles_stand_for_distributions(name):
    arms, _ = FAMILIES[name]
    values, weights = arms.distribution(0).sample()
    assert (np.diff(values) >= 0.0).all()
    assert weights.sum() == pytest.approx(1.0, abs=1e-12)
    assert rb.Problem(arms, Shifted()).values[0] == pytest.approx(arms.mean(0), rel=1e-4 if name == "mixture" else 1e-6)
    assert weights @ (values - arms.mean(0)) ** 2 == pytest.approx(arms.variance(0), rel=1e-4)


def test_exponential_moments_where_the_series_of_kummers_function_overflows():
    one = cast(rb.BetaArms([2.0], [3.0])).distribution(0)
    # For a large aversion E exp(-l X) is Gamma(a + b)/Gamma(b) l^-a, to first order.
    assert one.log_mgf(-5000.0) == pytest.approx(math.log(12.0 / 5000.0**2), abs=1e-2)


def test_infinite_risk_is_refused_in_a_sentence():
    heavy = rb.StudentTArms([0.0, 1.0], [1.0, 1.0], [5.0, 1.5])
    assert cast(heavy).variance(1) == math.inf
    with pytest.raises(ParameterError, match="Arm 1 of StudentTArms must be.*finite value in MeanVariance.*value -inf"):
        rb.Problem(heavy, rb.MeanVariance(1.0))
    with pytest.raises(ParameterError, match="Arm 1 .*Semivariance.*value -inf"):
        rb.Problem(heavy, rb.Semivariance(0.0))
    with pytest.raises(ParameterError, match="Arm 0 .*finite value in Entropic.*-inf"):
        rb.Problem(heavy, rb.Entropic(1.0))
    # What does not need the variance is well defined.
    assert rb.Problem(heavy, rb.Mean()).gaps.tolist() == [1.0, 0.0]
    assert np.isfinite(rb.Problem(heavy, rb.CVaR(0.1)).gaps).all()


BAD = [
    (lambda: rb.UniformArms([0.0, 1.0], [1.0, 1.0]), r"UniformArms, arm 1, must be given a high above its low \(1\)"),
    (lambda: rb.UniformArms([0.0], [1.0, 2.0]), r"as many highs as lows \(1\). Got 2"),
    (lambda: rb.StudentTArms([0.0], [1.0], [1.0]), r"'freedoms' .* arm 0, must be a number > 1. Got 1.0"),
    (lambda: rb.ExponentialArms([0.0]), "arm 0, must be a number > 0. Got 0.0"),
    (
        lambda: rb.GaussianMixtureArms([[1, 0], [0, 0]], [[0, 0], [1, 1]], [[1, 1], [1, 1]]),
        "arm 1, must be given a positive weight",
    ),
    (
        lambda: rb.GaussianMixtureArms([[1, 0]], [[0]], [[1, 1]]),
        r"as many means and variances as weights per arm \(2\)",
    ),
    (lambda: rb.GaussianMixtureArms([1, 0], [0, 1], [1, 1]), "equally long list, each entry a number >= 0"),
    (lambda: rb.TruncatedGaussianArms([0], [1], [40], [41]), "at most 30 scales"),
    (
        lambda: rb.TruncatedGaussianMixtureArms([[1, 1]], [[0, 1]], [[1]], [0], [1]),
        r"as many locations and scales as weights per arm \(2\)",
    ),
    (
        lambda: rb.TruncatedGaussianMixtureArms([[1, 1]], [[0, 9]], [[1, 0.1]], [0], [1]),
        "TruncatedGaussianMixtureArms, arm 0, .* at most 30 scales",
    ),
    (lambda: rb.TruncatedGaussianMixtureArms([[1]], [[0]], [[1]], [1], [0]), r"a high above its low \(1\)"),
    (lambda: rb.PoissonArms([-1]), "must be a number >= 0"),
    (lambda: rb.DataArms([1.0, 2.0], [1, 3]), "'ends' parameter of DataArms must be whole, rising, and 2 last"),
]


@pytest.mark.parametrize("case", range(len(BAD)))
def test_bad_parameters(case):
    make, words = BAD[case]
    with pytest.raises(ParameterError, match=words):
        rb.Problem(make(), rb.Mean())


def test_arms_without_a_distribution_serve_measures_of_moments_only():
    from typing import Any, NamedTuple

    class Coins(NamedTuple):
        """Two coins."""

        def draw(self, k: int, rng: Any) -> float:
            return 1.0 if rng.random() < 0.5 else 0.0

        def mean(self, k: int) -> float:
            return 0.5

        def variance(self, k: int) -> float:
            return 0.25

        def size(self) -> int:
            return 2

    assert rb.Problem(Coins(), rb.Sharpe()).gaps.tolist() == [0.0, 0.0]
    with pytest.raises(RefusalError, match=r"CVaR needs more .* give Coins a method distribution\(k\)"):
        rb.Problem(Coins(), rb.CVaR(0.2))


def test_the_kit_accepts_a_family_and_notices_a_wrong_distribution(monkeypatch):
    arms = rb.UniformArms([0.0], [1.0])
    check_arms(arms)
    monkeypatch.setattr(rb.UniformArms, "distribution", lambda self, k: FAMILIES["beta"][0].distribution(0))
    with pytest.raises(rb.RiskBanditsError, match="UniformArms: (distribution|a share)"):
        _check_distribution(cast(arms), 0, np.random.default_rng(0).random(20_000))


def draw_all(
    t, lognormal, beta, uniform, exponential, mixture, truncated, limited, poisson, many, data, memory, rng, out
):
    for i in range(out.shape[0]):
        out[i, 0] = t.draw(0, rng)
        out[i, 1] = lognormal.draw(0, rng)
        out[i, 2] = beta.draw(0, rng)
        out[i, 3] = uniform.draw(0, rng)
        out[i, 4] = exponential.draw(0, rng)
        out[i, 5] = mixture.draw(0, rng)
        out[i, 6] = truncated.draw(0, rng)
        out[i, 7] = poisson.draw(0, rng)
        out[i, 8] = many.draw(0, rng)
        out[i, 9] = draw_next(data, 0, rng, memory)
        out[i, 10] = draw_next(beta, 0, rng, memory)
        out[i, 11] = limited.draw(0, rng)


def test_compiled_draws_are_those_of_python():
    """All families in one function: one compilation."""
    arms = [FAMILIES[name][0] for name in list(FAMILIES)[2:] if name != "far-tail"]
    arms[-1] = arms[-1]._replace(block=3.0)
    results = []
    for run in (draw_all, jit.entry(draw_all, [type(one) for one in arms])):
        out = np.zeros((300, 12))
        run(*arms, new_memory(1), np.random.default_rng(4), out)
        results.append(out)
    np.testing.assert_array_equal(results[0], results[1])
