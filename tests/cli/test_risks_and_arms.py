"""Risk measures and families of arms on the command line."""

from __future__ import annotations

import json

import pytest

import riskbandits as rb
from riskbandits.cli.arm_files import read_arms
from riskbandits.cli.parsing import read_problem, read_risk
from riskbandits.core.errors import ParameterError, UnknownNameError
from riskbandits.problem import Problem


@pytest.mark.parametrize(
    ("text", "risk"),
    [
        ("mean", rb.Mean()),
        ("variance", rb.Variance()),
        ("mean-variance:2.5", rb.MeanVariance(2.5)),
        ("cvar:0.2", rb.CVaR(0.2)),
        ("CVaR", rb.CVaR()),
        ("value_at_risk:0.1", rb.ValueAtRisk(0.1)),
        ("entropic:3", rb.Entropic(3.0)),
        ("semivariance:-1", rb.Semivariance(-1.0)),
        ("mean-semideviation:0.5", rb.MeanSemideviation(0.5)),
        ("expectile:0.2", rb.Expectile(0.2)),
        ("sharpe:0.5,2", rb.Sharpe(0.5, 2.0)),
        ("sharpe:squared", rb.Sharpe.squared()),
        ("sharpe:0.5,1,true", rb.Sharpe(0.5, 1.0, True)),
    ],
)
def test_risk_measures_by_name(text, risk):
    found = read_risk(text)
    assert type(found) is type(risk)
    assert found == risk


def test_wrong_risk_measures():
    with pytest.raises(UnknownNameError, match="no risk measure 'cvra'. Did you mean 'cvar'"):
        read_risk("cvra:0.1")
    with pytest.raises(ParameterError, match="'level' parameter of CVaR must be a number.*Got 'low'"):
        read_risk("cvar:low")
    with pytest.raises(ParameterError, match=r"parameters of CVaR must be at most 1 \(level\)"):
        read_risk("cvar:0.1,0.2")
    with pytest.raises(ParameterError, match=r"'level' parameter of CVaR must be a number in \(0, 1\]. Got 1.5"):
        read_problem("zhu-tan-gaussian", None, "cvar:1.5")
    with pytest.raises(ParameterError, match=r"'level' parameter of ValueAtRisk must be a number in \(0, 1\). Got 1 "):
        read_problem("zhu-tan-gaussian", None, "value-at-risk:1")


FILES = {
    "t.json": ('{"family": "student-t", "locations": [0, 1], "scales": [1, 2], "freedoms": [3, 4]}', rb.StudentTArms),
    "plain.json": ('{"alphas": [1, 2], "betas": [3, 4]}', rb.BetaArms),
    "rows.json": ('[{"family": "Poisson", "rate": 1}, {"family": "Poisson", "rate": 2}]', rb.PoissonArms),
    "mixture.json": (
        '{"weights": [[1, 2], [3, 4]], "means": [[1, 2], [3, 4]], "variances": [[1, 2], [3, 4]]}',
        rb.GaussianMixtureArms,
    ),
    "dependent.json": (
        '{"means": [0, 1], "covariance": [[1, 0.5], [0.5, 2]], "names": ["bond", "stock"]}',
        rb.CorrelatedGaussianArms,
    ),
    "u.csv": ("arm,low,high\nx,0,1\ny,1,2\n", rb.UniformArms),
    "l.csv": ("family,log_mean,log_deviation\nlognormal,0,1\nlognormal,1,2\n", rb.LognormalArms),
    "e.csv": ("family,mean\nexponential,1\nexponential,2\n", rb.ExponentialArms),
    "limited.json": (
        '{"weights": [[1], [1]], "locations": [[0], [1]], "scales": [[1], [1]], "lows": [0, 0], "highs": [1, 1]}',
        rb.TruncatedGaussianMixtureArms,
    ),
    "tr.csv": ("location,scale,low,high\n0,1,-1,1\n0,1,-2,2\n", rb.TruncatedGaussianArms),
}


@pytest.mark.parametrize("name", FILES)
def test_families_from_files(tmp_path, name):
    text, family = FILES[name]
    (tmp_path / name).write_text(text)
    arms = read_arms(tmp_path / name)
    assert type(arms) is family
    assert Problem(arms, rb.Mean()).size == 2


