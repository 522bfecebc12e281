"""Relative regret: the arithmetic by hand, and the intervals on synthetic runs of which the truth is known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from riskbandits.inference.bootstrap import interval
from riskbandits.results.relative import average, relative
from riskbandits.results.run_samples import RunSamples, log_regrets, resample_means

A, B, C = [1.0, 3.0, 1.0, 3.0], [2.0, 8.0, 4.0, 8.0], [0.5, 6.0, 0.5, 6.0]


def outcome(rows, paired=True):
    final = np.array(rows, dtype=float)
    labels = tuple("ABCDEFG"[: len(rows)])
    none = np.zeros(final.shape, dtype=bool)
    return RunSamples(labels, 0.5 * final, final, none, (50, 100), paired, none)


def bootstrap(rows, replicates=50, paired=True):
    return resample_means(outcome(rows, paired), np.random.default_rng(0), replicates)


def test_means_of_halves_by_hand():
    means = bootstrap([A, B])
    assert [half[:, 0].tolist() for half in means.halves] == [[1.0, 3.0], [3.0, 8.0]]
    assert means.final[:, 0].tolist() == [2.0, 5.5]
    np.testing.assert_allclose(means.growth[:, 0], [1.0 / np.log(2), 2.75 / np.log(2)])


def test_ratios_by_hand():
    # A is best in both halves: B is 8/3 times worse on the odd runs and 3/1 on the even ones.
    np.testing.assert_allclose(np.exp(relative(bootstrap([A, B]))[:, 0]), [1.0, np.sqrt(8.0)])
    # Even runs pick C, which is measured on odd ones, where A has 3/6, B 8/6. Odd runs pick A: 1, 3/1 and 0.5/1.
    ratios = np.exp(relative(bootstrap([A, B, C]))[:, 0])
    np.testing.assert_allclose(ratios, [np.sqrt(0.5), 2.0, np.sqrt(0.5)])


def test_an_odd_number_of_runs():
    means = bootstrap([[1.0, 2.0, 3.0, 2.0, 5.0]])
    assert [half[0, 0] for half in means.halves] == [3.0, 2.0]
    assert means.final[0, 0] == pytest.approx(13.0 / 5.0)


def test_replicates_are_means_of_drawn_runs():
    means = bootstrap([A, B, [0.0, 0.0, 2.0, 2.0]], replicates=4000)
    # Two of the runs {0, 2}, with replacement: 0, 1 or 2 with chances 1/4, 1/2, 1/4.
    values, counts = np.unique(means.halves[0][2, 1:], return_counts=True)
    assert values.tolist() == [0.0, 1.0, 2.0]
    np.testing.assert_allclose(counts / 4000, [0.25, 0.5, 0.25], atol=0.035)


def test_few_replicates_do_not_shorten_an_interval():
    """One more draw falls below the k-th smallest of B with probability k / (B + 1): 25 of 999 leave 2.5 %."""
    replicates = np.append(500.0, np.random.default_rng(3).permutation(np.arange(1.0, 1000.0)))
    np.testing.assert_allclose(interval(replicates, runs=10**9), [500.0, 25.0, 975.0], atol=1e-3)


def test_paired_runs_are_drawn_together():
    rng = np.random.default_rng(1)
    x = rng.lognormal(size=60)
    rows = [x, 3.0 * x]
    together, apart = (bootstrap(rows, 500, paired).final for paired in (True, False))
    np.testing.assert_allclose(together[1], 3.0 * together[0])
    assert np.std(log_regrets(apart[1]) - log_regrets(apart[0])) > 0.05


def test_a_regret_of_zero_gives_numbers():
    ratios = relative(bootstrap([[0.0] * 4, [1.0] * 4, [0.0] * 4]))
    assert np.isfinite(ratios).all()
    assert ratios[[0, 2]].tolist() == np.zeros((2, 51)).tolist()
    assert (ratios[1] > 600).all()


def test_averages_by_hand():
    values = np.tile(np.array([[1.0], [2.0], [6.0]]), (1, 200))
    assert average(values, ["", "", ""], runs=40) == (3.0, 3.0, 3.0)
    # Two draws of one population: Student's t with 1 degree of freedom, of a sum whose standard error is 4.
    estimate, low, high = average(values, ["", "d", "d"], runs=40)
    half = 12.7062047 * np.std([2.0, 6.0], ddof=1) * np.sqrt(2.0) / 3.0
    np.testing.assert_allclose([estimate, low, high], [3.0, 3.0 - half, 3.0 + half])
    # What rare disasters may do goes to one side only, and adds up: problems lack them in the same direction.
    estimate, low, high = average(
        values, ["", "", ""], 40, up=np.array([3.0, 4.0, 0.0]), down=np.array([0.0, 0.0, 6.0])
    )
    np.testing.assert_allclose([estimate, low, high], [3.0, 3.0 - 6.0 / 3.0, 3.0 + 7.0 / 3.0])


def test_few_runs_make_wide_intervals():
    normal = np.random.default_rng(0).standard_normal((1, 100_001))
    normal[0, 0] = 0.0
    for runs, parts, degrees in ((10, 1, 9), (10, 2, 8), (4, 2, 2)):
        _, low, high = interval(normal, runs, parts)
        expected = stats.t.ppf(0.975, degrees) * np.sqrt(runs / parts / (runs / parts - 1.0))
        np.testing.assert_allclose([-low[0], high[0]], expected, rtol=0.02 if runs > 4 else 0.3)


# Four policies: three equal ones and one that is worse by this factor, and how runs spread about their mean.
EFFECTS = np.array([0.0, 0.0, 0.0, 0.5])
SPREAD = 0.8


def runs_of(effects, runs, rng, paired):
    """Log-normal regrets with these means."""
    noise = rng.standard_normal((len(effects), runs))
    if paired:
        noise = 0.8 * rng.standard_normal(runs) + 0.6 * noise
    return np.exp(effects[:, None] + SPREAD * noise - 0.5 * SPREAD**2)


def simple(means):
    """What one would do without thinking: divide by the smallest mean of all runs."""
    values = log_regrets(means.final)
    return values - values.min(axis=0)


def covers(ratios, draws, truth, runs=40):
    ends = np.array([average(row, draws, runs) for row in ratios])
    return (ends[:, 1] <= truth) & (truth <= ends[:, 2])


@pytest.mark.parametrize("paired", [True, pytest.param(False, marks=pytest.mark.full)])
def test_intervals_over_runs_cover_the_truth(paired):
    rng = np.random.default_rng(2)
    problems, repetitions, hits, naive = 4, 200, np.zeros(4), np.zeros(4)
    for _ in range(repetitions):
        means = [resample_means(outcome(runs_of(EFFECTS, 40, rng, paired), paired), rng, 200) for _ in range(problems)]
        crossed = np.stack([relative(one) for one in means], axis=1)
        hits += covers(crossed, [""] * problems, EFFECTS)
        naive += covers(np.stack([simple(one) for one in means], axis=1), [""] * problems, EFFECTS)
    # Where policies tie, which one is picked varies from replicate to replicate: intervals are then a little wide.
    assert (hits / repetitions >= 0.93).all()
    assert hits[3] / repetitions < 1.0
    assert (naive / repetitions < 0.75).all()


def test_intervals_over_problems_cover_the_truth():
    rng = np.random.default_rng(3)
    problems, repetitions, hits = 10, 500, np.zeros(4)
    between = 0.3
    drawn = EFFECTS + between * rng.standard_normal((400_000, 4))
    truth = EFFECTS - drawn.min(axis=1).mean()
    for _ in range(repetitions):
        effects = EFFECTS + between * rng.standard_normal((problems, 4))
        # No replicates: the intervals are over problems.
        means = [resample_means(outcome(runs_of(row, 40, rng, True)), rng, 1) for row in effects]
        crossed = np.stack([relative(one) for one in means], axis=1)
        hits += covers(crossed, ["d"] * problems, truth)
    assert (hits / repetitions >= 0.93).all()
    assert (hits / repetitions <= 0.99).all()
