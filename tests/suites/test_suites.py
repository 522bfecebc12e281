from __future__ import annotations

import json

import numpy as np
import pytest

import riskbandits as rb
from riskbandits import suites
from riskbandits.core.errors import FileError, ParameterError, UnknownNameError
from riskbandits.suites.catalogue import rescaled

ARMS = rb.GaussianArms([0.1, 0.7], [0.05, 0.5])
PROBLEM = rb.Problem(ARMS, rb.MeanVariance(1.0))


@pytest.mark.parametrize("name", suites.SUITES)
def test_named_suites_are_data_that_json_can_hold(name, tmp_path):
    suite = suites.named(name)
    names = [case.name for case in suite.cases]
    assert len(set(names)) == len(names) > 3
    assert all(case.source for case in suite.cases)
    again = suites.read_suite(suite.save(tmp_path / "suite.json"))
    assert again == suite


def test_the_paper_at_all_its_rhos():
    assert [case.problem for case in suites.named("paper").cases] == [
        rb.problems.zhu_tan_gaussian(rho) for rho in (1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000)
    ]
    assert [case.problem for case in suites.named("paper-bernoulli").cases] == [
        rb.problems.zhu_tan_bernoulli(k / 9) for k in range(10)
    ]


def test_the_random_suite_has_four_draws_of_each_population():
    draws = [case.draw for case in suites.named("random").cases]
    assert all(draws.count(draw) == 4 for draw in draws)
    assert {case.problem.size for case in suites.named("full").cases} >= {2, 10, 50, 300}


@pytest.mark.parametrize("factor", [100.0, 0.01])
def test_other_units_scale_all_gaps_alike(factor):
    problem = rb.problems.zhu_tan_gaussian(0.7)
    other = rescaled(problem, factor)
    np.testing.assert_allclose(other.gaps, factor**2 * problem.gaps, rtol=1e-9, atol=0)
    assert other.best_arm == problem.best_arm
    bound = rb.theory.lower_bound
    assert bound(other).total == pytest.approx(factor**2 * bound(problem).total)


def test_a_suite_of_ones_own():
    assert [case.name for case in suites.find([PROBLEM]).cases] == ["problem-1"]
    assert suites.find({"a": PROBLEM}) == rb.Suite.of({"a": PROBLEM})
    assert suites.find("PAPER_bernoulli").name == "paper-bernoulli"


def test_a_file_as_people_write_it(tmp_path):
    path = tmp_path / "mine.json"
    short = {"name": "a", "means": [0.1, 0.7], "variances": [0.05, 0.5], "rho": 1}
    path.write_text(json.dumps({"name": "mine", "problems": [short, {"probabilities": [0.2, 0.5], "rho": 0.3}]}))
    suite = suites.find(str(path))
    assert suite.cases[0].problem == PROBLEM
    assert suite.cases[1].name == "problem-2"
    assert suite.cases[1].problem == rb.Problem(rb.BernoulliArms([0.2, 0.5]), rb.MeanVariance(0.3))


SAME = rb.Problem(rb.GaussianArms([1.0, 1.0], [2.0, 2.0]), rb.MeanVariance(1.0))
BAD = [
    ("papr", UnknownNameError, "There is no suite 'papr'. Did you mean 'paper'?"),
    ("nowhere.json", FileError, "There is no file 'nowhere.json'"),
    (3, ParameterError, "The suite must be a name, a Suite, a .json file or a list of problems. Got 3"),
    (PROBLEM, ParameterError, "a list of problems"),
    ([], ParameterError, "non-empty"),
    ([1], ParameterError, "'problem-1' of the suite must be a Problem"),
    ([SAME], ParameterError, "'problem-1' all arms are equally good"),
]


@pytest.mark.parametrize(("suite", "error", "words"), BAD)
def test_bad_suites(suite, error, words):
    with pytest.raises(error, match=words):
        suites.find(suite)


BAD_FILES = [
    ("[]", 'an object with a list called "problems"'),
    ("{", "could not be read as a suite"),
    ('{"problems": []}', "non-empty"),
    ('{"problems": [3]}', "Problem 1 of the suite must be an object. Got 3"),
    ('{"problems": [{"means": [1, 2]}]}', "must be given means, variances and rho; .* Got \\['means'\\]"),
    ('{"problems": [{"means": [1, 2], "variances": [1, -2], "rho": 1}]}', ">= 0. Got -2"),
    ('{"problems": [{"arms": 1, "risk": 2}]}', '"class" and its "fields"'),
    ('{"problems": [{"arms": {"class": "GausianArms", "fields": {}}, "risk": {}}]}', "Did you mean 'GaussianArms'"),
]


@pytest.mark.parametrize(("text", "words"), BAD_FILES)
def test_bad_files(tmp_path, text, words):
    path = tmp_path / "mine.json"
    path.write_text(text)
    with pytest.raises(rb.RiskBanditsError, match=words):
        suites.find(path)


def test_names_must_differ():
    case = suites.Case("a", "f", PROBLEM)
    with pytest.raises(ParameterError, match="different from each other. Got 'a'"):
        suites.find(rb.Suite("s", "", (case, case)))
