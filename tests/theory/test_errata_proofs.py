"""The errata from E25 on, most of them about steps of proofs: each with the numbers it gives."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate, optimize, special, stats

import riskbandits as rb
from riskbandits import metrics, theory
from riskbandits.paper.lemmas import probability_bounds, tail_lemmas
from riskbandits.theory.expected_waits import log_gamma_tail


def h(x):
    return 0.5 * (x - 1.0 - math.log(x))


def divergence(a, b):
    return special.rel_entr(a, b) + special.rel_entr(1.0 - a, 1.0 - b)


def test_e25_mts_and_mvts_are_polynomial_beyond_variance_1():
    def growth(problem, policy):
        """Wrong pulls in the decades to 10^2, 10^3, 10^4, and four standard errors of each."""
        steps = [100, 1_000, 10_000]
        result = rb.simulate(problem, [policy], horizon=10_000, runs=8000, seed=1, checkpoints=steps, progress=False)
        added = np.diff(metrics.wrong_pulls(result.traces[0]), axis=1, prepend=0)
        return added.mean(axis=0), 4.0 * added.std(axis=0, ddof=1) / math.sqrt(len(added))

    large = rb.Problem(rb.GaussianArms([1.0, 0.0], [4.0, 0.25]), rb.MeanVariance(100.0))
    small = rb.Problem(rb.GaussianArms([0.5, 0.0], [1.0, 0.0625]), rb.MeanVariance(50.0))
    for policy in (rb.MTS(), rb.MVTS()):
        added, error = growth(large, policy)
        assert added[2] - error[2] > 2.0 * (added[1] + error[1])  # of a logarithm every decade adds the same
        assert 0.5 < math.log10(added[2] / added[1]) < 0.75
    # The same problem in another unit: as logarithmic as it should be.
    assert small.gaps == pytest.approx(large.gaps / 4.0)
    added, error = growth(small, rb.MVTS())
    assert added[2] - error[2] < 1.2 * added[1]
    assert added.sum() < 60.0
    # By quadrature: the wait after the first pull grows like n^(3/4) in the end, and is finite up to variance 1.
    epsilon = large.gaps[1] / (1.0 + large.risk.rho)
    for policy in ("MTS", "MVTS"):
        steps = [1e2, 1e3, 1e4, 1e5, 1e10, 1e12]
        waits = [theory.expected_wait(policy, 4.0, 100.0, 1, epsilon, steps=n) for n in steps]
        exponents = np.diff(np.log(waits)) / np.diff(np.log(steps))
        assert exponents[[0, 1, 2, 4]] == pytest.approx([0.62, 0.64, 0.66, 0.70], abs=0.005)
        assert theory.expected_wait(policy, 4.0, 100.0, 1, epsilon) == math.inf
        assert theory.expected_wait(policy, 1.0, 100.0, 1, epsilon) < 2.0
    far = [theory.expected_wait("MTS", 4.0, 100.0, 1, epsilon, steps=10.0**k) for k in (200, 280)]
    assert math.log10(far[1] / far[0]) / 80.0 == pytest.approx(1.0 - 1.0 / 4.0, abs=0.015)


def test_e25_the_lower_bound_of_the_papers_class_is_kept():
    problem = rb.Problem(rb.GaussianArms([2.0, 0.0], [0.05, 1.0]), rb.MeanVariance(20.0))
    upper = [theory.theorem_1(problem), theory.theorem_3(problem)]
    assert all(bound.applies for bound in upper)
    assert [bound.total for bound in upper] == pytest.approx([24.5, 24.5], abs=0.05)
    assert theory.lower_bound(problem).total == pytest.approx(49.4, abs=0.05)
    assert theory.lower_bound(problem, largest_variance=1).total == pytest.approx(21.4, abs=0.05)


def part_c(variance, epsilon, pulls):
    """Part C of S-2.3 at rho = 0: the integral of (1 - G)/G itself over v >= s_1^2 + eps and m >= mu_1 - eps."""
    within = special.ndtr(epsilon * math.sqrt(pulls / variance))  # at rho = 0, G does not depend on m
    first = math.log(pulls * (variance + epsilon) / variance)
    u = np.linspace(first, first + 6.0, 20_001)
    log_g = log_gamma_tail(0.5 + 0.5 * pulls, (0.5 + 0.5 * variance * np.exp(u)) / (variance + epsilon))
    logs = stats.chi2(pulls - 1).logpdf(np.exp(u)) + u - log_g + np.log(-np.expm1(log_g))
    return within * integrate.trapezoid(np.exp(logs), u)


def line_before_the_last(variance, epsilon, pulls):
    """The integral over y >= s of exp(-y eps/(2 s_1^2)) ((1 + eps/s_1^2) y/(2 + y))^(s/2 - 1), times s_1^2 + eps."""

    def logs(y):
        return -0.5 * y * epsilon / variance + (0.5 * pulls - 1.0) * np.log((1.0 + epsilon / variance) * y / (2.0 + y))

    y = np.linspace(pulls, pulls + 2_000.0 * variance / epsilon, 200_001)
    return (variance + epsilon) * integrate.trapezoid(np.exp(logs(y)), y)


def test_e26_part_c_decays_at_the_rate_h():
    variance, epsilon = 1.0, 0.1
    assert line_before_the_last(variance, epsilon, 1600) == pytest.approx(0.175, abs=0.001)
    assert part_c(variance, epsilon, 1600) == pytest.approx(0.0053, abs=0.0001)
    assert math.exp(-1600 * epsilon / 2) < 1e-34
    for variance, epsilon in ((1.0, 0.1), (0.5, 0.1), (0.25, 0.05)):
        rate = h(1.0 + epsilon / variance)
        assert rate < epsilon / 2
        for integral in (part_c, line_before_the_last):
            values = [integral(variance, epsilon, pulls) for pulls in (2_000, 4_000)]
            assert math.log(values[0] / values[1]) / 2_000 == pytest.approx(rate, rel=0.15)
    # Summed over s: of the order 1/eps^3, and ln(1/eps)/eps^2.
    for integral, order in ((line_before_the_last, lambda x: x**-3), (part_c, lambda x: math.log(1.0 / x) / x**2)):
        sums = []
        for epsilon in (0.2, 0.1):
            s = np.unique(np.geomspace(2, 240 / epsilon**2, 60).astype(int))
            sums.append(integrate.trapezoid([integral(1.0, epsilon, int(one)) for one in s], s) / order(epsilon))
        assert sums[1] / sums[0] == pytest.approx(1.0, abs=0.2)


def test_e27_the_variance_term_of_u_lacks_eps():
    best, other, epsilon = 0.3, 0.8, 0.05

    def probability(n, pulls):
        upper = optimize.brentq(lambda x: h(x) - math.log(2 * n) / pulls, 1.0 + 1e-12, 1e6)
        return stats.chi2(pulls - 1).cdf(pulls * (best + epsilon) * upper / other)

    for n, found, printed in ((1e4, 0.79, 0.46), (1e8, 0.84, 0.22), (1e16, 0.90, 0.05)):
        pulls = math.ceil(math.log(2 * n) / h(other / best))
        assert probability(n, pulls) == pytest.approx(found, abs=0.005)
        assert math.exp(-(pulls - 1) * epsilon**2 / best**2) == pytest.approx(printed, abs=0.005)
    # With eps in it: a deviation by eps at least, ever rarer.
    corrected = [
        probability(n, math.ceil(math.log(2 * n) / h((other - epsilon) / (best + epsilon)))) for n in (1e8, 1e16, 1e100)
    ]
    assert 0.4 > corrected[0] > corrected[1] > corrected[2]
    assert corrected[2] < 0.1
    assert 2.0 * math.log(30_000) ** -0.25 > 1.1  # what s_i^2 - s_1^2 would have to exceed
    # A mean that is eps = 3 s_i/sqrt(s) too high: exp(-s eps^2/s_i^2) is no bound, with a half in the exponent it is.
    assert math.exp(-(3.0**2)) < stats.norm.sf(3.0) < math.exp(-(3.0**2) / 2)


def roots(rho, p, epsilon):
    half = math.sqrt((1 - rho) ** 2 + 4 * (p * p - p * (1 - rho) - epsilon))
    return (1 - rho - half) / 2, (1 - rho + half) / 2


def test_e28_a_likely_event_is_bounded_as_if_it_were_rare():
    pulls = 1000
    low, _ = roots(0.2, 0.2, 0.01)
    assert low > 0.2
    last = math.floor(low * pulls)
    assert 2 * stats.binom(pulls, 0.2).cdf(last) == pytest.approx(1.96, abs=0.005)
    assert 2 * math.exp(-2 * pulls * (low - 0.2) ** 2) == pytest.approx(0.48, abs=0.005)
    _, high = roots(0.2, 0.6, 0.01)  # case 2
    assert high < 0.6
    assert 2 * stats.binom(pulls, 0.6).sf(math.floor(high * pulls)) > 1.9
    # With the "-1": the same sum of (1 - G)/G, and G from Lemma S-13, decays.
    sums = []
    for count in (1000, 2000):
        m = np.arange(math.floor(low * count) + 1)
        g = stats.beta(m + 1, count - m + 1).cdf(low)  # P(theta <= y~) = 1 - F(m)
        assert (g > 0.5).all()
        sums.append(float(((1 - g) / g * stats.binom(count, 0.2).pmf(m)).sum()))
    assert sums[1] < 0.5 * sums[0] < 0.1
    assert sums[1] / sums[0] < math.exp(-1000 * (low - 0.2) ** 2)
    assert 1.0 / stats.beta(2, 5).cdf(low) == pytest.approx(2.4, abs=0.05)  # s = 5, m = 1 = floor(y~ s)


def test_e29_a_tail_is_not_its_first_missing_term():
    low, _ = roots(0.2, 0.2, 0.01)
    tail = stats.binom(51, low)
    assert tail.sf(20) == pytest.approx(0.0024, abs=5e-5)
    assert tail.pmf(20) == pytest.approx(0.0035, abs=5e-5)
    for m in range(51):
        assert tail.sf(m) >= tail.pmf(m + 1) * (1.0 - 1e-9)


def test_e30_the_factor_of_a_geometric_series_is_lost():
    rho = p = 0.2
    pulls = 400
    for epsilon, found, printed in ((0.01, 3.5, 0.11), (0.001, 78.0, 0.25)):
        low, _ = roots(rho, p, epsilon)
        m = np.arange(math.floor(low * pulls) + 1, pulls + 1)
        total = np.exp(m * math.log(p / low) + (pulls - m) * math.log((1 - p) / (1 - low))).sum() / (1 - low)
        bound = math.exp(-pulls * divergence(low, p)) / (1 - low)
        ratio = p * (1 - low) / (low * (1 - p))
        assert total == pytest.approx(found, rel=0.01)
        assert p * bound == pytest.approx(printed, rel=0.02)
        assert 0.4 * bound / (1 - ratio) < total < bound / (1 - ratio)
        assert epsilon / (1 - ratio) == pytest.approx(0.066, abs=0.003)  # of the order 1/eps


def test_e31_the_arguments_of_d_are_swapped():
    printed = math.exp(-35 * divergence(0.2, 1 / 35))
    assert printed == pytest.approx(0.00028, abs=5e-6)
    for alpha, drawn in ((1, 0.00032), (2, 0.0032)):  # m is alpha, or the successes
        assert stats.beta(alpha, 37 - alpha).sf(0.2) == pytest.approx(drawn, rel=0.02)
        assert drawn > 1.1 * printed
    for pulls in (5, 20, 80):
        for m in range(pulls):
            for limit in np.linspace(m / pulls + 0.01, 0.99, 20):
                probability = stats.beta(m + 1, pulls - m + 1).sf(limit)
                assert probability <= math.exp(-pulls * divergence(m / pulls, limit)) * (1 + 1e-9)


def drawn_above(pulls, sample_variance, best_variance, rho, epsilon):
    """G for m = mu_1 by one integral over the drawn precision, in the textbook form."""
    shape, rate = (1 + pulls) / 2, (1 + pulls * sample_variance) / 2

    def integrand(x):
        lack = rate / x - best_variance - (1 + rho) * epsilon
        return stats.gamma(shape).pdf(x) * special.ndtr(-math.sqrt(pulls) * lack / rho)

    middle = rate / (best_variance + (1 + rho) * epsilon)
    edges = [0.0, 0.5 * middle, middle, 2.0 * middle, 4.0 * middle, 20.0 * middle + 200.0]
    return sum(integrate.quad(integrand, low, high, limit=200)[0] for low, high in pairwise(edges))


def test_e32_lemma_3_is_false_as_stated():
    assert drawn_above(1, 0.0, 0.05, 0.01, 0.01) == pytest.approx(0.0004, abs=5e-5)
    assert drawn_above(50, 0.0499, 0.05, 0.01, 0.01) < 0.25 < drawn_above(100, 0.0499, 0.05, 0.01, 0.01)
    # The constant in its place: the drawn variance is small enough most rarely after one pull.
    for variance in (0.05, 0.3, 0.9):
        found = [float(probability_bounds.precise_probability(s, variance, variance)) for s in range(1, 400)]
        assert min(found) == found[0] == pytest.approx(math.exp(-(1.0 + variance) / (2.0 * variance)))
    # The third case, with m a deviation too low: less than half of P(theta >= mu_1 - eps).
    rng = np.random.default_rng(2)
    theta, precision = -1.0 + rng.standard_normal(1_000_000), rng.exponential(2.0, 1_000_000)
    above = float(np.mean(0.01 * theta - 1.0 / precision >= -0.05 - 1.01 * 0.01))
    assert above < 0.01 * 0.5 * special.ndtr(-1.0 + 0.01)
    # The first two hold: theta >= mu_1 - eps and 1/tau <= s_1^2 + eps are independent and suffice.
    assert drawn_above(5, 0.2, 0.05, 0.01, 0.01) >= 0.5 * float(probability_bounds.precise_probability(5, 0.2, 0.06))


def test_e33_a_and_b_are_swapped_and_eps_to_the_fourth():
    variance, epsilon, pulls = 0.5, 0.1, 1000
    factor = 1.0 / math.sqrt(2.0 * math.pi * variance)

    def density(m):
        return factor * math.exp(-pulls * m * m / (2.0 * variance))

    def log_above(m):
        return float(special.log_ndtr(math.sqrt(pulls) * (m + epsilon)))

    def below(m):
        return 4.0 * (-math.expm1(log_above(m))) * density(m)

    def inverse(m):
        return 2.0 * math.exp(-log_above(m)) * density(m)

    low, high = (-epsilon - 1.0, -epsilon), (-epsilon, 0.3)
    printed = integrate.quad(below, *low)[0] + integrate.quad(inverse, *high, points=[0.0])[0]
    meant = integrate.quad(inverse, *low)[0] + integrate.quad(below, *high)[0]
    assert printed == pytest.approx(0.064, abs=0.0005)
    assert printed == pytest.approx(2.0 / math.sqrt(pulls), rel=0.02)
    assert meant == pytest.approx(0.0006, abs=5e-5)
    assert meant < math.exp(-pulls * epsilon**2 / 2)
    # The sum over s of exp(-s eps^4/2) is about 2/eps^4, not 4/eps^2.
    assert 1.0 / math.expm1(epsilon**4 / 2) == pytest.approx(2.0 / epsilon**4, rel=1e-3)


def test_e34_the_term_that_theorem_s2_drops():
    cases = ((1e4, 1.0, 0.25, 0.05, 5.8, 5.9, 1.1), (1e8, 1.0, 1.0, 0.01, 17.6, 17.2, 3.5))
    for n, a, own, best, total, right, display in cases:
        logarithm = math.log(n)
        s = np.arange(math.ceil(2 * logarithm / a**2), 20_000)
        found = float(np.exp(-s * (a - np.sqrt(2 * logarithm / s)) ** 2 / (2 * own)).sum())
        bound = 2 * own / a**2 * (math.sqrt(math.pi * logarithm / own) + 1)
        assert found == pytest.approx(total, abs=0.05)
        assert bound == pytest.approx(right, abs=0.05)
        assert found <= bound + 1.0
        printed = 2 * own / a**2 * (math.sqrt(math.pi * best * logarithm) + 1)
        assert printed == pytest.approx(display, abs=0.05)
        assert found > printed + 1.0
    assert 2 / own / a**2 * (math.sqrt(math.pi * best * logarithm) + 1) < found  # the lemma's form, in the second case


def test_e35_the_densities_are_none():
    variance = 0.5
    for s in (2, 10, 100):
        first = 1.0 / math.sqrt(2 * math.pi * variance) * math.sqrt(2 * math.pi * variance / s)
        log_second = -s / 2 * math.log(2) - math.lgamma(s / 2) - (s - 2) / 2 * math.log(variance)
        mass = first * math.exp(log_second + math.lgamma(s / 2) + s / 2 * math.log(2 * variance))
        assert mass == pytest.approx(variance / math.sqrt(s), rel=1e-12)
    # Part B with its density, for s_1^2 = 1: summed over s of the order ln(1/eps)/eps^2.
    sums = []
    for epsilon in (0.2, 0.1, 0.05):
        s = np.unique(np.geomspace(1, 80 / epsilon**2, 120).astype(int))[:, None]
        x = np.linspace(0.0, 60.0 / epsilon, 40_001) / np.sqrt(s)  # mu_1 - eps - m
        logs = -0.5 * s * (x + epsilon) ** 2 - special.log_ndtr(-np.sqrt(s) * x) + 0.5 * np.log(s / (2.0 * np.pi))
        part = integrate.trapezoid(np.exp(logs), x, axis=1)
        sums.append(integrate.trapezoid(part, s[:, 0]) * epsilon**2 / math.log(1.0 / epsilon))
    assert max(sums) / min(sums) < 1.4
    # s v/s_1^2 has s - 1 degrees of freedom.
    rewards = np.random.default_rng(3).standard_normal((20_000, 4))
    assert stats.kstest(4 * rewards.var(axis=1), stats.chi2(3).cdf).pvalue > 0.001
    assert stats.kstest(4 * rewards.var(axis=1), stats.chi2(4).cdf).pvalue < 1e-6


def test_e36_two_tail_bounds_are_stated_beyond_the_tail():
    # MVTS: the drawn mean's tail, integrated over the drawn precision.
    pulls, best, sample, rho, epsilon = 400, 0.05, 0.3, 10.0, 0.1
    shape, rate = (1 + pulls) / 2, (1 + pulls * sample) / 2

    def integrand(x):
        missing = (rate / x - best - (1 + rho) * epsilon) / rho + 0.01  # of the drawn mean, beyond m = mu_1 - 0.01
        return stats.gamma(shape).pdf(x) * special.ndtr(-math.sqrt(pulls) * missing)

    drawn = integrate.quad(integrand, 100.0, 350.0, limit=200)[0]
    assert drawn == pytest.approx(0.93, abs=0.005)
    printed = math.exp(-pulls / 2 * 0.09**2) + math.exp(-pulls * h(sample / (best + epsilon)))
    assert printed == pytest.approx(0.20, abs=0.005)
    # MTS: a normal tail.
    assert special.ndtr(math.sqrt(100) * 0.3) == pytest.approx(0.999, abs=5e-4)
    assert math.exp(-100 * 0.3**2 / 2) == pytest.approx(0.011, abs=5e-4)
    # Below the level both hold, on grids.
    assert tail_lemmas.mvts_upper_tail() > 0.0 > tail_lemmas.mvts_upper_tail(short=False)
    assert tail_lemmas.mts_upper_tail() > 0.0 > tail_lemmas.mts_upper_tail(short=False)


def test_e37_lemma_s9_averages_over_the_sample_mean():
    pulls, horizon, best, sample, rho, epsilon = 38, 10_000, 0.05, 0.3, 1.0, 0.1
    assert pulls > 2 * sample * math.log(2 * horizon) / (0.5 - epsilon) ** 2
    room = rho * 0.3 + best + (1 + rho) * epsilon
    drawn = stats.gamma((1 + pulls) / 2).sf((1 + pulls * sample) / 2 / room)
    assert drawn == pytest.approx(0.98, abs=0.005)
    printed = 1 / (2 * horizon) + math.exp(-pulls * h(sample / (best + epsilon)))
    assert printed == pytest.approx(0.003, abs=5e-5)
    assert tail_lemmas.vts_upper_tail(averaged=True) > 0.0 > tail_lemmas.vts_upper_tail(averaged=False)
    assert tail_lemmas.mts_lower_tail(averaged=True) > 0.0 > tail_lemmas.mts_lower_tail(averaged=False)


def test_e38_the_order_of_the_lower_bound_is_that_of_pulls():
    for gap, apart, together in ((1e-2, 0.064, 0.0026), (1e-3, 0.063, 0.00025), (1e-4, 0.063, 0.000025)):
        close = rb.Problem(rb.GaussianArms([0.5, 0.0], [0.25, 0.25 + gap / 2]), rb.MeanVariance(gap))
        assert theory.lower_bound(close).total * gap**2 == pytest.approx(apart, rel=0.01)
        equal = rb.Problem(rb.GaussianArms([0.0, 0.0], [0.25, 0.25 + gap]), rb.MeanVariance(gap))
        assert theory.lower_bound(equal).total * gap**2 == pytest.approx(together, rel=0.02)
        assert theory.lower_bound(equal).total == pytest.approx(0.25 / gap, rel=0.03)
        assert theory.mvts_rate(equal).total == pytest.approx(theory.lower_bound(equal).total, rel=0.001)


def test_lemma_2_bounds_the_pulls_of_mvts():
    """What the lemma allows on two easy arms, and what MVTS needs there; a wrong first term would show."""
    allowed = tail_lemmas.pulls_bound((0.05, 0.1), (0.55, 0.5), 1.0, 10_000)
    waits = [theory.expected_wait("MVTS", 0.05, 1.0, pulls, 0.25 * 0.55 / 2.0) for pulls in (1, 2, 3)]
    assert 60.0 < allowed < 400.0
    assert allowed > 1.0 + sum(waits)
