"""The public names of the package, files that know what they are, and metrics of one's own."""

from __future__ import annotations

import numpy as np
import pytest

import riskbandits as rb

SMALL = {"runs": 4, "seed": 7, "progress": False, "method": "plain"}
PROBLEM = rb.problems.zhu_tan_gaussian(1.0)


def test_errors_are_public_under_their_own_name():
    from riskbandits.core import errors
    from riskbandits.errors import RiskBanditsError

    assert rb.errors.RiskBanditsError is RiskBanditsError is rb.RiskBanditsError
    defined = {
        name for name, one in vars(errors).items() if isinstance(one, type) and one.__module__ == errors.__name__
    }
    assert set(rb.errors.__all__) == defined


def test_only_public_names_are_offered(run_python):
    assert run_python("from riskbandits import *; print(MVTS.__name__, MeanVariance.__name__, simulate.__name__)")
    for name in dir(rb):
        assert getattr(rb, name) is not None
    for name in ("annotations", "np", "TYPE_CHECKING", "core", "simulation", "numerics", "store"):
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
