"""LUCB for bounded rewards: against a slow twin, and whether it keeps its promise."""

from __future__ import annotations

import inspect
import math

import numpy as np
import pytest

import riskbandits as rb
from identification.twins import va_lucb
from riskbandits.compiling import jit
from riskbandits.core.errors import RiskBanditsError
from riskbandits.identification import lucb
from riskbandits.identification.samples import fill, run_samples

# Two safe arms, one with a good mean that is too wild, one that is nearly so.
MIXED = rb.BernoulliArms([0.04, 0.12, 0.5, 0.8])
WILD = rb.BernoulliArms([0.4, 0.5])
UNIFORM = rb.UniformArms([0.0, 0.3], [1.0, 0.5])


def played(problem, rule, confidence, budget, run):
    samples = run_samples(problem, fill, 5, (1,), run)
    decision = rule.choose(samples, problem.risk, budget, confidence)
    rewards = [samples.ahead(k, int(samples.used.max())).tolist() for k in range(problem.size)]
    return decision, samples.used.tolist(), rewards


ENDINGS = {
    "all are safe": (rb.BernoulliArms([0.04, 0.8]), 0.6, (1, True)),
    "none is": (WILD, 0.01, (None, True)),
    "one is out": (rb.BernoulliArms([0.0, 0.5, 0.02]), 0.06, None),
    "the budget ends": (MIXED, 0.1, None),
}


@pytest.mark.parametrize("case", ENDINGS)
def test_va_lucb_against_its_twin(case):
    """The arm, how it ended and all pulls, on the same rewards."""
    arms, limit, ending = ENDINGS[case]
    problem = rb.Problem(arms, rb.VarianceConstrained(limit))
    for run in range(2):
        decision, used, rewards = played(problem, rb.VALUCB(), 0.5, 900, run)
        arm, ended, pulls = va_lucb(rewards, limit, 0.5, 900)
        assert decision == (arm, ended == "named")
        assert used == [pulls[k] for k in range(problem.size)]
        assert ending in (None, decision)


@pytest.mark.parametrize("within", [0.0, 0.7])
def test_mean_variance_lucb_against_its_twin(within):
    rho, low, high = 1.5, -1.0, 2.0
    problem = rb.Problem(rb.UniformArms([-1.0, 1.0], [0.0, 2.0]), rb.MeanVariance(rho))
    rule = rb.MeanVarianceLUCB(within, low, high)
    for run in range(2):
        decision, used, rewards = played(problem, rule, 0.4, 900, run)
        width = (rho + (high - low)) * (high - low)
        arm, ending, pulls = va_lucb(rewards, math.inf, 0.6, 900, lambda m, v: rho * m - v, width, within)
        assert (decision.arm, decision.finished) == (arm, ending == "named")
        assert used == [pulls[k] for k in range(problem.size)]


