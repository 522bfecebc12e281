"""`riskbandits bounds`: the report, the table, the JSON object."""

from __future__ import annotations

import json
import resource
import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

import riskbandits as rb
from riskbandits.cli import bounds as command
from riskbandits.core.errors import RiskBanditsError

APP = typer.Typer()
APP.command()(command.bounds)
STRICT = {"parse_constant": lambda text: pytest.fail(f"{text} is no JSON")}


def run(*arguments):
    result = CliRunner().invoke(APP, list(map(str, arguments)), catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def test_the_report_is_the_theory():
    problem = rb.problems.zhu_tan_gaussian(1.0)
    report = command.bounds_report(problem)
    low, printed = rb.theory.lower_bound(problem), rb.theory.theorem_3(problem)
    assert len(report["table"]) == 15
    for k, row in enumerate(report["table"]):
        assert row["lower bound"] == low.per_arm[k]
        assert row["Theorem 3 (MVTS): pulls"] == printed.pulls[k]
        assert row["Delta"] == problem.gaps[k]
        assert row["Gamma"] == problem.mean_gaps[k]
    assert report["totals"]["lower bound"] == low.total
    assert report["applies"]["Theorem 3 (MVTS)"] is False
    names = [one["name"] for one in report["assumptions"]["Theorem 3 (MVTS)"]]
    assert names == list(printed.assumptions)


def test_json_is_one_object_and_nothing_else():
    data = json.loads(run("--arms", "zhu-tan-gaussian", "--rho", 1, "--json"), **STRICT)
    assert {"settings", "versions", "table", "totals", "applies", "assumptions"} <= set(data)
    assert data["settings"]["risk"]["fields"] == {"rho": 1.0}


def test_json_holds_infinite_bounds(tmp_path):
    arms = tmp_path / "arms.json"
    arms.write_text('{"means": [0.3, 0.3], "variances": [0.1, 0.2]}')
    data = json.loads(run("--arms", arms, "--json"), **STRICT)
    assert data["totals"]["Theorem 3 (MVTS)"] == "inf"
    assert float(data["table"][1]["Theorem 3 (MVTS)"]) == float("inf")


def test_the_table_says_what_fails():
    text = run("--rho", 1)
    assert max(map(len, text.splitlines())) <= 80
    assert "the best is arm 10" in text
    assert "Theorem 3 (MVTS) does not apply, as this fails for arms 11, 12, 13, 14: mu_i < mu_best" in " ".join(
        text.split()
    )
    totals = next(line for line in text.splitlines() if line.strip().startswith("total"))
    assert totals.split()[1] == "92.79"


def test_bounds_that_seem_to_contradict_each_other_come_with_the_reason(tmp_path):
    arms = tmp_path / "arms.json"
    arms.write_text('{"means": [2, 0], "variances": [0.05, 1]}')
    text = run("--arms", arms, "--rho", 20)
    totals = [cell for line in text.splitlines() if line.startswith("total") for cell in line.split()[1:]]
    text = " ".join(text.split())
    assert totals == ["49.41", "21.44", "21.53", "24.54", "6.117", "24.48"]
    assert "Theorem 3 (MVTS) allows fewer pulls of arm 1 than the lower bound." in text
    assert text.count("MTS and MVTS are not consistent on all Gaussian problems") == 1
    assert "grow like a power of n" in text
    data = json.loads(run("--arms", arms, "--rho", 20, "--json"), **STRICT)
    assert data["below_lower_bound"][0]["bound"] == "MVTS rate"
    assert "not consistent" not in run("--arms", "zhu-tan-bernoulli", "--rho", 0.5)


def test_bernoulli_arms_have_their_own_theorem():
    text = run("--arms", "zhu-tan-bernoulli", "--rho", 0.5)
    assert "Theorem 4 (BMVTS)" in text
    assert "Theorem 1" not in text
    assert "The second term of Theorem 4 (BMVTS) is spurious, as this fails for arms" in " ".join(text.split())


def test_measured_slopes_on_request():
    arguments = ["--rho", 1, "--simulate", "--policies", "mvts,mv-lcb:sani", "--horizon", 200, "--runs", 3]
    data = json.loads(run(*arguments, "--json"), **STRICT)
    assert [row["policy"] for row in data["slopes"]] == ["MVTS", "MVLCB:sani"]
    assert [row["to_step"] for row in data["slopes"]] == [200, 200]
    least = rb.theory.lower_bound(rb.problems.zhu_tan_gaussian(1.0)).total
    assert data["slopes"][0]["times_lower_bound"] == pytest.approx(data["slopes"][0]["slope"] / least)
    assert "times the lower bound" in run(*arguments)


@pytest.mark.parametrize("arguments", [["--arms", "zhu-tan-gausian"], ["--rho", "-1"]])
def test_bad_input_is_a_sentence(arguments):
    with pytest.raises(RiskBanditsError):
        CliRunner().invoke(APP, arguments, catch_exceptions=False)


def test_it_prints_in_under_two_seconds():
    """Of its own time: waiting for a busy machine is not the command's fault."""
    code = "from riskbandits.cli.bounds import bounds; bounds(rho=1.0)"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert "total" in done.stdout
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 2.0
