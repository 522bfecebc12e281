"""`compare`: many problems as one job, each policy with the same distribution as in `simulate`."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import riskbandits as rb
from riskbandits import suites
from riskbandits.api import compare as comparisons
from riskbandits.core.errors import FileError, ParameterError, RefusalError, UnknownNameError
from riskbandits.simulation import runner

POLICIES = [rb.UniformRandom(), rb.MVLCB()]
SMALL = {"horizon": 300, "runs": 20, "seed": 7, "progress": False, "workers": 1}
SUITE = rb.Suite.of({f"rho-{rho}": rb.problems.zhu_tan_gaussian(rho) for rho in (0.1, 10.0)}, name="two")


def compare(policies=POLICIES, suite=SUITE, **other):
    return rb.compare(suite, policies, **{**SMALL, **other})


def tables(result):
    return [result.leaderboard(), result.by_family(), result.by_problem()]


def test_uniform_play_is_last_and_intervals_say_so():
    result = compare([rb.UniformRandom(), rb.MVLCB(), rb.MVLCB.vakili()])
    table = result.leaderboard()
    assert table["policy"].iloc[-1] == "UniformRandom"
    assert table["relative_low"].iloc[-1] > table["relative_high"].iloc[:-1].max()
    pair = result.paired("UniformRandom", "MVLCB")
    assert (pair["ratio_low"] > 1.0).all()
    assert (pair["difference_low"].iloc[:-1] > 0.0).all()


def test_the_same_seed_gives_the_same_tables_whatever_else_changes():
    first = compare()
    for again in (compare(), compare(workers=2)):
        for one, other in zip(tables(first), tables(again), strict=True):
            pd.testing.assert_frame_equal(one, other)
    alone = compare([rb.MVLCB()])
    np.testing.assert_array_equal(alone.kept[0].final[0], first.kept[0].final[1])
    assert (compare(seed=8).kept[0].final != first.kept[0].final).any()


def test_without_common_rewards_the_numbers_are_those_of_simulate():
    result = compare(common_rewards=False)
    alone = rb.simulate(
        rb.problems.zhu_tan_gaussian(10.0),
        POLICIES,
        horizon=300,
        runs=20,
        seed=7,
        checkpoints=[150, 300],
        progress=False,
    )
    for row, trace in enumerate(alone.traces):
        np.testing.assert_array_equal(result.kept[1].final[row], rb.metrics.exact_pseudo_regret(trace)[:, -1])
        np.testing.assert_array_equal(result.kept[1].locked[row], rb.metrics.locked(trace))
    assert not result.kept[0].paired
    assert result.settings["common_rewards"] is False


def test_it_is_one_job_and_a_store_resumes_it(tmp_path, monkeypatch):
    calls, original = [], runner.run_jobs

    def spy(jobs, *arguments):
        calls.append(len(jobs))
        return original(jobs, *arguments)

    monkeypatch.setattr("riskbandits.api.execution.run_jobs", spy)
    first = compare(store=tmp_path)
    assert calls == [4]
    times = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.chunk")}
    assert len(times) == 4
    pd.testing.assert_frame_equal(compare(store=tmp_path).leaderboard(), first.leaderboard(), check_exact=True)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.chunk")} == times


MIXED = rb.Suite.of({"g": rb.problems.zhu_tan_gaussian(1.0), "b": rb.problems.zhu_tan_bernoulli(0.5)})


def test_a_policy_is_left_out_of_problems_that_it_refuses():
    planned = comparisons.plan(MIXED, [rb.BMVTS(), rb.MVLCB(), rb.BMVTS()], comparisons.RunOptions(100, 10, 0))
    assert [[job.label for job in group] for group in planned.groups] == [["MVLCB"], ["BMVTS", "MVLCB", "BMVTS#2"]]
    assert len(planned.notes) == 2
    assert planned.notes[0].startswith(
        "BMVTS is left out of 1 of 2 problems: BMVTS needs arms whose rewards are 0 or 1."
    )
    assert not any("Policies that serve" in note for note in planned.notes)
    refused = "BMVTS supports no problem of the suite: BMVTS needs arms.* Policies that serve this problem: Switching"
    with pytest.raises(RefusalError, match=refused):
        comparisons.plan(SUITE, [rb.BMVTS(), rb.MVLCB()], comparisons.RunOptions(100, 10, 0))


def test_save_and_load(tmp_path):
    result = compare()
    again = rb.Comparison.load(result.save(tmp_path / "c.parquet"))
    for one, other in zip(tables(result), tables(again), strict=True):
        pd.testing.assert_frame_equal(one, other, check_exact=True)
    assert again.settings == result.settings
    assert again.suite == result.suite
    assert repr(again) == repr(result)
    assert "2 problems of the suite 'two'; 20 runs of 300 steps" in repr(result)
    pd.testing.assert_frame_equal(pd.read_csv(result.save(tmp_path / "c.csv")), result.leaderboard())
    data = json.loads(result.save(tmp_path / "c.json").read_text())
    assert data == json.loads(result.to_json())
    for name in ("c.txt", "c"):
        with pytest.raises(ParameterError, match="ends in .parquet, .csv, .json"):
            result.save(tmp_path / name)
    for path, words in [(tmp_path / "c.csv", "damaged, or was not written"), (tmp_path / "no.parquet", "no file")]:
        with pytest.raises(FileError, match=words):
            rb.Comparison.load(path)


def test_only_some_problems():
    result = compare()
    part = result.only(lambda case: case.problem.risk.rho > 1)
    pd.testing.assert_frame_equal(
        part.by_problem(), result.by_problem().query("problem == 'rho-10.0'").reset_index(drop=True), check_exact=True
    )
    with pytest.raises(RefusalError, match="None of the problems"):
        result.only(lambda case: False)


def test_parts_are_families_or_problems_if_there_is_one_family():
    result = compare()
    assert result.breakdown()["family"].tolist() == result.by_problem()["problem"].tolist()
    cases = [case._replace(family=case.name[:6]) for case in SUITE.cases]
    parted = rb.Comparison(SUITE._replace(cases=tuple(cases)), result.labels, result.kept, {}, {})
    pd.testing.assert_frame_equal(parted.breakdown(), parted.by_family())
    for kind in ("families", "profile"):
        assert result.plot(kind).get_xlabel().startswith("pseudo-regret relative")
    with pytest.raises(UnknownNameError, match="There is no kind of plot 'pie'"):
        result.plot("pie")


def test_costs_are_measured_in_turn_with_mvts():
    result = comparisons.measure_costs(comparisons.plan(SUITE, [rb.MVLCB()], comparisons.RunOptions(300, 4, 0)).groups)
    assert set(result) == {"MVLCB"}
    assert result["MVLCB"]["cost_ns"] > 0
    assert 0.001 < result["MVLCB"]["cost_ratio"] < 1000
    assert "15 GaussianArms" in result["MVLCB"]["cost_problem"]
    table = rb.Comparison(SUITE, ["MVLCB"], compare([rb.MVLCB()]).kept, {}, {}, costs=result).leaderboard()
    assert table["cost_ns"].tolist() == [result["MVLCB"]["cost_ns"]]


BAD = [
    ({"suite": "rndom"}, UnknownNameError, "no suite 'rndom'. Did you mean 'random'"),
    ({"policies": []}, ParameterError, "list of policies must be non-empty"),
    ({"policies": [rb.MVTS]}, rb.RiskBanditsError, r"write MVTS\(...\)"),
    ({"runs": 3}, ParameterError, "runs of a comparison must be 4 or more. Got 3"),
    ({"runs": 0}, ParameterError, "whole number >= 1. Got 0"),
    ({"horizon": 1}, ParameterError, "2 or more: growth is measured over its second half. Got 1"),
    ({"common_rewards": "yes"}, ParameterError, "common_rewards must be True or False. Got 'yes'"),
    ({"method": "fast"}, UnknownNameError, "no simulation method 'fast'"),
    ({"seed": -1}, ParameterError, "seed must be"),
    ({"engine": "thread"}, UnknownNameError, "Did you mean 'threads'"),
]


@pytest.mark.parametrize(("arguments", "error", "words"), BAD)
def test_bad_input_runs_nothing(arguments, error, words, monkeypatch):
    monkeypatch.setattr("riskbandits.api.execution.run_jobs", lambda *a: pytest.fail("it ran"))
    with pytest.raises(error, match=words):
        compare(**arguments)


def test_a_single_policy_and_iterators_are_taken():
    assert comparisons.plan(
        iter([rb.problems.zhu_tan_gaussian(1)]), rb.MVLCB(), comparisons.RunOptions(10, 4, 0)
    ).labels == ["MVLCB"]
    assert (
        comparisons.plan(suites.named("quick"), iter([rb.MVLCB()]), comparisons.RunOptions(10, 4, 0)).suite.name
        == "quick"
    )
