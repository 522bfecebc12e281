"""A learner on disk: the choices continue exactly, and a bad file is refused and left alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.compiling import jit
from riskbandits.core.errors import FileError, ParameterError
from riskbandits.learner import persistence
from riskbandits.numerics import moments
from riskbandits.policies.ngts import SPENT
from riskbandits.policies.support import naming
from riskbandits.testing.policy import fitting_problem

RISK = rb.MeanVariance(0.7)
DATA = Path(__file__).parents[1] / "data"


class Mine(NamedTuple):
    """A policy of one's own."""

    noise: float = 0.3

    def score(self, state, k, run, risk, rng):
        return state[k, 1] + self.noise * rng.standard_normal()

    def learn(self, state, k, run, reward):
        moments.add(state, k, reward)


class MyRisk(NamedTuple):
    """A risk measure of one's own."""

    weight: float = 2.0

    def value(self, mean, variance):
        return mean - self.weight * variance


def go_on(one, steps, seed):
    """Choices with answers that come three asks late."""
    rng = np.random.default_rng(seed)
    waiting, chosen = [], []
    for _ in range(steps):
        arm = one.ask()
        chosen.append(arm)
        waiting.append((arm, float(rng.integers(2))))
        if len(waiting) > 3:
            one.tell(*waiting.pop(0))
    return chosen


@pytest.mark.parametrize("cls", naming.public_policies())
def test_the_stream_continues_as_if_never_stopped(cls, tmp_path, monkeypatch):
    if cls not in (rb.MVTS, rb.BMVTS, rb.SwitchingAware):  # in plain Python: compiling all takes minutes
        monkeypatch.setattr(jit, "entry", lambda function, classes: function)
    one = rb.Learner(cls(), ["x", "y", "z"], fitting_problem(cls()).risk, horizon=500, seed=11)
    go_on(one, 60, seed=1)  # leaves three asks outstanding
    back = rb.Learner.load(one.save(tmp_path / "learner.json"))
    assert back.summary().equals(one.summary())
    assert back.summary().outstanding.sum() == 3
    assert go_on(back, 100, seed=2) == go_on(one, 100, seed=2)
    assert back.decisions == one.decisions == 160


def test_retired_and_added_arms_survive(tmp_path):
    one = rb.Learner(rb.MVTS(), ["x", "y", 3], RISK)
    one.tell(["x", "y", 3], [0.1, 0.2, 0.3])
    one.retire("y")
    one.add("new")
    back = rb.Learner.load(one.save(tmp_path / "learner.json"))
    assert back.arms == ["x", 3, "new"]
    assert back.summary().equals(one.summary())
    assert back.ask() == "new"
    with pytest.raises(ParameterError, match="retired"):
        back.tell("y", 1.0)


def test_the_file_is_small_and_readable(tmp_path):
    path = rb.Learner(rb.MVTS(), ["x", "y"], RISK).save(tmp_path / "learner.json")
    data = json.loads(path.read_text())
    assert data["format"] == "riskbandits-learner"
    assert data["version"] == 2
    assert path.stat().st_size < 3000


def test_a_policy_of_ones_own_is_passed_never_imported(tmp_path):
    one = rb.Learner(Mine(0.5), ["x", "y"], MyRisk(), seed=4)
    go_on(one, 20, seed=1)
    path = one.save(tmp_path / "learner.json")
    with pytest.raises(ParameterError, match="pass its class, Learner.load"):
        rb.Learner.load(path)
    with pytest.raises(ParameterError, match="risk 'MyRisk'"):
        rb.Learner.load(path, policy=Mine)
    back = rb.Learner.load(path, policy=Mine, risk=MyRisk)
    assert back.policy == Mine(0.5)
    assert go_on(back, 50, seed=2) == go_on(one, 50, seed=2)
    assert rb.Learner.load(path, Mine(0.5), MyRisk()).policy == Mine(0.5)
    with pytest.raises(ParameterError, match="not Mine"):
        rb.Learner.load(path, Mine(0.6), MyRisk())


def change(data, **changes):
    return json.dumps(data | changes)


