from __future__ import annotations

import json

import pytest

import riskbandits as rb
from riskbandits.api import parsing
from riskbandits.core.errors import RiskBanditsError, UnknownNameError
from riskbandits.policies.support import naming


@pytest.mark.parametrize(
    ("policy", "label"),
    [
        (rb.MVTS(), "MVTS"),
        (rb.MVTS(shape=2), "MVTS(shape=2)"),
        (rb.MVTS(rate=0.25, shape=1e-7), "MVTS(shape=1e-07, rate=0.25)"),
        (rb.MCVTS([0.0, 0.5, 1.0]), "MCVTS(support=[0, 0.5, 1])"),
        (rb.MCVTS(tuple(range(9))), "MCVTS(support=[0, 1, 2, ..., 8])"),
        (rb.SwitchingAware(rb.MVTS(rate=5.0), anytime=True), "SwitchingAware(MVTS(rate=5), anytime=True)"),
        (rb.MVLCB(), "MVLCB"),
        (rb.MVLCB.authors(), "MVLCB"),
        (rb.MVLCB.vakili(a=2), "MVLCB"),
        (rb.MVLCB.sani(), "MVLCB:sani"),
        (rb.MVLCB.vakili(), "MVLCB:vakili"),
        (rb.MVLCB(offset=5, factor=1, use_horizon=True), "MVLCB:sani"),
        (rb.BernoulliLCB.tight(), "BernoulliLCB:tight"),
        (rb.MTS.printed(), "MTS:printed"),
    ],
)
def test_labels(policy, label):
    assert naming.label(policy) == label


def test_repeats_are_numbered():
    policies = [rb.MVTS(), rb.MVTS(), rb.MVLCB.sani(), rb.MVTS(rate=1), rb.MVLCB.sani()]
    assert naming.labels(policies) == ["MVTS", "MVTS#2", "MVLCB:sani", "MVTS(rate=1)", "MVLCB:sani#2"]


def test_labels_of_ones_own():
    problem = rb.problems.zhu_tan_gaussian(1)
    small = {"horizon": 40, "runs": 4, "seed": 2, "progress": False}
    mine = rb.simulate(problem, {"mine": rb.MVTS(rate=5), "other": rb.MVTS()}, **small)
    assert mine.labels == ["mine", "other"]
    plain = rb.simulate(problem, [rb.MVTS(), rb.MVTS(rate=5)], **small)
    assert (mine.pulls("mine") == plain.pulls("MVTS(rate=5)")).all()  # streams know nothing of labels
    sweep = rb.sweep(rb.problems.zhu_tan_gaussian, [1, 2], {"mine": rb.MVTS()}, **small)
    assert set(sweep.table()["policy"]) == {"mine"}
    compared = rb.compare({"one": problem}, {"mine": rb.MVTS(), "b": rb.UniformRandom()}, **small)
    assert set(compared.leaderboard()["policy"]) == {"mine", "b"}
    for wrong in ({}, {"": rb.MVTS()}, {3: rb.MVTS()}, {"a": "mvts"}):
        with pytest.raises(RiskBanditsError):
            rb.simulate(problem, wrong, **small)


def test_labels_on_the_command_line(command):
    policies = "mvts(rate=5), mine=mvts(rate=5), mv-lcb:sani"
    code, out, err = command(
        "simulate", "--policies", policies, "--horizon", "30", "--runs", "2", "--threads", "1", "--json"
    )
    assert code == 0, err
    labels = [one["label"] for one in json.loads(out)["settings"]["policies"]]
    assert labels == ["MVTS(rate=5)", "mine", "MVLCB:sani"]
    code, _, err = command("simulate", "--policies", "a=mvts,a=vts", "--horizon", "30", "--runs", "2")
    assert code == 2
    assert "labels of policies must be different" in err


@pytest.mark.parametrize("text", ["mv-lcb:sani", "MVLCB:Sani", "mv_lcb:SANI", " mvlcb:sani "])
def test_what_people_type(text):
    assert parsing.parse(text) == rb.MVLCB.sani()


@pytest.mark.parametrize("text", ["mvlcbb", "mv-lcb:sanii", "", "nothing at all"])
def test_wrong_names(text):
    with pytest.raises(UnknownNameError):
        parsing.parse(text)
