"""Arms by name: everywhere that people look, and nowhere that decides a number."""

from __future__ import annotations

import json

import numpy as np
import pytest

import riskbandits as rb
from riskbandits import arms as families
from riskbandits.core import records, seeds
from riskbandits.core.errors import ParameterError, RiskBanditsError
from riskbandits.core.records import nameless
from riskbandits.simulation import collected
from riskbandits.simulation.runner import Job

NAMES = ["bond", "stock"]
TWO = {
    "GaussianArms": {"means": [0.0, 1.0], "variances": [1.0, 2.0]},
    "CorrelatedGaussianArms": {"means": [0.0, 1.0], "covariance": [[1.0, 0.5], [0.5, 2.0]]},
    "BernoulliArms": {"probabilities": [0.2, 0.5]},
    "BetaArms": {"alphas": [1.0, 2.0], "betas": [1.0, 6.0]},
    "ExponentialArms": {"means": [1.0, 2.0]},
    "GaussianMixtureArms": {"weights": [[1.0], [1.0]], "means": [[0.0], [1.0]], "variances": [[1.0], [2.0]]},
    "HurdleArms": {"probabilities": [0.2, 0.5], "means": [1.0, 2.0], "variances": [1.0, 0.5]},
    "LognormalArms": {"log_means": [0.0, 0.1], "log_deviations": [0.5, 0.6]},
    "PoissonArms": {"rates": [1.0, 2.0]},
    "StudentTArms": {"locations": [0.0, 1.0], "scales": [1.0, 1.0], "freedoms": [5.0, 6.0]},
    "TruncatedGaussianArms": {"locations": [0.0, 1.0], "scales": [1.0, 1.0], "lows": [0.0, 0.0], "highs": [2.0, 2.0]},
    "TruncatedGaussianMixtureArms": {
        "weights": [[1.0], [1.0]],
        "locations": [[0.0], [1.0]],
        "scales": [[1.0], [1.0]],
        "lows": [0.0, 0.0],
        "highs": [2.0, 2.0],
    },
    "UniformArms": {"lows": [0.0, 0.5], "highs": [1.0, 2.0]},
    "PiecewiseArms": {"pieces": [(1, rb.GaussianArms([0.0, 1.0], [1.0, 2.0]))]},
    "LinearArms": {"coefficients": [[1.0], [2.0]], "variances": [1.0, 2.0]},
    "WalkingArms": {"means": [[0.0], [1.0]], "variances": [[1.0], [2.0]]},
}


def test_every_family_is_here():
    assert {*TWO, "DataArms"} == set(families.__all__)


def test_pieces_have_the_names_of_their_arms():
    calm, wild = (rb.GaussianArms([0.0, 1.0], [scale, 1.0], names=NAMES) for scale in (1.0, 9.0))
    assert rb.Problem(rb.PiecewiseArms([(1, calm), (5, wild)]), rb.MeanVariance(1.0)).names == NAMES
    with pytest.raises(ParameterError, match="The names of the arms of PiecewiseArms must be the same in every piece"):
        rb.PiecewiseArms([(1, calm), (5, rb.GaussianArms([0.0, 1.0], [1.0, 1.0], names=["x", "y"]))])


@pytest.mark.parametrize("family", TWO)
def test_names_decide_nothing(family):
    make = getattr(rb, family)
    plain, named, other = (
        rb.Problem(make(**TWO[family], **more), rb.MeanVariance(1.0))
        for more in ({}, {"names": NAMES}, {"names": ("x", "y")})
    )
    assert named.names == NAMES
    assert plain.names == ["arm 0", "arm 1"]
    policy = rb.MVTS()
    for problem in (named, other):
        assert records.digest(problem.arms) == records.digest(plain.arms)
        assert seeds.streams(0, policy, problem, 3)[0].random() == seeds.streams(0, policy, plain, 3)[0].random()
        described = [
            collected.description(Job("MVTS", policy, one, np.array([5, 10]), 2, 0, "plain"), {})
            for one in (problem, plain)
        ]
        assert described[0] == described[1]
        assert nameless(problem.arms)._fields == plain.arms._fields
        assert nameless(problem.arms).names == nameless(plain.arms).names == 0
    assert "names" not in plain.to_data()["arms"]["fields"]  # files of arms without names are what they were
    again = rb.Problem.from_data(
        json.loads(json.dumps(named.to_data())), (make, rb.GaussianArms, rb.NormalFeatures, rb.MeanVariance)
    )
    assert again.names == NAMES
    assert again == named


