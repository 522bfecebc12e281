"""Parameters on the command line: what they mean, and that nonsense is a sentence and never runs."""

from __future__ import annotations

import pytest

import riskbandits as rb
from riskbandits.cli.parsing import read_policies, read_problem, read_risk, read_rule
from riskbandits.core.errors import ParameterError, RiskBanditsError
from riskbandits.core.records import same

GOOD = [
    ("bcvts(upper=2)", [rb.BCVTS(2)]),
    ("BCVTS( 2.5 ), mvts", [rb.BCVTS(2.5), rb.MVTS()]),
    ("mvts(shape=1, rate=2),mv-lcb:sani", [rb.MVTS(1, 2), rb.MVLCB.sani()]),
    ("mcvts(support=[0, 0.5, 1])", [rb.MCVTS([0, 0.5, 1])]),
    ("ngts(pooled=false)", [rb.NGTS(pooled=False)]),
    ("robust-ucb(3, uses_median=True)", [rb.RobustUCB(3, uses_median=True)]),
    ("switching-aware(mv-lcb:sani)", [rb.SwitchingAware(rb.MVLCB.sani())]),
    ("switching_aware(policy=mvts(shape=1), power=0.5)", [rb.SwitchingAware(rb.MVTS(1), power=0.5)]),
    ("mvts()", [rb.MVTS()]),
]


@pytest.mark.parametrize(("text", "policies"), GOOD)
def test_policies_with_parameters(text, policies):
    found = read_policies(text)
    assert len(found) == len(policies)
    assert all(same(one, other) for one, other in zip(found, policies, strict=True))


def test_measures_rules_and_arms_with_parameters():
    assert same(read_risk("sharpe(weight=2)"), rb.Sharpe(weight=2))
    assert same(read_risk("cvar(0.2)"), rb.CVaR(0.2))
    assert same(read_rule("quantile-elimination(within=0.1)"), rb.QuantileElimination(0.1))
    problem = read_problem("beta(alphas=[1, 2], betas=[1, 6])", None, "cvar:0.2")
    assert problem == rb.Problem(rb.BetaArms([1, 2], [1, 6]), rb.CVaR(0.2))


BAD = [
    ("bcvts(uper=2)", "no parameter of BCVTS named 'uper'. Did you mean 'upper'"),
    ("bcvts(upper=x)", "'upper' parameter of BCVTS must be a number.*Got 'x'"),
    ("bcvts(upper=2", "Brackets must be opened and closed in pairs"),
    ("bcvts)upper=2(", "Brackets must be opened and closed in pairs"),
    ("bcvts(1, 2)", r"parameters of BCVTS must be at most 1 \(upper\)"),
    ("bcvts(1, upper=2)", "'upper' parameter of BCVTS must be given once"),
    ("bcvts:2", r"in brackets, as in bcvts\(upper=2\). Got 'bcvts:2'"),
    ("bcvts:upper=2", "in brackets"),
    ("bcvtss(upper=2)", "no policy 'bcvtss'. Did you mean 'bcvts'"),
    ("switching-aware(policy=mvtts)", "'policy' parameter of SwitchingAware: There is no policy 'mvtts'. Did you mean"),
    ("(upper=2)", "no policy ''"),
    ("", "a comma-separated list of policies"),
]


@pytest.mark.parametrize(("text", "words"), BAD)
def test_nonsense_is_a_sentence(text, words):
    with pytest.raises(RiskBanditsError, match=words):
        read_policies(text)


def test_nothing_that_is_typed_is_ever_run(tmp_path):
    made = tmp_path / "made"
    for value in (f"open({str(made)!r}, 'w')", f"[open({str(made)!r}, 'w')]", "().__class__", "1 if 1 else 2"):
        with pytest.raises(ParameterError):
            read_policies(f"bcvts(upper={value})")
        with pytest.raises(ParameterError):
            read_risk(f"cvar({value})")
    assert not made.exists()


def test_a_value_out_of_range_is_refused(command):
    code, _, err = command("simulate", "--policies", "ucb1(deviation=-1)", "--risk", "mean")
    assert code == 2
    assert "'deviation' parameter of UCB1 must be a number > 0. Got -1" in err


def test_missing_parameters(command):
    code, _, err = command("simulate", "--arms", "uniform(lows=[0, 1])")
    assert code == 2
    assert "UniformArms needs highs: write UniformArms(highs=...)." in err


def test_parameters_reach_the_simulation(command, monkeypatch):
    given = []
    monkeypatch.setattr(
        "riskbandits.api.simulate.simulate", lambda problem, policies, **named: given.extend([problem, policies])
    )
    monkeypatch.setattr("riskbandits.cli.output.show_result", lambda result: None)
    arms = ("--arms", "uniform(lows=[0, 0.2], highs=[2, 1])", "--risk", "cvar(level=0.5)")
    code, _, err = command("simulate", *arms, "--policies", "uniform-random, mvts(rate=2)")
    assert code == 0, err
    assert given[0] == rb.Problem(rb.UniformArms([0, 0.2], [2, 1]), rb.CVaR(0.5))
    assert same(given[1][1], rb.MVTS(rate=2))


@pytest.mark.parametrize("name", ["simulate", "sweep", "compare", "identify"])
def test_the_help_says_that_a_file_of_ones_own_is_run(command, name):
    code, out, _ = command(name, "--help")
    words = " ".join(out.replace("│", " ").split())
    assert code == 0
    assert "FILE.py:Class" in words
    assert words.count("runs the file") == words.count("FILE.py:Class")
