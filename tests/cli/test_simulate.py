from __future__ import annotations

import json
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import riskbandits as rb
from interrupting import interrupt, started

SMALL = ("simulate", "--horizon", "40", "--runs", "3", "--seed", "7", "--policies", "mvts,mv-lcb:sani")


def test_the_table_of_the_library_through_json(command):
    code, out, err = command(*SMALL, "--json")
    assert code == 0
    assert not re.sub(r"Compiling .*\(first use only, about \d+ s\) ...\n", "", err)
    data = json.loads(out)
    assert set(data) == {"settings", "versions", "table", "pulls", "arms", "best_arm"}
    result = rb.simulate(
        rb.problems.zhu_tan_gaussian(1), [rb.MVTS(), rb.MVLCB.sani()], horizon=40, runs=3, seed=7, progress=False
    )
    pd.testing.assert_frame_equal(pd.DataFrame(data["table"]), result.table())
    for label in result.labels:
        np.testing.assert_array_equal(data["pulls"][label], result.pulls(label).mean(axis=0))
    assert data["settings"]["seed"] == 7
    assert data["settings"]["risk"] == {"class": "MeanVariance", "fields": {"rho": 1.0}}


def test_json_of_a_single_run_is_valid(command):
    _, out, _ = command("simulate", "--horizon", "5", "--runs", "1", "--policies", "mvts", "--json")
    assert json.loads(out)["table"][0]["regret_se"] is None
    assert "NaN" not in out


def test_a_table_for_people(command):
    code, out, _ = command(*SMALL)
    assert code == 0
    assert "MVTS" in out
    assert "MVLCB:sani" in out
    assert "pseudo-regret" in out


@pytest.mark.parametrize("text", ["MVTS", "mvts", "Mv-Ts", "m_v_t_s"])
def test_names_ignore_case_and_dashes(command, text):
    code, out, _ = command("simulate", "--horizon", "5", "--runs", "1", "--policies", text, "--json")
    assert code == 0
    assert json.loads(out)["table"][0]["policy"] == "MVTS"


FILES = {
    "arms.json": '{"means": [0.0, 1.0], "variances": [1.0, 2.0]}',
    "list.json": '[{"mean": 0.0, "variance": 1.0}, {"mean": 1.0, "variance": 2.0}]',
    "arms.csv": "mean,variance\n0,1\n1,2\n",
    "named.csv": "# my arms\nname,mean,variance\nx,0,1\ny,1,2\n",
}


@pytest.mark.parametrize("name", FILES)
def test_ones_own_arms(command, tmp_path, name):
    path = tmp_path / name
    path.write_text(FILES[name])
    code, out, err = command(
        "simulate", "--arms", path, "--horizon", "9", "--runs", "2", "--policies", "mvts", "--json"
    )
    assert code == 0, err
    fields = json.loads(out)["settings"]["arms"]["fields"]
    names = {"names": "x\ny"} if name == "named.csv" else {}
    assert fields == {"means": [0.0, 1.0], "variances": [1.0, 2.0], **names}


def test_ones_own_bernoulli_arms(command, tmp_path):
    (tmp_path / "p.csv").write_text("probability\n0.2\n0.7\n")
    small = ("--horizon", "9", "--runs", "2", "--json")
    code, out, _ = command("simulate", "--arms", tmp_path / "p.csv", "--rho", "0.5", "--policies", "bmvts", *small)
    assert code == 0
    assert json.loads(out)["settings"]["arms"]["class"] == "BernoulliArms"


OWN = '''
from typing import NamedTuple

class Stubborn(NamedTuple):
    """Always the last arm."""
    def score(self, state, k, run, risk, rng):
        return k
    def learn(self, state, k, run, reward):
        pass
'''


def test_a_policy_from_a_file_of_ones_own(command, tmp_path):
    (tmp_path / "stubborn.py").write_text(OWN)
    code, out, err = command(
        "simulate", "--policies", f"{tmp_path}/stubborn.py:Stubborn,mvts", "--horizon", "20", "--runs", "2", "--json"
    )
    assert code == 0, err
    assert json.loads(out)["pulls"]["Stubborn"] == [0.0] * 14 + [20.0]