BAD = {
    "a.json": ('{"family": "betta", "alphas": [1], "betas": [3]}', "no family of arms 'betta'. Did you mean 'beta'"),
    "b.json": ('{"family": "beta", "alphas": [1]}', "must be a file with alphas, betas. Got"),
    "c.csv": ("family,mean\nexponential,1\npoisson,2\n", "the same for all arms"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_families(tmp_path, command, name):
    text, words = BAD[name]
    (tmp_path / name).write_text(text)
    code, _, err = command("simulate", "--arms", tmp_path / name, "--risk", "mean", "--policies", "mvts")
    assert code == 2
    assert words in err


def test_recorded_rewards_with_another_measure(command, tmp_path):
    path = tmp_path / "returns.csv"
    path.write_text("bond,stock\n0.1,-1\n0.2,1\n0.1,2\n0.3,\n")
    settings = ("--policies", "mvts", "--horizon", "20", "--runs", "2", "--json")
    code, out, err = command("simulate", "--arms", f"data:{path}:3", "--risk", "cvar:0.5", *settings)
    assert code == 0, err
    told = json.loads(out)["settings"]
    assert told["risk"] == {"class": "CVaR", "fields": {"level": 0.5}}
    assert told["arms"]["fields"]["names"] == "bond\nstock"
    assert told["arms"]["fields"]["block"] == 3.0
    assert told["policies"][0]["method"] == "plain"
    code, _, err = command("simulate", "--arms", f"data:{path}:long", "--risk", "cvar:0.5", *settings)
    assert code == 2
    assert "block length" in err


def test_a_table_of_returns_as_people_have_it(command, tmp_path):
    path = tmp_path / "returns.csv"
    path.write_text("Date,bond,stock\n2020-01-01,0.1,-1\n2020-01-02,0.2,1\n2020-01-03,,2\n")
    settings = ("--policies", "uniform-random", "--horizon", "20", "--runs", "2", "--json")
    code, out, err = command("simulate", "--arms", f"data:{path}", *settings)
    assert code == 0, err
    assert "Column 'Date' contains dates and is not an arm." in err
    assert "Column 'bond' has 1 of 3 entries missing." in err
    assert json.loads(out)["settings"]["arms"]["fields"]["names"] == "bond\nstock"
    code, _, err = command("simulate", "--arms", path, *settings)
    assert code == 2
    assert f"If it contains recorded rewards, one column per arm, write data:{path}." in err
    code, _, err = command("simulate", "--arms", "returns.parquet", *settings)
    assert code == 2
    assert "write data:returns.parquet" in err


def test_sweeping_over_the_parameter_of_another_measure(command):
    code, out, err = command(
        "sweep", "--risk", "cvar", "--rhos", "0.1,0.5", "--policies", "mvts", "--horizon", "20", "--runs", "2", "--json"
    )
    assert code == 0, err
    data = json.loads(out)
    assert data["settings"]["parameter"] == "level"
    assert {row["level"] for row in data["table"]} == {0.1, 0.5}
    small = ("--policies", "mvts", "--horizon", "20", "--runs", "2", "--json")
    weights = ("--risk", "sharpe(regularisation=2)", "--parameter", "weight", "--values", "1,3")
    data = json.loads(command("sweep", *weights, *small)[1])
    assert data["settings"]["parameter"] == "weight"
    assert [one["risk"]["fields"]["regularisation"] for one in data["settings"]["problems"]] == [2.0, 2.0]
    code, _, err = command("sweep", "--risk", "sharpe", "--parameter", "wait", "--values", "1,3", *small)
    assert code == 2
    assert "Did you mean 'weight'" in err
    code, _, err = command("sweep", "--risk", "mean", "--rhos", "1")
    assert code == 2
    assert "a measure with a parameter" in err


def test_everything_is_listed(command):
    risks = {row["class"] for row in json.loads(command("list", "risks", "--json")[1])}
    assert risks == set(rb.risk.__all__)
    arms = " ".join(row["what"] for row in json.loads(command("list", "arms", "--json")[1]))
    for name in rb.arms.__all__:
        assert name in arms