DAMAGE = {
    "empty": lambda data: "",
    "half": lambda data: json.dumps(data)[:300],
    "not json": lambda data: "hello",
    "a list": lambda data: "[]",
    "another format": lambda data: change(data, format="other"),
    "no version": lambda data: change(data, version="one"),
    "no content": lambda data: change(data, content=None),
    "a changed number": lambda data: change(data, content=data["content"] | {"decisions": 7}),
    "a missing part": lambda data: change(data, content={k: v for k, v in data["content"].items() if k != "rng"}),
    "newer": lambda data: change(data, version=3),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_damaged_and_newer_files_are_refused_and_left_untouched(kind, tmp_path):
    path = rb.Learner(rb.MVTS(), ["x", "y"], RISK).save(tmp_path / "learner.json")
    path.write_text(DAMAGE[kind](json.loads(path.read_text())))
    before = path.read_bytes()
    with pytest.raises(FileError, match="newer version" if kind == "newer" else "damaged") as caught:
        rb.Learner.load(path)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == before


def test_a_file_that_fits_its_checksum_but_not_its_form_is_damaged(tmp_path):
    from riskbandits.learner import persistence

    path = rb.Learner(rb.MVTS(), ["x", "y"], RISK).save(tmp_path / "learner.json")
    data = json.loads(path.read_text())
    for broken in (
        data["content"] | {"run": [1.0]},
        data["content"] | {"rng": {"bit_generator": "MT19937"}},
        {k: v for k, v in data["content"].items() if k != "arms"},
        {k: v for k, v in data["content"].items() if k != "policy"},
        data["content"] | {"arms": [arm | {"state": [1.0]} for arm in data["content"]["arms"]]},
    ):
        path.write_text(change(data, content=broken, checksum=persistence._checksum(broken)))
        with pytest.raises(FileError):
            rb.Learner.load(path)


def test_missing_file_and_unwritable_folder(tmp_path):
    with pytest.raises(FileError, match="There is no file"):
        rb.Learner.load(tmp_path / "none.json")
    with pytest.raises(FileError, match="could not be written"):
        rb.Learner(rb.MVTS(), ["x"], RISK).save(tmp_path / "none" / "learner.json")


def test_a_failed_save_leaves_the_old_file(tmp_path, monkeypatch):
    one = rb.Learner(rb.MVTS(), ["x", "y"], RISK)
    path = one.save(tmp_path / "learner.json")
    before = path.read_bytes()
    one.ask()
    monkeypatch.setattr("os.replace", lambda *a: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(FileError, match="No space left"):
        one.save(path)
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


def test_infinite_state_survives(tmp_path):
    one = rb.Learner(Mine(), ["x", "y"], RISK)
    one._state.policy_state[0, 1] = np.inf
    back = rb.Learner.load(one.save(tmp_path / "learner.json"), policy=Mine)
    assert back._state.policy_state[0, 1] == np.inf


def test_files_of_earlier_versions_still_open():
    one = rb.Learner.load(DATA / "learner-v1.json")
    assert one.arms == ["bond", "stock"]
    assert [one.ask() for _ in range(12)] == json.loads((DATA / "learner-v1-choices.json").read_text())


@pytest.mark.parametrize("policy", [rb.NGTS(), rb.SwitchingAware(), rb.Restarting(every=0.0), rb.Discounted()])
def test_columns_that_came_later(policy, monkeypatch):
    """NGTS did not keep what is spent of its draws; wrappers keep theirs behind its columns. The next look knows it."""
    monkeypatch.setattr(jit, "entry", lambda function, classes: function)
    one = rb.Learner(policy, ["x", "y", "z"], RISK, horizon=400)
    go_on(one, 60, seed=1)
    one.retire("z")
    content = persistence.content_of(one)
    for arm in (*content["arms"], *content["retired"]):
        del arm["state"][SPENT]
    back = persistence.make(content, rb.Learner, None, None)
    expected = one._state.policy_state.copy()
    assert (expected[:, SPENT] > 0.0).all()
    expected[:, SPENT] = 0.0
    np.testing.assert_array_equal(back._state.policy_state, expected)
    go_on(one, 30, seed=2)
    go_on(back, 30, seed=2)
    assert back._state.policy_state[0, SPENT] == pytest.approx(one._state.policy_state[0, SPENT], rel=0.2)
    del content["arms"][0]["state"][:2]
    with pytest.raises(FileError, match="columns"):
        persistence.make(content, rb.Learner, None, None)


def test_files_with_ids_still_open(monkeypatch):
    """As they were written when ids came; a later version reads them the same."""
    monkeypatch.setattr(jit, "entry", lambda function, classes: function)
    one = rb.Learner.load(DATA / "learner-v2.json")
    expected = json.loads((DATA / "learner-v2-choices.json").read_text())
    assert [list(decision[:2]) for decision in one.open_decisions()] == expected["open"]
    assert [one.decide().arm for _ in range(12)] == expected["choices"]
    assert one.answer("decision-9", 0.5)  # of an arm that was retired
