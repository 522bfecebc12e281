"""A learner on disk: the choices continue exactly, and a bad file is refused and left alone."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.compiling import jit
from riskbandits.core.errors import FileError, GoneError, ParameterError, UnknownNameError
from riskbandits.learner import persistence
from riskbandits.numerics import moments
from riskbandits.policies.support import naming
from riskbandits.testing.policy import fitting_problem

RISK = rb.MeanVariance(0.7)
V02 = Path(__file__).parents[1] / "files" / "v0.2" / "learners"


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
    assert data["version"] == 3
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
    "newer": lambda data: change(data, version=4),
    "older": lambda data: change(data, version=1),
    "no loads": lambda data: json.dumps({k: v for k, v in data.items() if k != "loads"}),
    "a changed token": lambda data: change(data, loads=[[1, "00000000"]]),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_damaged_and_newer_files_are_refused_and_left_untouched(kind, tmp_path):
    path = rb.Learner(rb.MVTS(), ["x", "y"], RISK).save(tmp_path / "learner.json")
    path.write_text(DAMAGE[kind](json.loads(path.read_text())))
    before = path.read_bytes()
    with pytest.raises(FileError, match=f"{kind} version" if kind in ("newer", "older") else "damaged") as caught:
        rb.Learner.load(path)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == before


def test_a_file_that_fits_its_checksum_but_not_its_form_is_damaged(tmp_path):
    path = rb.Learner(rb.MVTS(), ["x", "y"], RISK).save(tmp_path / "learner.json")
    data = json.loads(path.read_text())
    for broken in (
        data["content"] | {"run": [1.0]},
        data["content"] | {"rng": {"bit_generator": "MT19937"}},
        {k: v for k, v in data["content"].items() if k != "arms"},
        {k: v for k, v in data["content"].items() if k != "policy"},
        data["content"] | {"arms": [arm | {"state": [1.0]} for arm in data["content"]["arms"]]},
    ):
        path.write_text(change(data, content=broken, checksum=persistence.checksum(data | {"content": broken})))
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


@pytest.mark.parametrize("name", ["plain", "history", "guarded", "discounted"])
def test_files_of_version_0_2_open(name, monkeypatch, tmp_path):
    """With decisions open, arms retired and returned, and a history, guard rails or evidence that fades."""
    monkeypatch.setattr(jit, "entry", lambda function, classes: function)
    one = rb.Learner.load(V02 / f"{name}.json")
    expected = json.loads((V02 / f"{name}.expected.json").read_text())
    assert [list(decision) for decision in one.open_decisions()] == expected["open"]
    table = one.summary()
    assert not table.pop("assured").any()  # which takes sums that were not kept then
    if name == "discounted":  # intervals took all rewards then, however long ago
        table, expected["summary"] = table.drop(columns=["low", "high"]), [row[:-2] for row in expected["summary"]]
        assert one.best().arm == expected["best"][0]
    else:
        assert list(one.best()) == [*expected["best"], False]
    assert json.loads(table.to_json(orient="values", double_precision=15)) == expected["summary"]
    id = expected["open"][0][0]
    assert id == f"decision-{id.split('-')[1]}"  # such ids had no token
    new = one.decide()
    back = rb.Learner.load(one.save(tmp_path / "learner.json"))
    for number, reward in expected["settled"]:
        if reward is None:
            back.forget(f"decision-{number}")
        else:
            assert back.answer(f"decision-{number}", reward) is False
    assert back.answer([id, new.id], [0.5, 0.25]) == [True, True]


@pytest.mark.parametrize("name", ["plain", "history", "guarded", "discounted"])
def test_choices_of_version_0_2_continue(name):
    one = rb.Learner.load(V02 / f"{name}.json")
    if name == "guarded":
        one.resume()
    expected, rng = json.loads((V02 / f"{name}.expected.json").read_text()), random.Random(9)
    for arm in expected["choices"]:
        assert one.ask() == arm
        one.tell(arm, round(rng.random(), 2))


@pytest.mark.parametrize("cls", naming.public_policies())
def test_equal_states_have_equal_files(cls, monkeypatch):
    """Where a history lies in memory is no part of a state, nor is the token of a load in which nothing was decided."""
    monkeypatch.setattr(jit, "entry", lambda function, classes: function)
    risk = fitting_problem(cls()).risk
    one, other = (rb.Learner(cls(), ["x", "y", "z"], risk, horizon=500, seed=11) for _ in range(2))
    for turn in range(3):
        go_on(one, 15, seed=turn)
        go_on(other, 15, seed=turn)
        text = other.to_json()
        other = rb.Learner.from_json(text)
        assert other.to_json() == text == one.to_json()
    for learner in (one, other):
        learner.answer(learner.decide().id, 1.0)
    assert json.loads(one.to_json())["content"] == json.loads(other.to_json())["content"]


def test_a_crash_and_a_restart_from_an_older_file(tmp_path):
    """No id is given twice, and an answer to a decision of the lost time changes nothing."""
    one = rb.Learner(rb.MVTS(), ["x", "y"], RISK, seed=1)
    kept = one.decide(count=4)
    one.answer(kept[0], 1.0)
    path = one.save(tmp_path / "learner.json")
    lost = one.decide(count=6)
    one.answer(lost[0], 0.5)  # then the process dies
    back = rb.Learner.load(path)
    again = back.decide(count=3, available=["y"])
    assert not {d.id for d in again} & {d.id for d in (*kept, *lost)}
    for learner in (back, rb.Learner.load(back.save(path))):  # and after one more restart
        before = learner.to_json()
        for decision in lost:
            with pytest.raises(UnknownNameError, match=f"There is no decision '{decision.id}': it was made after"):
                learner.answer(decision, 0.5)
            with pytest.raises(UnknownNameError):
                learner.forget(decision)
        assert learner.to_json() == before
        assert learner.answer(kept[0], 1.0) is False
        assert learner.open_decisions() == [*kept[1:], *again]
    assert learner.answer([*kept[1:], *again], [1.0] * 6) == [True] * 6
    loads = json.loads(learner.to_json())["loads"]
    assert loads == [[1, kept[0].id.split("-")[2]], [5, again[0].id.split("-")[2]]]


def test_a_file_does_not_grow_with_loads():
    """Of loads whose decisions are all settled and no longer remembered nothing is kept."""
    one = rb.Learner(rb.MVTS(), ["x", "y"], RISK, remember=3)
    first = one.decide()
    for _ in range(20):
        one = rb.Learner.from_json(one.to_json())
        latest = one.decide()
        one.answer(latest, 1.0)
    assert [number for number, _ in json.loads(one.to_json())["loads"]] == [1, 19, 20, 21]
    back = rb.Learner.from_json(one.to_json())
    assert back.answer([first, latest], [1.0, 1.0]) == [True, False]
    with pytest.raises(GoneError, match="no longer remembered"):
        back.answer("decision-2-0a1b2c3d", 1.0)


def test_ids_without_tokens(tmp_path):
    """For learners whose ids somebody else gives out; a file goes from one kind to the other and back."""

    class Numbered(rb.Learner):
        ids_with_tokens = False

    one = rb.Learner(rb.MVTS(), ["x", "y"], RISK)
    decision = one.decide()
    numbered = Numbered.load(one.save(tmp_path / "learner.json"))
    assert [d.id for d in (*numbered.open_decisions(), numbered.decide())] == ["decision-1", "decision-2"]
    assert json.loads(numbered.to_json())["loads"] == []
    back = rb.Learner.load(numbered.save(tmp_path / "learner.json"))
    assert back.answer(["decision-1", "decision-2", back.decide().id], [1.0, 2.0, 3.0]) == [True] * 3
    with pytest.raises(UnknownNameError):
        back.answer(decision, 1.0)
