"""Every kind of interval that claims use, on samples in which one run of a thousand is a disaster; and the guards."""

from __future__ import annotations

import math

import numpy as np
import pytest

import riskbandits as rb
from paper.claims.synthetic import trace
from riskbandits.inference import intervals, ratios
from riskbandits.inference.rare import MANY, Rare, carried_by_one, guard, largest_share
from riskbandits.paper.claims import FAILS, NOT_REFUTED, OPEN, decide
from riskbandits.paper.claims.decisions import STUDIED
from riskbandits.paper.claims.measurements import rare_disasters
from riskbandits.paper.figures import figure_tables
from riskbandits.paper.printed_theorems import easy_problem
from riskbandits.results.result import Result
from riskbandits.results.sweep_result import SweepResult

LOCKED, WORST = 0.001, 10_000.0
USUAL = 100.0  # what other runs cost on average
MEAN = (1.0 - LOCKED) * USUAL + LOCKED * WORST
DEVIATION = math.sqrt((1.0 - LOCKED) * USUAL**2 * (1.0 + 0.25) + LOCKED * WORST**2 - MEAN**2)


def runs_of(rng, runs, locked=LOCKED, worst=WORST):
    """Skewed costs, of which a few are disasters."""
    return np.where(rng.random(runs) < locked, worst, rng.gamma(4.0, 0.25 * USUAL, runs))


def rare(sample, worst=WORST):
    return guard(sample, worst)


def mean(rng, runs):
    return ratios.of_mean(x := runs_of(rng, runs), 2.0, rare(x))


def means(rng, runs):
    return ratios.of_means(x := runs_of(rng, runs), runs_of(rng, runs, 0.0), rare(x))


def turned(rng, runs):
    return ratios.of_means(runs_of(rng, runs, 0.0), y := runs_of(rng, runs), None, rare(y))


def difference(rng, runs):
    return ratios.of_difference(runs_of(rng, runs, 0.0), y := runs_of(rng, runs), None, rare(y))


def paired(rng, runs):
    above = runs_of(rng, runs)
    below = np.where(above == WORST, 0.1 * WORST, rng.gamma(4.0, 0.25 * USUAL, runs))
    return ratios.of_paired(above, below, rare(above), rare(below, 0.1 * WORST))


def spread(rng, runs):
    return ratios.of_spread(x := runs_of(rng, runs), rare(x))


def medians(rng, runs):
    return ratios.of_medians(runs_of(rng, runs), runs_of(rng, runs))


KINDS = {
    mean: MEAN / 2.0,
    means: MEAN / USUAL,
    turned: USUAL / MEAN,
    difference: USUAL - MEAN,
    paired: MEAN / ((1.0 - LOCKED) * USUAL + LOCKED * 0.1 * WORST),
    spread: DEVIATION / MEAN,
    medians: 1.0,
}


@pytest.mark.parametrize("make", KINDS, ids=lambda make: make.__name__)
@pytest.mark.parametrize("runs", [100, 500, 4000])
def test_intervals_cover_with_disasters_in_a_thousandth_of_the_runs(make, runs):
    rng = np.random.default_rng(7)
    repetitions = 400
    ends = [make(rng, runs).interval() for _ in range(repetitions)]
    covered = np.mean([low <= KINDS[make] <= high for low, high in ends])
    assert covered >= 0.93


def test_without_the_guard_they_would_not():
    rng = np.random.default_rng(7)
    ends = [ratios.of_mean(runs_of(rng, 500))._replace(rise=None).interval() for _ in range(400)]
    assert np.mean([low <= MEAN <= high for low, high in ends]) < 0.5


def test_answers_are_as_rarely_wrong_as_intervals():
    """ "At most 105" is false; without the guard half of all samples would say that it is true."""
    rng = np.random.default_rng(8)
    samples = [runs_of(rng, 500) for _ in range(300)]
    guarded = [ratios.of_mean(x, 1.0, rare(x)).p_below(105.0) <= 0.05 for x in samples]
    plain = [ratios.of_mean(x)._replace(rise=None).p_below(105.0) <= 0.05 for x in samples]
    assert np.mean(guarded) <= 0.05
    assert np.mean(plain) > 0.4


