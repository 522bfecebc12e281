from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import riskbandits as rb
from identification.twins import mean_variance_elimination
from riskbandits.identification.mean_variance_elimination import value_bounds
from riskbandits.identification.quantile_elimination import quantile_bounds
from riskbandits.identification.samples import fill, run_samples
from riskbandits.identification.successive_rejects import phases, value_of_sample


def test_phases_by_hand():
    # K = 3, n = 103: L = 1/2 + 1/2 + 1/3 = 4/3; n_1 = ceil(100/(4/3 * 3)) = 25, n_2 = ceil(100/(4/3 * 2)) = 38.
    assert phases(3, 103) == [25, 38]
    assert phases(1, 1) == []


@pytest.mark.parametrize(("arms", "budget"), [(2, 3), (2, 10), (5, 6), (15, 1000), (100, 5000)])
def test_phases_never_exceed_the_budget(arms, budget):
    pulls = phases(arms, budget)
    assert sum(pulls) + pulls[-1] <= budget  # one arm is dropped after each phase, two are left in the last
    assert pulls == sorted(pulls)


@pytest.mark.parametrize("level", [0.1, 0.25, 0.5, 0.9])
def test_cvar_of_a_sample_against_its_definition(level):
    rewards = np.round(np.random.default_rng(3).normal(size=37), 1)  # with ties
    definition = max(x - np.maximum(x - rewards, 0.0).mean() / level for x in rewards)
    assert value_of_sample(rb.CVaR(level), rewards) == pytest.approx(definition, abs=1e-12)


def test_successive_rejects_against_a_textbook_twin():
    """The same rewards, arm by arm, with sorting and averaging written out."""
    problem = rb.Problem(rb.GaussianArms([0.0, 0.3, 0.5, 0.6], [0.2, 1.0, 1.5, 2.0]), rb.CVaR(0.2))
    found = rb.identify(problem, rb.SuccessiveRejects(), budget=50, runs=300, seed=4, progress=False)
    rng = np.random.default_rng(11)
    named = np.zeros(4)
    logs = 1 / 2 + 1 / 2 + 1 / 3 + 1 / 4
    for _ in range(3000):
        rewards = rng.normal(problem.means[:, None], np.sqrt(problem.variances)[:, None], size=(4, 50))
        alive = [0, 1, 2, 3]
        for k in (1, 2, 3):
            pulls = math.ceil((50 - 4) / (logs * (4 + 1 - k)))
            tail = {}
            for arm in alive:
                ordered = sorted(rewards[arm, :pulls])
                whole = int(0.2 * pulls)
                tail[arm] = (sum(ordered[:whole]) + (0.2 * pulls - whole) * ordered[whole]) / (0.2 * pulls)
            alive.remove(min(alive, key=tail.get))
        named[alive[0]] += 1
    counts = np.bincount(found.chosen, minlength=4)
    assert stats.chi2_contingency(np.array([counts, named])[:, counts + named > 0]).pvalue > 1e-3
    assert 0.05 < found.error_probability < 0.6  # neither an oracle nor a coin


@pytest.mark.parametrize("level", [0.05, 0.5, 0.8])
@pytest.mark.parametrize("values", [None, (0.0, 1.0)])
def test_quantile_bounds_fail_as_rarely_as_promised(level, values):
    rng = np.random.default_rng(5)
    error, size, runs = 0.05, 60, 4000
    draws = rng.normal(size=(runs, size)) if values is None else rng.choice(values, size=(runs, size), p=(0.3, 0.7))
    truth = stats.norm.ppf(level) if values is None else (0.0 if level <= 0.3 else 1.0)
    bounds = np.array([quantile_bounds(row, level, error) for row in draws])
    allowed = error + 4 * math.sqrt(error * (1 - error) / runs)
    assert (bounds[:, 0] > truth).mean() <= allowed
    assert (bounds[:, 1] < truth).mean() <= allowed
    if values is None and level == 0.5:  # and they are not wider than the binomial needs
        assert (bounds[:, 0] > truth).mean() > 0.015
        assert (bounds[:, 1] < truth).mean() > 0.015


