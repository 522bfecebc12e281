from __future__ import annotations

import json
import re

import pandas as pd
import pytest

import riskbandits as rb

POLICIES = [rb.UniformRandom(), rb.MVLCB()]


@pytest.fixture
def small(tmp_path):
    problems = [rb.problems.zhu_tan_gaussian(rho) for rho in (0.1, 10.0)]
    path = rb.Suite.of(problems, name="mine").save(tmp_path / "mine.json")
    return (
        "compare", "--suite", path, "--policies", "uniform-random,mv-lcb", "--horizon", "60", "--runs", "6",
        "--seed", "7", "--threads", "1",
    )  # fmt: skip


def expected(small):
    return rb.compare(str(small[2]), POLICIES, horizon=60, runs=6, seed=7, progress=False)


def test_json_is_alone_on_standard_output_and_holds_the_tables(command, small):
    code, out, err = command(*small, "--json")
    assert code == 0
    assert not re.sub(r"Compiling .*\(first use only, about \d+ s\) ...\n", "", err)
    data = json.loads(out)
    assert set(data) == {"settings", "versions", "notes", "leaderboard", "families", "problems"}
    result = expected(small)
    pd.testing.assert_frame_equal(pd.DataFrame(data["leaderboard"]), result.leaderboard())
    pd.testing.assert_frame_equal(pd.DataFrame(data["families"]), result.by_family())
    pd.testing.assert_frame_equal(pd.DataFrame(data["problems"]), result.by_problem())
    settings = data["settings"]
    assert {key: settings[key] for key in ("suite", "horizon", "runs", "seed", "common_rewards", "problems")} == {
        "suite": "mine", "horizon": 60, "runs": 6, "seed": 7, "common_rewards": True, "problems": 2,
    }  # fmt: skip
    assert [policy["label"] for policy in settings["policies"]] == ["UniformRandom", "MVLCB"]


def test_a_table_for_people(command, small):
    code, out, _ = command(*small)
    assert code == 0
    assert re.search(r"policy.*relative regret.*worst.*settled", out)
    assert max(map(len, out.splitlines())) <= 80
    assert re.search(r"UniformRandom.*\[.*\]", out)


def test_files(command, small, tmp_path):
    names = {"--out": "c.parquet", "--figure": "c.png"}
    options = [part for option, name in names.items() for part in (option, tmp_path / name)]
    code, _, err = command(*small, *options)
    assert code == 0
    assert err.count("Written:") == 2
    loaded = rb.Comparison.load(tmp_path / "c.parquet")
    pd.testing.assert_frame_equal(loaded.leaderboard(), expected(small).leaderboard(), check_exact=True)
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")


def test_dry_run(command, small, monkeypatch):
    monkeypatch.setattr("riskbandits.api.execution.run_jobs", lambda *a: pytest.fail("it ran"))
    code, out, _ = command(*small, "--dry-run")
    assert code == 0
    said = " ".join(out.split())
    assert "Would compare UniformRandom, MVLCB on 2 problems of the suite 'mine': 4 jobs, 1,440 steps." in said
    out = command("compare", "--suite", "quick", "--policies", "bmvts,mvts", "--dry-run")[1]
    assert "BMVTS is left out of 9 of 10 problems: BMVTS needs arms whose rewards are 0 or 1." in " ".join(out.split())


def test_the_usual_policies_are_those_that_serve_the_suite(command):
    out = command("compare", "--suite", "paper", "--dry-run")[1]
    assert "NGTS:honda_takemura" in out
    assert "BMVTS" not in out
    assert "BMVTS" in command("compare", "--suite", "paper-bernoulli", "--dry-run")[1]


BAD = [
    (("--suite", "papre"), "There is no suite 'papre'. Did you mean 'paper'"),
    (("--suite", "none.json"), "There is no file 'none.json'"),
    (("--policies", "mvtz"), "Did you mean 'mvts'"),
    (("--policies", "bmvts"), "BMVTS supports no problem of the suite"),
    (("--runs", "2"), "4 or more. Got 2"),
    (("--out", "c.txt"), "ends in .parquet"),
    (("--figure", "c.gif"), "--figure must be a file that ends in .png, .pdf, .svg. Got 'c.gif'"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD)
def test_bad_input_is_one_sentence_and_exit_code_2(command, small, arguments, words, monkeypatch):
    monkeypatch.setattr("riskbandits.api.execution.run_jobs", lambda *a: pytest.fail("it ran"))
    code, out, err = command(*small, *arguments)
    assert code == 2
    assert out == ""
    assert re.search(words, err), err
    assert err.count("\n") == 1


def test_the_help_has_an_example_and_suites_are_listed(command):
    assert "Example:" in command("compare", "--help")[1]
    names = [row["name"] for row in json.loads(command("list", "suites", "--json")[1])]
    assert names == list(rb.suites.SUITES)
