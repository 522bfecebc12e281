from __future__ import annotations

import json

import pytest

import riskbandits as rb

ARMS = ("identify", "--arms", "gaussian(means=[0, 1], variances=[1, 1])")


def test_the_numbers_of_the_library(command):
    code, out, err = command(*ARMS, "--risk", "cvar:0.3", "--budget", "40", "--runs", "30", "--seed", "3", "--json")
    assert code == 0, err
    data = json.loads(out)
    problem = rb.Problem(rb.GaussianArms([0, 1], [1, 1]), rb.CVaR(0.3))
    found = rb.identify(problem, rb.SuccessiveRejects(), budget=40, runs=30, seed=3, progress=False)
    assert data["table"][0]["error_probability"] == found.error_probability
    assert data["table"][0]["cost_mean"] == found.cost.mean()
    assert sum(data["named"]) == 30
    assert data["settings"]["rule"]["class"] == "SuccessiveRejects"


def test_confidence_alone_is_enough(command):
    data = json.loads(command(*ARMS, "--confidence", "0.9", "--runs", "3", "--json")[1])
    assert data["settings"]["rule"]["class"] == "MeanVarianceElimination"
    assert (data["named"], data["named_none"]) == ([0, 3], 0)


def test_no_arm_may_be_the_answer(command):
    arms = ("identify", "--arms", "bernoulli(probabilities=[0.4, 0.5])", "--risk", "variance-constrained:0.1")
    data = json.loads(command(*arms, "--rule", "va-lucb", "--confidence", "0.9", "--runs", "3", "--json")[1])
    assert (data["best_arm"], data["named"], data["named_none"]) == (None, [0, 0], 3)
    assert data["table"][0]["error_probability"] == 0.0
    assert "none meets the condition" in command(*arms, "--confidence", "0.9", "--runs", "3")[1]


def test_a_table_for_people(command):
    goal = ("--risk", "value-at-risk:0.5", "--rule", "quantile-elimination(within=0.5)", "--confidence", "0.9")
    code, out, _ = command(*ARMS, *goal, "--runs", "5")
    assert code == 0
    assert "QuantileElimination" in out
    assert "wrong arm [95 %]" in out
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--budget", "1"), "more than the number of arms"),
        ((), "give budget=N"),
        (("--rule", "quantile-elimination", "--confidence", "0.9"), "defined for ValueAtRisk only"),
        (("--rule", "sucessive-rejects"), "Did you mean 'successive-rejects'"),
    ],
)
def test_bad_input_is_one_sentence(command, arguments, words):
    code, out, err = command(*ARMS, *arguments)
    assert (code, out) == (2, "")
    assert words in err


def test_every_rule_is_listed_with_when_to_use_it(command):
    rows = json.loads(command("list", "rules", "--json")[1])
    assert {row["class"] for row in rows} == {rule.__name__ for rule in rb.identification.RULES}
    assert all(row["when"].startswith("Use it") for row in rows)