def test_p_values_and_intervals_agree():
    rng = np.random.default_rng(9)
    for make in (mean, means, turned, difference, paired):
        one = make(rng, 500)
        low, high = one.interval()
        assert one.p_above(low) == pytest.approx(0.025, rel=1e-6)
        assert one.p_below(high) == pytest.approx(0.025, rel=1e-6)


def test_what_is_bounded_by_theory_or_seen_often_needs_no_guard():
    unseen = Rare(runs=500, seen=0, excess=0.0, largest=WORST)
    assert unseen.rise(0.025) == pytest.approx(WORST * (1.0 - 0.025 ** (1.0 / 500)))
    assert unseen._replace(known=0.0).rise(0.025) == 0.0
    assert unseen._replace(known=3.0).rise(0.025) == 3.0
    assert unseen._replace(seen=MANY + 1).rise(0.025) == 0.0
    # Whatever theory says of runs that never end: one that was seen counts.
    assert unseen._replace(seen=1, known=0.0).rise(0.025) == unseen._replace(seen=1).rise(0.025) > 0.0
    assert (
        unseen._replace(seen=1, known=0.0).spread_rise(0.025, 10.0)
        > 0.0
        == unseen._replace(known=0.0).spread_rise(0.025, 10.0)
    )
    assert guard(np.full(50, 2.0 * WORST), WORST) is None
    assert largest_share(5, 5, 0.025) == 1.0


def test_a_run_that_carries_most_of_the_variance_leaves_the_mean_open():
    """There may be five times as many runs that are as bad: the mean is not known to be below 4, nor to be above 2."""
    values = np.append(np.linspace(1.0, 2.0, 99), 60.0)
    assert carried_by_one(values)
    one = ratios.of_mean(values)
    assert one.value == pytest.approx(2.085)
    assert one.interval()[1] == pytest.approx(one._replace(rise=None).interval()[1] + 58.5 * (0.0545 - 0.009), rel=0.01)
    assert min(one.p_below(4.0), one.p_above(2.0)) > 0.025
    assert one._replace(rise=None).p_below(4.0) < 0.025
    assert not carried_by_one(values[:-1])
    assert ratios.of_mean(values[:-1]).interval()[1] < 2.0


@pytest.mark.parametrize("runs", [10, 40, 200])
def test_means_of_skewed_runs(runs):
    rng = np.random.default_rng(3)
    samples = rng.lognormal(0.0, 0.8, (1500, runs))
    ends = [intervals.mean_interval(one) for one in samples]
    covered = np.mean([low <= math.exp(0.32) <= high for _, low, high in ends])
    assert covered >= 0.93


def test_shares_are_covered_exactly():
    rng = np.random.default_rng(4)
    seen = rng.binomial(500, LOCKED, 500)
    ends = {k: intervals.clopper_pearson(int(k), 500) for k in np.unique(seen)}
    assert np.mean([ends[k][0] <= LOCKED <= ends[k][1] for k in seen]) >= 0.95


def grown(label, policy, runs, locked, rng):
    """Two easy arms: growth of 1 % of what Theorem 2 allows, and in locked runs as fast as can be."""
    problem, steps = easy_problem(), np.array([10_000, 100_000])
    usual = 0.01 * rb.theory.theorem_2(problem).total * np.log(steps) * rng.gamma(25.0, 0.04, (runs, 1))
    values = np.where(np.arange(runs)[:, None] < locked, problem.gaps.max() * steps, usual)
    return Result([trace(problem, label, steps, values, policy)], {}, {})


