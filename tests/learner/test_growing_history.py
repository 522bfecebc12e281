"""Learners whose policy keeps all rewards: they grow, are saved and restored, and repeat a simulation."""

from __future__ import annotations

import json

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.compiling import jit
from riskbandits.core.errors import FileError, ParameterError, RefusalError
from riskbandits.learner import persistence
from riskbandits.numerics import history
from riskbandits.simulation.runner import Job, run_in_plain_python
from riskbandits.testing.policy import _pulls_of_learner


@pytest.fixture(autouse=True)
def plain_python(monkeypatch):
    """Nothing here depends on compiled code, and a history takes long to compile."""
    monkeypatch.setattr(jit, "entry", lambda function, classes: function)


def test_a_learner_repeats_a_simulation():
    problem = rb.Problem(rb.BetaArms([2, 3, 1], [2, 3, 4]), rb.CVaR(0.2))
    for policy in (rb.NPTS(), rb.NPTS.anchor_free(), rb.BCVTS()):
        job = Job("policy", policy, problem, np.array([80]), 2, 5, "plain")
        bulk = run_in_plain_python(job).pulls
        for replication in range(2):
            np.testing.assert_array_equal(_pulls_of_learner(policy, problem, 80, 5, replication), bulk[replication])


def talk(learner, steps, seed):
    rng = np.random.default_rng(seed)
    chosen = []
    for _ in range(steps):
        arm = learner.ask()
        chosen.append(arm)
        learner.tell(arm, rng.random())
    return chosen


def test_the_file_holds_the_rewards_and_the_stream_continues(tmp_path):
    one = rb.Learner(rb.NPTS(), ["a", "b", "c"], rb.Entropic(1.0), seed=3)
    talk(one, 150, seed=1)
    one.retire("b")
    one.add("d")
    path = one.save(tmp_path / "learner.json")
    content = json.loads(path.read_text())["content"]
    assert len(content["run"]) == 13
    told = {arm["name"]: arm["history"] for arm in content["arms"]}
    assert sum(sum(entry["counts"]) for entry in told.values()) == 2 + one.summary().query("not retired").told.sum()
    assert told["a"]["values"] == sorted(told["a"]["values"])
    assert told["d"] == {"values": [], "counts": []}
    back = rb.Learner.load(path)
    assert history.entries_of(back._state.policy_state, back._state.run) == history.entries_of(
        one._state.policy_state, one._state.run
    )
    assert talk(back, 60, seed=2) == talk(one, 60, seed=2)


def test_choices_made_elsewhere_and_subsets(tmp_path):
    one = rb.Learner(rb.NPTS.anchor_free(), ["a", "b", "c"], rb.ValueAtRisk(0.3), seed=3)
    one.tell(["a"] * 40 + ["b"] * 40, np.random.default_rng(0).normal(size=80))
    assert one.ask(available=["a", "b"]) in ("a", "b")
    assert one.ask() == "c"  # due for its first pulls
    assert history.values(one._state.policy_state, 0, one._state.run).shape == (40,)


def test_a_damaged_history_is_refused(tmp_path):
    one = rb.Learner(rb.NPTS(), ["a", "b"], rb.Mean(), seed=3)
    talk(one, 9, seed=1)
    path = one.save(tmp_path / "learner.json")
    data = json.loads(path.read_text())
    del data["content"]["arms"][0]["history"]["counts"][0]
    data["checksum"] = persistence.checksum(data)
    path.write_text(json.dumps(data))
    with pytest.raises(FileError, match="damaged"):
        rb.Learner.load(path)


def test_rewards_beyond_the_bound_and_other_measures_are_refused():
    with pytest.raises(ParameterError, match="must be at most 1 for NPTS. Got 1.5"):
        rb.Learner(rb.NPTS(), ["a"], rb.Mean()).tell("a", 1.5)
    with pytest.raises(ParameterError, match="must be at most 3 for BCVTS. Got 3.5"):
        rb.Learner(rb.BCVTS(upper=3.0), ["a"], rb.CVaR(0.1)).tell("a", 3.5)
    with pytest.raises(ParameterError, match="must be one of the 3 values of the support for MCVTS. Got 0.5"):
        rb.Learner(rb.MCVTS(support=[0, 1, 2]), ["a"], rb.CVaR(0.1)).tell("a", 0.5)
    with pytest.raises(
        RefusalError, match="BCVTS is defined for CVaR only. Got Mean instead. NPTS supports any measure"
    ):
        rb.Learner(rb.BCVTS(), ["a"], rb.Mean())