CASES = {
    "the best is safe": (rb.VALUCB(), rb.Problem(MIXED, rb.VarianceConstrained(0.2)), 3),
    "none is safe": (rb.VALUCB(), rb.Problem(WILD, rb.VarianceConstrained(0.1)), -1),
    "mean-variance": (rb.MeanVarianceLUCB(), rb.Problem(rb.BernoulliArms([0.5, 0.9]), rb.MeanVariance(0.5)), 1),
    "another range": (
        rb.MeanVarianceLUCB(low=-1.0, high=3.0),
        rb.Problem(rb.UniformArms([-1.0, 1.0], [3.0, 1.5]), rb.MeanVariance(0.5)),
        1,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_promise_is_kept(case):
    """The whole 95 % interval of the error probability lies below what is promised."""
    rule, problem, answer = CASES[case]
    found = rb.identify(problem, rule, confidence=0.9, runs=60, seed=3, progress=False)
    assert found.finished.all()
    assert found.interval[1] <= 0.1
    assert np.bincount(found.chosen + 1).argmax() == answer + 1


# Each makes the rule break its promise in a place of its own, on arms (their means, the limit) where that shows.
MUTANTS = {
    "the root is forgotten": (
        "math.sqrt(0.5 * spread / known[k, COUNT])",
        "0.5 * spread / known[k, COUNT] ** 2",
        ([0.06, 0.09, 0.45], 0.2),
    ),
    "an arm that may be wild is safe": (
        "if variance + variance_radius * r <= limit and",
        "if True and",
        ([0.06, 0.09, 0.45], 0.2),
    ),
    "rivals have no bound": (
        "values[k] + radii[k] >= values[safe] - radii[safe]",
        "values[k] >= values[safe]",
        ([0.45, 0.5], 0.6),
    ),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_rule_that_breaks_its_promise_is_caught(mutant, monkeypatch):
    """The same check with each change, in plain Python; the rule as it is passes on the same arms."""
    old, new, (means, limit) = MUTANTS[mutant]
    problem = rb.Problem(rb.BernoulliArms(means), rb.VarianceConstrained(limit))
    source = inspect.getsource(lucb.rounds)
    assert source.count(old) == 1
    right = rb.identify(problem, rb.VALUCB(), confidence=0.9, runs=40, seed=3, progress=False)
    assert right.finished.all()
    assert right.interval[0] <= 0.1
    names = dict(vars(lucb))
    exec("from __future__ import annotations\n" + source.replace(old, new), names)
    monkeypatch.setattr(jit, "entry", lambda function, classes: names["rounds"])
    decisions = [played(problem, rb.VALUCB(), 0.9, 2000, run)[0] for run in range(40)]
    assert sum(one.finished for one in decisions) > 10
    wrong = sum(one.finished and one.arm != problem.best_arm for one in decisions)
    assert rb.metrics.clopper_pearson(wrong, 40)[0] > 0.1


def test_confidence_alone_finds_a_rule_whose_promise_holds():
    cases = [
        (rb.GaussianArms([0, 1], [1, 1]), rb.MeanVariance(1.0), "MeanVarianceElimination"),
        (rb.CorrelatedGaussianArms([0, 1], [[1, 0.5], [0.5, 1]]), rb.MeanVariance(1.0), "MeanVarianceElimination"),
        (rb.BernoulliArms([0.5, 0.95]), rb.MeanVariance(1.0), "MeanVarianceLUCB"),
        (rb.BernoulliArms([0.5, 0.95]), rb.VarianceConstrained(0.15), "VALUCB"),
        (rb.GaussianArms([0, 2], [1, 1]), rb.ValueAtRisk(0.3), "QuantileElimination"),
    ]
    for arms, risk, rule in cases:
        found = rb.identify(rb.Problem(arms, risk), confidence=0.8, runs=2, progress=False)
        assert (found.rule, found.errors) == (rule, 0)
    assert rb.identify(rb.Problem(*cases[0][:2]), budget=100, runs=2, progress=False).rule == "SuccessiveRejects"


@pytest.mark.parametrize(
    ("arms", "risk", "goal", "words"),
    [
        (rb.StudentTArms([0, 1], [1, 1], [5, 5]), rb.MeanVariance(1.0), {"confidence": 0.9}, "No rule guarantees"),
        (rb.GaussianArms([0, 1], [1, 1]), rb.CVaR(0.1), {"confidence": 0.9}, "CVaR of GaussianArms: give a budget"),
        (rb.GaussianArms([0, 1], [1, 1]), rb.MeanVariance(1.0), {"confidence": 2}, "between 0 and 1"),
        (rb.BernoulliArms([0.2, 0.5]), rb.MeanVariance(1.0), {"rule": rb.VALUCB(), "confidence": 0.9}, "defined for"),
        (
            rb.GaussianArms([0, 1], [1, 1]),
            rb.VarianceConstrained(1.0),
            {"rule": rb.VALUCB(), "confidence": 0.9},
            "lie between 0 and 1",
        ),
        (
            rb.BernoulliArms([0.2, 0.5]),
            rb.VarianceConstrained(0.1),
            {"rule": rb.VALUCB(1.0, 0.0), "confidence": 0.9},
            r"above its 'low' parameter \(1\)",
        ),
        (
            rb.BernoulliArms([0.2, 0.5]),
            rb.VarianceConstrained(0.1),
            {"rule": rb.VALUCB(), "confidence": 0.9, "budget": 3},
            "at least 2 rewards per arm",
        ),
    ],
)
def test_what_cannot_be_promised_is_refused(arms, risk, goal, words):
    with pytest.raises(RiskBanditsError, match=words):
        rb.identify(rb.Problem(arms, risk), runs=2, progress=False, **goal)


def test_where_no_arm_meets_the_condition_none_is_right():
    problem = rb.Problem(WILD, rb.VarianceConstrained(0.1))
    assert not problem.admissible.any()
    found = rb.identify(problem, rb.VALUCB(), confidence=0.9, runs=3, progress=False)
    assert found.chosen.tolist() == [-1, -1, -1]
    assert found.errors == 0
    assert found.arms()["named"].tolist() == [0.0, 0.0]
    assert "Best arm: none meets the condition. Named: none 100.0 %." in " ".join(str(found).split())
    named = rb.identify(problem, rb.SuccessiveRejects(), budget=50, runs=3, progress=False)
    assert named.errors == 3


def test_a_condition_is_worth_more_than_everything_else():
    problem = rb.Problem(MIXED, rb.VarianceConstrained(0.11))
    assert problem.admissible.tolist() == [True, True, False, False]
    assert problem.best_arm == 1
    with pytest.raises(RiskBanditsError, match="'lowest' parameter must lie below every mean"):
        rb.Problem(rb.GaussianArms([-3.0, 1.0], [1.0, 2.0]), rb.VarianceConstrained(1.5))
    low = rb.Problem(rb.GaussianArms([-3.0, 1.0], [1.0, 2.0]), rb.VarianceConstrained(1.5, lowest=-5.0))
    assert low.best_arm == 0


def test_one_arm():
    for risk, rule, arm in (
        (rb.VarianceConstrained(0.2), rb.VALUCB(), 0),
        (rb.VarianceConstrained(0.05), rb.VALUCB(), -1),
        (rb.MeanVariance(1.0), rb.MeanVarianceLUCB(), 0),
    ):
        found = rb.identify(rb.Problem(rb.BernoulliArms([0.1]), risk), rule, confidence=0.9, runs=2, progress=False)
        assert (found.chosen == arm).all()
        assert found.finished.all()