@pytest.mark.parametrize(
    ("runs", "locked", "expected"),
    [(500, 0, "undecided"), (500, 1, "undecided"), (60_000, 0, "yes"), (60_000, 60, "no")],
)
def test_theorem_2_on_two_easy_arms_is_not_decided_by_luck(runs, locked, expected):
    rng = np.random.default_rng(1)
    made = {
        name: SweepResult("rho", [1.0], [grown("VTS", rb.VTS(), runs, locked, rng)])
        for name in ("growth", "growth-vts")
    }
    # The other experiments say nothing here: only rows on the easy arms are looked at.
    from riskbandits.paper.claims.evidence import judge
    from riskbandits.paper.claims.rate_claims import EASY, below

    (row,) = judge(below(rb.theory.theorem_2, "VTS", {"growth": EASY})(made))
    assert row.says == expected
    assert {FAILS, NOT_REFUTED, OPEN} >= {one.verdict for one in decide(made, ["theorem-2"])}


def test_the_summary_of_a_reproduction_counts_them():
    problem, steps = rb.problems.zhu_tan_gaussian(1.0), np.array([15_000, 30_000])
    values = np.random.default_rng(2).gamma(25.0, 4.0, (100, 1)) * [0.9, 1.0]
    traces = [
        trace(problem, label, steps, values, policy) for label, policy in (("VTS", rb.VTS()), ("MVTS", rb.MVTS()))
    ]
    outcome = SweepResult("rho", [1.0], [Result(traces, {}, {})])
    tables = {"figure-4": {"": outcome.table(), "runs": figure_tables.runs_table(outcome)}}
    rows = figure_tables.rank_policies(tables, {"figure-4": outcome}).set_index("policy")
    mean, low, high = (rows[f"exact_pseudo_regret_{name}"] for name in ("mean", "low", "high"))
    assert (high - mean)["MVTS"] == pytest.approx((mean - low)["MVTS"])
    none_of_100 = 1.0 - 0.025**0.01
    assert (high - mean)["VTS"] == pytest.approx(
        (mean - low)["VTS"] + none_of_100 * 30_000 * problem.gaps.max(), rel=0.01
    )


def test_whom_theory_clears():
    """At the paper's extreme rho nobody of the two can lock; MVTS never does."""
    values = np.ones(500)
    steps = np.array([30_000])

    def feared(rho, policy):
        problem = rb.problems.zhu_tan_gaussian(rho)
        return rare_disasters(trace(problem, "x", steps, values[:, None], policy), values, 30_000.0)

    assert feared(0.001, rb.VTS()) is None
    assert feared(1000.0, rb.MTS()) is None
    assert feared(1.0, rb.MVTS()) is None
    assert feared(1.0, rb.VTS()).rise(0.025) == pytest.approx(0.0073507 * 21_299, rel=1e-3)
    assert feared(0.001, rb.MTS()).known == pytest.approx(30_000 * rb.problems.zhu_tan_gaussian(0.001).gaps.max())
    assert "growth-vts" in STUDIED


@pytest.mark.parametrize(
    ("policy", "arms", "rho"),
    [
        (rb.VTS(), rb.GaussianArms([0.2, 0.0], [0.5, 0.6]), 0.2),
        (rb.MTS(), rb.GaussianArms([0.4, 0.0], [1.0, 0.1]), 7.0),
    ],
)
def test_the_bound_on_locked_runs_is_kept(policy, arms, rho):
    """Of runs on two arms, no larger a share leaves the best arm for good than the bound says."""
    problem = rb.Problem(arms, rb.MeanVariance(rho))
    allowed = rb.theory.lock_share(type(policy).__name__, problem)
    assert 0.001 < allowed < 0.2
    result = rb.simulate(problem, [policy], horizon=4000, runs=4000, seed=1, progress=False)
    [trace] = result.traces
    assert 0.0 < rb.metrics.locked(trace).mean() <= allowed  # whether it settled there or may come back
    assert rb.metrics.settled(trace).mean() <= allowed
