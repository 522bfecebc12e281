"""Numbers, help and near misses as people write and read them."""

from __future__ import annotations

import math

import pytest

from riskbandits.core.display import counted, format_with_error


@pytest.mark.parametrize("horizon", ["60", "6e1", "6_0", "60.0"])
def test_whole_numbers(command, horizon):
    code, out, err = command("simulate", "--policies", "mv-lcb", "--horizon", horizon, "--runs", "1", "--threads", "1")
    assert code == 0, err
    assert "60 steps, 1 run\n" in out.replace(" \n", "\n") or "60 steps, 1 run " in out


@pytest.mark.parametrize("horizon", ["1.5", "many", "1e400", "nan", "1e17"])
def test_what_is_no_whole_number(command, horizon):
    code, _, err = command("simulate", "--policies", "mv-lcb", "--horizon", horizon, "--runs", "1")
    assert code == 2
    assert "is not a whole number" in err


def test_short_help(command):
    code, out, _ = command("simulate", "-h")
    assert code == 0
    assert "--policies" in out


def test_errors_have_two_digits_that_count():
    assert format_with_error(5879.3, 163.2) == "5,880 ± 160"
    assert format_with_error(33.456, 0.0499) == "33.456 ± 0.050"
    assert format_with_error(7.0, 0.0) == "7 ± 0"
    assert format_with_error(7.25, math.nan) == "7.25"
    assert counted(1, "run") == "1 run"
    assert counted(30000, "step") == "30,000 steps"


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("var", "'value-at-risk' or 'variance'"),
        ("cvr", "'cvar'"),
        ("entrop", "'entropic'"),
        ("mean-varianc", "'mean-variance'"),
    ],
)
def test_what_was_meant(command, name, meant):
    code, _, err = command("simulate", "--risk", name, "--horizon", "10", "--runs", "1")
    assert code == 2
    assert err.strip().endswith(f"There is no risk measure '{name}'. Did you mean {meant}?")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("simulate", "--policies", "mvts,,vts"),
            "A comma-separated list must be one with something between any two commas. Got 'mvts,,vts'",
        ),
        (
            ("simulate", "--policies", ",mvts"),
            "A comma-separated list must be one with something between any two commas",
        ),
        (("simulate", "--policies", "mvts:"), "There is no preset of mvts ''"),
        (("simulate", "--policies", "mine.py"), "given with a name in it, as in mine.py:Mine. Got 'mine.py'"),
        (("simulate", "--rho", "abc"), "'abc' is not a number."),
        (("frontier", "x.csv", "--block", "1,5"), "'1,5' is not a number."),
        (("identify", "--confidence", "95%"), "'95%' is not a number."),
        (("bounds", "--rho", ""), "'' is not a number."),
    ],
)
def test_mistyped(command, words, sentence):
    code, out, err = command(*words)
    assert (code, out) == (2, "")
    assert sentence in " ".join(err.replace("\u2502", " ").split())


@pytest.mark.parametrize("words", [("simulate", "--risk", "cvar:0.2"), ("sweep", "--risk", "cvar", "--values", "0.2")])
def test_defaults_that_another_measure_does_not_have_are_left_out_and_said(command, words):
    code, _, err = command(*words, "--horizon", "50", "--runs", "2", "--method", "plain", "--dry-run")
    assert (code, err) == (0, "Left out of the default policies: SwitchingAware and MVLCB, not for CVaR.\n")
    code, _, err = command(*words, "--policies", "switching-aware", "--horizon", "50", "--dry-run")
    assert code == 2
    assert " ".join(err.split()) == (
        "Error: SwitchingAware is defined for MeanVariance only. Got CVaR instead. Policies that serve this problem: "
        "NGTS, NPTS:anchor_free."
    )


@pytest.mark.parametrize("asked", ["figure-9", "figure-0", "figure-12"])
def test_another_number_is_not_taken_for_a_slip(command, asked):
    code, _, err = command("reproduce", asked)
    assert code == 2
    assert f"There is no figure '{asked}'. Known: figure-1, figure-2" in err


def test_a_file_on_a_drive_that_is_not_there(command):
    code, _, err = command("simulate", "--arms", r"data:C:\returns.csv", "--horizon", "10", "--runs", "1")
    assert (code, err) == (2, "Error: There is no file 'C:\\\\returns.csv'.\n")


def test_a_file_that_ends_the_program(command, tmp_path):
    (tmp_path / "mine.py").write_text("import sys\nsys.exit('bye')\n")
    code, _, err = command("simulate", "--policies", f"{tmp_path / 'mine.py'}:Mine", "--horizon", "10", "--runs", "1")
    assert code == 2
    assert "could not be imported: SystemExit: bye" in err
