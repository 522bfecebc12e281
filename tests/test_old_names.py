"""Spellings of version 0.1 go on for one release, and say the new one."""

from __future__ import annotations

import importlib
import sys

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.core import moved

SMALL = {"runs": 4, "seed": 7, "progress": False, "method": "plain"}
PROBLEM = rb.problems.zhu_tan_gaussian(1.0)


def same(first, second):
    assert (first.sums == second.sums).all()


def test_places_and_threads():
    new = rb.simulate(PROBLEM, [rb.UniformRandom()], horizon=20, workers=1, **SMALL).traces[0]
    with pytest.warns(
        FutureWarning, match="simulate with horizon, runs, seed by position is called horizon=.*, seed=.* now"
    ):
        old = rb.simulate(PROBLEM, [rb.UniformRandom()], 20, 4, 7, progress=False, method="plain").traces[0]
    same(old, new)
    with pytest.warns(FutureWarning, match=r"simulate\(threads=...\) is called simulate\(workers=...\) now"):
        same(rb.simulate(PROBLEM, [rb.UniformRandom()], horizon=20, threads=1, **SMALL).traces[0], new)
    with pytest.raises(TypeError, match="multiple values"), pytest.warns(FutureWarning):
        rb.simulate(PROBLEM, [rb.UniformRandom()], 20, horizon=20)


def test_words_of_a_sweep():
    new = rb.sweep(rb.problems.zhu_tan_gaussian, [0.5, 2.0], [rb.UniformRandom()], horizon=20, **SMALL)
    with pytest.warns(FutureWarning, match="is called sweep"):
        old = rb.sweep(
            problem_for_rho=rb.problems.zhu_tan_gaussian,
            rhos=[0.5, 2.0],
            policies=[rb.UniformRandom()],
            horizon=20,
            **SMALL,
        )
    same(old.results[1].traces[0], new.results[1].traces[0])


@pytest.mark.parametrize(
    "arguments", [([rb.UniformRandom()], {"a": PROBLEM}), ({"mine": rb.UniformRandom()}, [PROBLEM])]
)
def test_policies_before_the_suite(arguments):
    policies, suite = arguments
    new = rb.compare(suite, policies, horizon=20, **SMALL)
    with pytest.warns(FutureWarning, match=r"compare\(suite, policies\)"):
        old = rb.compare(policies, suite, horizon=20, **SMALL)
    assert (old.kept[0].final == new.kept[0].final).all()
    with pytest.warns(FutureWarning, match=r"Comparison.outcomes is called Comparison.kept now"):
        assert old.outcomes is old.kept
    with pytest.warns(FutureWarning, match=r"compare\(suite, policies\)"):
        assert rb.compare(policies, horizon=20, **SMALL).suite.name == "paper"
    with pytest.raises(rb.RiskBanditsError, match="The suite must be a name"):  # a name that was never given
        rb.compare(None, policies, horizon=20, **SMALL)


@pytest.mark.parametrize("old", moved.MODULES)
def test_modules_that_moved(old):
    sys.modules.pop(old, None)
    with pytest.warns(FutureWarning, match=f"{old} is called {moved.MODULES[old]} now"):
        module = importlib.import_module(old)
    assert module is importlib.import_module(moved.MODULES[old])
    assert module.__spec__.name == moved.MODULES[old]


def test_parts_of_modules_that_moved_exist_once():
    sys.modules.pop("riskbandits.experiments.layout", None)
    sys.modules.pop("riskbandits.experiments", None)  # it says both, whichever test came before
    with pytest.warns(FutureWarning, match=r"is called riskbandits\.paper"):
        layout = importlib.import_module("riskbandits.experiments.layout")
    assert layout is importlib.import_module("riskbandits.paper.layout")


def test_errors_are_public_under_their_own_name(recwarn):
    from riskbandits.errors import RiskBanditsError

    assert rb.errors.RiskBanditsError is RiskBanditsError is rb.RiskBanditsError
    assert not [warning for warning in recwarn if issubclass(warning.category, FutureWarning)]


def test_only_public_names_are_offered(run_python):
    assert run_python("from riskbandits import *; print(MVTS.__name__, MeanVariance.__name__, simulate.__name__)")
    for name in dir(rb):
        assert getattr(rb, name) is not None
    for name in ("moved", "annotations", "np", "TYPE_CHECKING", "core", "simulation", "numerics", "store"):
        assert name not in dir(rb)


def test_files_know_what_they_are(tmp_path):
    result = rb.simulate(PROBLEM, [rb.UniformRandom(), rb.MVTS()], horizon=20, **SMALL)
    swept = rb.sweep(rb.problems.zhu_tan_gaussian, [0.5, 2.0], [rb.UniformRandom()], horizon=20, **SMALL)
    compared = rb.compare([PROBLEM], [rb.UniformRandom()], horizon=20, **SMALL)
    learner = rb.Learner(rb.MVTS(), arms=["a", "b"], risk=rb.MeanVariance(1.0))
    suite = rb.Suite.of([PROBLEM], name="mine")
    for thing in (result, swept, compared, learner, suite):
        path = tmp_path / f"{type(thing).__name__}{'.json' if thing in (learner, suite) else '.parquet'}"
        thing.save(path)
        assert type(rb.load(path)) is type(thing)
    back = rb.load(tmp_path / "SweepResult.parquet")
    assert (back.name, back.values) == ("rho", swept.values)
    assert back.table().equals(swept.table())
    assert (back.results[1].pulls("UniformRandom") == swept.results[1].pulls("UniformRandom")).all()
    assert rb.SweepResult.load_table(tmp_path / "SweepResult.parquet").equals(swept.table())


def test_a_metric_of_ones_own():
    result = rb.simulate(PROBLEM, [rb.UniformRandom()], horizon=20, **SMALL)
    wrong = rb.Metric("wrong", "pulls of other arms", lambda t: t.checkpoints * (1.0 - rb.metrics.best_arm_share(t)))
    table = result.table(metrics=[wrong, "regret"])
    assert table.columns.tolist()[3:9] == [f"wrong_{part}" for part in ("mean", "se", "q05", "q50", "q95")] + [
        "regret_mean"
    ]
    last = table["wrong_mean"].iloc[-1]
    assert np.isclose(last, (20 - result.pulls("UniformRandom")[:, PROBLEM.best_arm]).mean())
    assert result.plot(wrong).get_ylabel() == "pulls of other arms"
    for bad, words in ((lambda t: 1.0, "must return an array"), (lambda t: 1 / 0, "division by zero")):
        with pytest.raises(rb.RiskBanditsError, match=words):
            result.table(metrics=[rb.Metric("bad", "bad", bad)])