@pytest.mark.parametrize("rho", [0.0, 1.0, 100.0])
def test_value_bounds_fail_as_rarely_as_promised(rho):
    rng = np.random.default_rng(6)
    error, runs = 0.1, 4000
    bounds = np.array([value_bounds(row, rho, error) for row in rng.normal(0.5, math.sqrt(0.3), size=(runs, 12))])
    truth = rho * 0.5 - 0.3
    allowed = error + 4 * math.sqrt(error * (1 - error) / runs)
    assert (bounds[:, 0] > truth).mean() <= allowed
    assert (bounds[:, 1] < truth).mean() <= allowed
    if rho == 100.0:  # the mean decides: its bound has half of the error
        assert (bounds[:, 1] < truth).mean() > 0.03


@pytest.mark.parametrize(
    ("rule", "risk"),
    [(rb.QuantileElimination(), rb.ValueAtRisk(0.3)), (rb.MeanVarianceElimination(), rb.MeanVariance(2.0))],
)
def test_elimination_is_right_as_often_as_promised(rule, risk):
    problem = rb.Problem(rb.GaussianArms([0.0, 0.6, 0.9], [0.3, 0.3, 0.4]), risk)
    found = rb.identify(problem, rule, confidence=0.8, runs=100, seed=2, progress=False)
    assert found.finished.all()
    assert found.interval[1] <= 0.2  # all of it
    surer = rb.identify(problem, rule, confidence=0.999, runs=20, seed=2, progress=False)
    assert surer.cost.mean() > found.cost.mean()
    assert surer.errors == 0


@pytest.mark.parametrize(("budget", "within"), [(10**6, 0.0), (300, 0.0), (10**6, 0.6)])
def test_mean_variance_elimination_against_a_textbook_twin(budget, within):
    """The arm, whether for sure, and all pulls, on the same rewards."""
    problem = rb.Problem(rb.GaussianArms([0.0, 0.7, 0.5], [0.3, 0.2, 0.9]), rb.MeanVariance(1.5))
    for run in range(3):
        samples = run_samples(problem, fill, 8, (2,), run)
        found = rb.MeanVarianceElimination(within).choose(samples, problem.risk, budget, 0.9)
        rewards = [samples.ahead(k, 3000).tolist() for k in range(3)]
        arm, sure, pulls = mean_variance_elimination(rewards, 1.5, 0.1, budget, within)
        assert found == (arm, sure)
        assert samples.used.tolist() == [pulls[k] for k in range(3)]


def test_equal_arms_end_with_the_budget_or_with_a_tolerance():
    problem = rb.Problem(rb.GaussianArms([0.0, 0.0], [1.0, 1.0]), rb.MeanVariance(1.0))
    found = rb.identify(problem, rb.MeanVarianceElimination(), confidence=0.9, budget=500, runs=5, progress=False)
    assert not found.finished.any()
    assert (found.cost <= 500).all()
    assert found.errors == 0
    near = rb.identify(problem, rb.MeanVarianceElimination(within=2.0), confidence=0.9, runs=5, progress=False)
    assert near.finished.all()


def test_one_arm():
    problem = rb.Problem(rb.GaussianArms([0.0], [1.0]), rb.CVaR(0.5))
    assert rb.identify(problem, rb.SuccessiveRejects(), budget=1, runs=2, progress=False).errors == 0


def failing_looks(error_of_a_bound, confidence, runs):
    """The share of runs in which some bound of some look is wrong: two equal arms, which never separate for sure."""
    from riskbandits.identification import elimination

    problem = rb.Problem(rb.GaussianArms([0.5, 0.5], [0.3, 0.3]), rb.MeanVariance(2.0))
    truth, failed = 2.0 * 0.5 - 0.3, []

    def watched(rewards, error):
        low, high = value_bounds(rewards, 2.0, error)
        failed[-1] = failed[-1] or not low <= truth <= high
        return low, high

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(elimination, "error_of_a_bound", error_of_a_bound)
        for run in range(runs):
            failed.append(False)
            elimination.eliminate(run_samples(problem, fill, 7, (1,), run), 3000, confidence, 0.0, watched)
    return sum(failed)


def test_all_bounds_of_all_looks_hold_together_as_promised():
    from riskbandits.identification.elimination import error_of_a_bound

    assert rb.metrics.clopper_pearson(failing_looks(error_of_a_bound, 0.7, 100), 100)[1] <= 0.3


def test_bounds_that_forget_how_often_they_are_looked_at_are_caught():
    forgetful = failing_looks(lambda confidence, size, look: (1.0 - confidence) / (2 * size), 0.7, 60)
    assert rb.metrics.clopper_pearson(forgetful, 60)[0] > 0.3