BAD = [
    (("--rho", "-1"), "rho.*>= 0. Got -1.0"),
    (("--rho", "nan"), "Got nan"),
    (("--rho", "1", "--risk", "mean-variance:1"), "give only one of them"),
    (("--risk", "mean-varianc:1"), "Did you mean 'mean-variance'"),
    (("--risk", "mean-variance:x"), "must be a number.* Got 'x'"),
    (("--policies", "mvst"), "Did you mean 'mvts'"),
    (("--policies", "mv-lcb:sany"), "Did you mean 'sani'"),
    (("--policies", ","), "comma-separated"),
    (("--policies", "nothing.py:X"), "no file 'nothing.py'"),
    (("--policies", "bmvts"), "rewards are 0 or 1"),
    (("--arms", "zhu-tan-gausian"), "Did you mean 'zhu-tan-gaussian'"),
    (("--arms", "missing.json"), "no file 'missing.json'"),
    (("--horizon", "0"), "horizon must be a whole number >= 1. Got 0"),
    (("--runs", "0"), "runs must be"),
    (("--seed", "-1"), "seed must be"),
    (("--threads", "0"), "workers must be"),
    (("--checkpoints", "1000000"), "from 1 to the horizon"),
    (("--checkpoints", "a"), "whole numbers separated by commas"),
    (("--method", "magic"), "no simulation method 'magic'"),
    (("--out", "table.txt"), "ends in .parquet"),
    (("--out", "no/such/folder/table.csv"), "folder that exists"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD)
def test_bad_input_is_one_sentence_and_exit_code_2(command, arguments, words, monkeypatch):
    monkeypatch.setattr("riskbandits.api.execution.run_jobs", lambda *a: pytest.fail("it ran"))
    code, out, err = command("simulate", *arguments)
    assert code == 2
    assert out == ""
    assert re.search(words, err), err
    assert err.startswith("Error: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err


BAD_FILES = {
    "ragged.csv": ("mean,variance\n1,2\n3\n", "line 3 has 1 value where there are 2 columns"),
    "empty.csv": ("mean,variance\n", "a header and no rows"),
    "words.csv": ("mean,variance\n1,x\n", "column 'variance' must be numbers: 'x' is not a number"),
    "negative.csv": ("mean,variance\n1,-2\n", "arm 0, must be a number >= 0. Got -2.0"),
    "other.csv": ("a,b\n1,2\n", "a file with the parameters of one family"),
    "ragged.json": ('{"means": [1, 2], "variances": [1]}', "as many variances"),
    "empty.json": ('{"means": [], "variances": []}', "non-empty"),
    "broken.json": ('{"means": [1', "could not be read as arms"),
    "number.json": ("3", "could not be read as arms"),
    "text.json": ('{"means": "abc", "variances": [1]}', "means"),
    "p.json": ('{"probabilities": [2]}', r"in \[0, 1\]. Got 2"),
    "mixed.json": ('[{"mean": 1, "variance": 1}, {"mean": 1}]', "arm 2 has different entries"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_arm_files(command, tmp_path, name):
    text, words = BAD_FILES[name]
    (tmp_path / name).write_text(text)
    code, _, err = command("simulate", "--arms", tmp_path / name, "--policies", "mvts", "--runs", "1", "--horizon", "5")
    assert code == 2
    assert re.search(words, err), err
    assert err.count("\n") == 1


def test_a_number_that_is_none(command):
    code, _, err = command("simulate", "--rho", "abc")
    assert code == 2
    assert "--rho" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("suffix", ["parquet", "csv", "json"])
def test_out(command, tmp_path, suffix):
    path = tmp_path / f"result.{suffix}"
    code, _, err = command(*SMALL, "--out", path)
    assert code == 0
    assert str(path) in err
    if suffix == "parquet":
        rows = rb.load(path).table()
    else:
        rows = pd.read_csv(path) if suffix == "csv" else pd.DataFrame(json.loads(path.read_text())["table"])
    expected = rb.simulate(
        rb.problems.zhu_tan_gaussian(1), [rb.MVTS(), rb.MVLCB.sani()], horizon=40, runs=3, seed=7, progress=False
    )
    pd.testing.assert_frame_equal(rows, expected.table())


def test_dry_run_says_what_would_run_and_writes_nothing(command, tmp_path):
    code, out, _ = command(*SMALL, "--dry-run", "--out", tmp_path / "x.csv")
    assert code == 0
    assert "MVTS" in out
    assert "MB" in out
    assert not list(tmp_path.iterdir())
    _, out, _ = command(*SMALL, "--dry-run", "--json")
    data = json.loads(out)
    assert data["steps"] == 2 * 3 * 40
    assert data["seconds"] > 0
    assert data["megabytes"] > 0


def test_dry_run_refuses_bad_input_too(command):
    assert command("simulate", "--dry-run", "--horizon", "0")[0] == 2


@pytest.mark.parametrize("arguments", [(), ("simulate",), ("list",), ("reproduce",)])
def test_every_help_has_an_example(command, arguments):
    code, out, _ = command(*arguments, "--help")
    assert code == 0
    assert not arguments or "Example:" in out


def test_progress_goes_to_standard_error(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "riskbandits", "simulate", "--policies", "mvts", "--runs", "60", "--json"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    json.loads(done.stdout)


def test_ctrl_c(tmp_path):
    command = [sys.executable, "-m", "riskbandits", "simulate", "--policies", "mvts", "--runs", "100000"]
    with started(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while "left" not in process.stderr.readline():  # the first line of progress: it runs
            assert process.poll() is None
        out, err = interrupt(process)
    assert process.returncode == 130
    assert "Stopped." in err
    assert "Traceback" not in err
    assert out == ""


OUTSIDE = """
from typing import NamedTuple

class Outside(NamedTuple):
    \'\'\'It reaches behind its state after some steps.\'\'\'
    def score(self, state, k, run, risk, rng):
        return rng.random()
    def learn(self, state, k, run, reward):
        state[k if run[3] < 50.0 else 10**5, 0] += 1.0
"""


def test_check_says_where_a_policy_reached_outside_its_arrays(command, tmp_path):
    (tmp_path / "outside.py").write_text(OUTSIDE)
    policy = f"{tmp_path / 'outside.py'}:Outside"
    code, _, said = command("simulate", "--policies", policy, "--horizon", "100", "--runs", "1", "--check")
    assert code != 0
    assert "Outside.learn reached outside an array in step 50 of run 0" in said
    assert "outside.py, line 9" in said
    assert "Traceback" not in said
