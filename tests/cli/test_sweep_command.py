from __future__ import annotations

import json
import re

import pandas as pd
import pytest

import riskbandits as rb

SMALL = ("sweep", "--rhos", "0.1,10", "--horizon", "40", "--runs", "3", "--seed", "7", "--policies", "mvts,mv-lcb")


def expected():
    return rb.sweep(
        rb.problems.zhu_tan_gaussian, [0.1, 10.0], [rb.MVTS(), rb.MVLCB()], horizon=40, runs=3, seed=7, progress=False
    ).table()


def test_the_table_of_the_library_through_json(command):
    code, out, err = command(*SMALL, "--json")
    assert code == 0
    assert not re.sub(r"Compiling .*\(first use only, about \d+ s\) ...\n", "", err)
    data = json.loads(out)
    assert set(data) == {"settings", "versions", "table"}
    pd.testing.assert_frame_equal(pd.DataFrame(data["table"]), expected())
    assert data["settings"]["values"] == [0.1, 10.0]
    assert data["settings"]["parameter"] == "rho"


def test_a_table_for_people(command):
    code, out, _ = command(*SMALL)
    assert code == 0
    assert re.search(r"rho.*MVTS.*MVLCB", out)
    assert "±" in out


def test_a_store_is_reused(command, tmp_path):
    first = command(*SMALL, "--json", "--store", tmp_path / "runs")[1]
    times = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.chunk")}
    assert len(times) == 4
    assert command(*SMALL, "--json", "--store", tmp_path / "runs")[1] == first
    simulate = ("simulate", "--rho", "10", "--horizon", "40", "--runs", "3", "--seed", "7", "--policies", "mvts")
    assert command(*simulate, "--store", tmp_path / "runs")[0] == 0
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.chunk")} == times


@pytest.mark.parametrize("suffix", ["parquet", "csv", "json"])
def test_out(command, tmp_path, suffix):
    path = tmp_path / f"sweep.{suffix}"
    code, _, err = command(*SMALL, "--out", path)
    assert code == 0
    assert str(path) in err
    read = {"parquet": lambda path: rb.SweepResult.load(path).table(), "csv": pd.read_csv}.get(suffix)
    rows = read(path) if read else pd.DataFrame(json.loads(path.read_text())["table"])
    pd.testing.assert_frame_equal(rows, expected())


def test_dry_run(command, tmp_path):
    code, out, _ = command(*SMALL, "--dry-run", "--store", tmp_path / "runs")
    assert code == 0
    assert "MVTS" in out
    assert not list(tmp_path.iterdir())
    data = json.loads(command(*SMALL, "--dry-run", "--json")[1])
    assert data["steps"] == 2 * 2 * 3 * 40
    assert data["rhos"] == [0.1, 10.0]


BAD = [
    (("--rhos", "a"), "must be numbers separated by commas, or LOW:HIGH:COUNT. Got 'a'"),
    (("--rhos", "1:2"), "LOW:HIGH:COUNT"),
    (("--rhos", "0:1:3"), "0 < LOW < HIGH"),
    (("--rhos", "1:10:1"), "2 or more values"),
    (("--rhos", "1,1"), "different from each other"),
    (("--rhos", "-1"), ">= 0. Got -1"),
    (("--engine", "proceses"), "Did you mean 'processes'"),
    (("--store", __file__), "could not be created"),
    (("--out", "table.txt"), "ends in .parquet"),
    (("--horizon", "0"), "horizon must be"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD)
def test_bad_input_is_one_sentence_and_exit_code_2(command, arguments, words, monkeypatch):
    monkeypatch.setattr("riskbandits.api.execution.run_jobs", lambda *a: pytest.fail("it ran"))
    code, out, err = command(*SMALL, *arguments)
    assert code == 2
    assert out == ""
    assert re.search(words, err), err
    assert err.count("\n") == 1


def test_the_help_has_an_example(command):
    assert "Example:" in command("sweep", "--help")[1]


def test_values_of_rho_are_not_taken_for_another_parameter(command):
    """CVaR's level was blamed for 3.16, which nobody had given."""
    code, out, err = command("sweep", "--risk", "cvar", "--dry-run")
    assert (code, out) == (2, "")
    assert err == "Error: Say with --values which values of level to sweep over, such as --values 0.1,0.5.\n"
    code, out, _ = command("sweep", "--policies", "mvts", "--horizon", "50", "--runs", "2", "--dry-run")
    assert code == 0
    assert "12 other values of rho" in out
