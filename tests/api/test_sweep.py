"""Sweeps: many problems as one job, each number the one that `simulate` gives."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import riskbandits as rb
from riskbandits.api import sweep as sweeps
from riskbandits.core.errors import ParameterError, RefusalError, UnknownNameError
from riskbandits.simulation import runner

RHOS = [0.01, 1.0, 100.0]
POLICIES = [rb.MVTS(), rb.MVLCB()]
SMALL = {"horizon": 200, "runs": 10, "seed": 7, "progress": False}


def sweep(rhos=RHOS, policies=POLICIES, **other):
    return rb.sweep(rb.problems.zhu_tan_gaussian, rhos, policies, **{**SMALL, **other})


def test_each_part_is_what_simulate_gives():
    result = sweep(workers=2)
    for rho in RHOS:
        alone = rb.simulate(rb.problems.zhu_tan_gaussian(rho), POLICIES, **SMALL)
        part = result.table().query(f"rho == {rho}").drop(columns="rho").reset_index(drop=True)
        pd.testing.assert_frame_equal(part, alone.table(), check_exact=True)
        pd.testing.assert_frame_equal(result.at(rho).table(), alone.table(), check_exact=True)
        assert result.at(rho).settings == alone.settings


def test_one_tidy_table():
    table = sweep().table()
    assert list(table.columns[:4]) == ["rho", "policy", "step", "runs"]
    assert not table.duplicated(["rho", "policy", "step"]).any()
    assert len(table) == len(RHOS) * 2 * table["step"].nunique()
    assert table["rho"].dtype == float


def test_it_is_one_job(monkeypatch):
    calls = []
    original = runner.run_jobs

    def spy(jobs, *arguments):
        calls.append(len(jobs))
        return original(jobs, *arguments)

    monkeypatch.setattr("riskbandits.api.execution.run_jobs", spy)
    sweep()
    assert calls == [6]


def test_a_store_serves_more_values_and_more_runs(tmp_path, monkeypatch):
    from riskbandits.simulation.engines import threads

    expected = sweep(runs=12).table()
    sweep(RHOS[:2], store=tmp_path)
    rb.simulate(rb.problems.zhu_tan_gaussian(RHOS[2]), POLICIES, store=tmp_path, **SMALL)
    original, played = threads.play_range, []

    def spy(job, play, first, last, *signals):
        played.extend(range(first, last))
        return original(job, play, first, last, *signals)

    monkeypatch.setattr(threads, "play_range", spy)
    pd.testing.assert_frame_equal(sweep(runs=12, store=tmp_path).table(), expected, check_exact=True)
    assert sorted(played) == [10] * 6 + [11] * 6


def test_values_of_any_parameter():
    def arms(number):
        return rb.Problem(rb.GaussianArms(np.arange(float(number)), np.ones(number)), rb.MeanVariance(1.0))

    result = rb.sweep(arms, (2, 5), rb.MVTS(), name="arms", **SMALL)
    assert result.table()["arms"].unique().tolist() == [2, 5]
    assert result.at(5).pulls("MVTS").shape == (10, 5)

    # Of all policies for both kinds of arms this one is compiled soonest.
    both = iter(["zhu-tan-gaussian", "zhu-tan-bernoulli"])
    words = rb.sweep(rb.problems.named, both, rb.UniformRandom(), name="arms", **SMALL)
    assert set(words.table()["arms"]) == {"zhu-tan-gaussian", "zhu-tan-bernoulli"}


def test_the_parameter_is_named_after_the_measure():
    def name(problem_for_value):
        return sweeps.plan(problem_for_value, [0.1, 0.5], [rb.UniformRandom()], sweeps.RunOptions(10, 1, 0)).name

    arms = rb.GaussianArms([0.0, 1.0], [1.0, 2.0])
    makers = (rb.CVaR, rb.Entropic, rb.Semivariance, lambda weight: rb.Sharpe(2.0, weight))
    found = [name(lambda value, make=make: rb.Problem(arms, make(value))) for make in makers]
    assert found == ["level", "aversion", "target", "weight"]
    assert name(lambda mean: rb.Problem(rb.GaussianArms([0.0, mean], [1, 2]), rb.Mean())) == "value"
    result = rb.sweep(lambda level: rb.Problem(arms, rb.CVaR(level)), [0.1, 0.5], rb.MVTS(), **SMALL)
    assert result.table()["level"].unique().tolist() == [0.1, 0.5]


def test_policies_may_be_an_iterator_and_rhos_an_array():
    result = sweep(np.array([0.5, 2.0]), iter(POLICIES))
    assert result.labels == ["MVTS", "MVLCB"]
    assert result.values == [0.5, 2.0]
    assert "2 values of rho" in repr(result)


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_save(tmp_path, suffix):
    result = sweep()
    path = result.save(tmp_path / f"sweep.{suffix}")
    read = pd.read_csv(path) if suffix == "csv" else rb.load(path).table()
    pd.testing.assert_frame_equal(read, result.table())
    if suffix == "parquet":
        header = json.loads(pq.read_schema(path).metadata[b"riskbandits-sweep"])
        assert header["settings"]["values"] == RHOS
        assert header["settings"]["problems"][2]["risk"]["fields"] == {"rho": 100.0}


def test_bad_input(tmp_path):
    for arguments, error, words in [
        ((3, RHOS, POLICIES), ParameterError, "a function from the parameter to a Problem. Got 3"),
        ((rb.problems.zhu_tan_gaussian, [], POLICIES), ParameterError, "non-empty"),
        ((rb.problems.zhu_tan_gaussian, 1.0, POLICIES), ParameterError, "a list. Got 1.0"),
        ((rb.problems.zhu_tan_gaussian, "12", POLICIES), ParameterError, "a list. Got '12'"),
        ((rb.problems.zhu_tan_gaussian, [1, 1.0], POLICIES), ParameterError, "different from each other. Got 1.0"),
        ((rb.problems.zhu_tan_gaussian, [-1], POLICIES), ParameterError, ">= 0. Got -1"),
        ((lambda rho: rho, [1], POLICIES), ParameterError, "returns for the parameter = 1 must be a Problem. Got 1"),
        ((rb.problems.zhu_tan_gaussian, RHOS, []), ParameterError, "non-empty"),
        ((rb.problems.zhu_tan_gaussian, RHOS, [rb.BMVTS()]), RefusalError, "0 or 1"),
    ]:
        with pytest.raises(error, match=words):
            rb.sweep(*arguments, **SMALL)
    with pytest.raises(ParameterError, match="a word other than policy, step, runs. Got 'step'"):
        sweep(name="step")
    result = sweep([1.0], [rb.MVTS()])
    with pytest.raises(UnknownNameError, match=r"no rho in this sweep equal to 2"):
        result.at(2)
    with pytest.raises(ParameterError, match="ends in .parquet or .csv"):
        result.save(tmp_path / "x.txt")