def test_the_key_of_version_0_1_is_kept():
    arms = rb.Problem(rb.GaussianArms([0.1, 0.7], [0.05, 0.5], names=NAMES), rb.Mean()).arms
    assert records.digest(arms) == records.digest(
        {"class": "GaussianArms", "fields": {"means": [0.1, 0.7], "variances": [0.05, 0.5]}}
    )


def test_results_speak_of_arms_by_name(tmp_path):
    arms = rb.GaussianArms([0.0, 1.0], [1.0, 1.0], names=NAMES)
    problem = rb.Problem(arms, rb.MeanVariance(1.0))
    result = rb.simulate(problem, [rb.MVTS()], horizon=50, runs=3, progress=False)
    bare = rb.simulate(
        rb.Problem(arms._replace(names=""), problem.risk), [rb.MVTS()], horizon=50, runs=3, progress=False
    )
    assert result.pulls("MVTS").columns.tolist() == NAMES
    np.testing.assert_array_equal(result.pulls("MVTS"), bare.pulls("MVTS"))
    assert result.table().equals(bare.table())
    assert result.arms()["arm"].tolist() == NAMES
    assert result.arms()["MVTS pulls"].sum() == pytest.approx(1.0)
    assert "Best arm: stock (value 0); then bond (-1)." in str(result)
    assert "stock (best)" in {text.get_text() for text in result.plot("pulls").get_legend().get_texts()}
    result.save(tmp_path / "r.parquet")
    assert rb.load(tmp_path / "r.parquet").problem.names == NAMES
    found = rb.identify(problem, rb.SuccessiveRejects(), budget=20, runs=5, progress=False)
    assert found.arms()["arm"].tolist() == NAMES


def test_the_command_line_says_which_arm_is_best(command, tmp_path):
    path = tmp_path / "arms.csv"
    path.write_text("name,mean,variance\nbond,0,1\nstock,1,1\n")
    code, out, _ = command("simulate", "--arms", path, "--policies", "mvts", "--horizon", "50", "--runs", "3")
    assert code == 0
    assert out.index("Best arm: stock (value 0); then bond (-1).") < out.index("MVTS")
    code, out, _ = command("simulate", "--arms", path, "--policies", "mvts", "--horizon", "50", "--runs", "3", "--json")
    data = json.loads(out)
    assert (data["arms"], data["best_arm"]) == (NAMES, "stock")
    path = tmp_path / "arms.json"
    path.write_text('[{"arm": "u", "probability": 0.1}, {"arm": "v", "probability": 0.5}]')
    code, out, _ = command("identify", "--arms", path, "--budget", "20", "--runs", "5")
    assert "Best arm: v." in out


@pytest.mark.parametrize(
    "names",
    [
        ["a"],
        ["a", "a"],
        ["a", ""],
        ["a", 2],
        "ab",
        3,
        {"a": 1},
        {"a", "b"},
        [["a"], ["b"]],
        ["a", "b", "c"],
        ["a", " "],
    ],
)
def test_bad_names(names):
    with pytest.raises(RiskBanditsError, match="names"):
        rb.Problem(rb.GaussianArms([0, 1], [1, 1], names=names), rb.Mean())


def test_names_in_two_columns(tmp_path):
    from riskbandits.cli.arm_files import read_arms

    (tmp_path / "a.csv").write_text("name,arm,mean,variance\nu,v,0,1\n")
    with pytest.raises((RiskBanditsError, ParameterError), match="in two columns"):
        read_arms(tmp_path / "a.csv")
