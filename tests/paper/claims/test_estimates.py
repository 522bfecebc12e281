from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from riskbandits.inference import ratios
from riskbandits.inference.ratios import Ratio


def samples(seed=0, runs=(40, 60)):
    """Symmetric ones: skewness plays no part."""
    rng = np.random.default_rng(seed)
    first, second = rng.normal(0.0, 1.0, runs[0] // 2), rng.normal(0.0, 0.5, runs[1] // 2)
    return 3.0 + np.concatenate([first, -first]), 2.0 + np.concatenate([second, -second])


def test_at_one_the_test_is_welchs_and_the_interval_agrees_with_it():
    above, below = samples()
    ratio = ratios.of_means(above, below)
    statistic = stats.ttest_ind(above, below, equal_var=False).statistic
    assert ratio.p_above(1.0) == pytest.approx(stats.t.sf(statistic, 39), rel=1e-9)
    assert ratio.p_above(1.0) + ratio.p_below(1.0) == pytest.approx(1.0)
    low, high = ratio.interval(0.05)
    assert low < ratio.value < high
    assert ratio.p_above(low) == pytest.approx(0.025, abs=1e-9)
    assert ratio.p_below(high) == pytest.approx(0.025, abs=1e-9)


def test_a_difference_is_welchs_too():
    first, second = samples()
    difference = ratios.of_difference(first, second)
    expected = stats.ttest_ind(first, second, equal_var=False)
    assert difference.value == pytest.approx(first.mean() - second.mean())
    assert difference.p_above(0.0) == pytest.approx(stats.t.sf(expected.statistic, 39), rel=1e-9)


def test_skewness_is_counted_on_the_side_where_student_falls_short():
    """By a sixth of the skewness of the mean, times 1 + 2 t^2, standard errors; never in favour of an answer."""
    sample = np.random.default_rng(1).gamma(4.0, 0.25, 30)
    one = ratios.of_mean(sample)
    student = stats.t.interval(0.95, 29, sample.mean(), stats.sem(sample))
    low, high = one.interval()
    skewness = stats.skew(sample, bias=False) / math.sqrt(30)
    assert low == pytest.approx(student[0])
    beyond = skewness / 6.0 * (1.0 + 2.0 * stats.t.ppf(0.975, 29) ** 2) * stats.sem(sample)
    assert high == pytest.approx(student[1] + beyond)
    assert one.p_below(high) == pytest.approx(0.025)
    assert one.p_below(1.5) > stats.t.cdf((sample.mean() - 1.5) / stats.sem(sample), 29)
    mirrored = ratios.of_mean(-sample).interval()
    assert mirrored == pytest.approx((-high, -low))


def coverage(make, truth, times=1500):
    rng = np.random.default_rng(5)
    hits = 0
    for _ in range(times):
        low, high = make(rng).interval(0.05)
        hits += low <= truth <= high
    return hits / times


@pytest.mark.parametrize(
    ("make", "truth"),
    [
        (lambda rng: ratios.of_means(rng.gamma(4.0, 1.0, 60), rng.gamma(4.0, 0.5, 30)), 2.0),
        (lambda rng: paired(rng), 2.0),
    ],
    ids=["means", "paired"],
)
def test_intervals_cover(make, truth):
    standard_error = math.sqrt(0.05 * 0.95 / 1500)
    assert coverage(make, truth) == pytest.approx(0.95, abs=4.0 * standard_error + 0.005)


def paired(rng):
    shared = rng.normal(2.0, 1.0, 60)
    return ratios.of_paired(2.0 * shared + rng.normal(0.0, 0.3, 60), shared)


def test_leaving_out_the_covariance_would_show():
    def without(rng):
        return paired(rng)._replace(covariance=0.0)

    assert coverage(without, 2.0, 300) > 0.99


def test_data_that_say_nothing_leave_everything_possible():
    unclear = Ratio(1.0, 0.1, 0.5, 0.5, freedom=9.0)
    assert unclear.interval() == (-math.inf, math.inf)
    single = ratios.of_means(np.array([2.0]), np.array([1.0]))
    assert single.interval() == (-math.inf, math.inf)
    assert single.p_above(1.0) == single.p_below(1.0) == 1.0
    assert ratios.of_spread(np.array([1.0, 1.0])).p_below(0.5) == 1.0


def test_what_is_computed_is_certain():
    exact = ratios.computed(1.5)
    assert exact.interval() == (1.5, 1.5)
    assert (exact.p_above(1.0), exact.p_below(1.0)) == (0.0, 1.0)
    assert (exact.p_above(1.5), exact.p_below(1.5)) == (1.0, 1.0)
    assert ratios.computed(math.inf).p_above(1.0) == 0.0
