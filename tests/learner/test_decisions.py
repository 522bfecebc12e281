"""Decisions with ids: booked once, late or never, of arms that come and go."""

from __future__ import annotations

import copy
import pickle
import re
import threading
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.compiling import jit
from riskbandits.core.errors import ConflictError, GoneError, ParameterError, RiskBanditsError, UnknownNameError
from riskbandits.learner import persistence
from riskbandits.testing.policy import fitting_problem

RISK = rb.MeanVariance(1.0)


@pytest.fixture(autouse=True)
def plain_python(monkeypatch):
    """Nothing here depends on compiled code."""
    monkeypatch.setattr(jit, "entry", lambda function, classes, checked=False: function)


def learner(policy=rb.MVTS(), arms=("a", "b", "c"), **settings):
    return rb.Learner(policy, list(arms), RISK, **settings)


def rows(one):
    return one.summary().set_index("arm")


def test_an_answer_is_booked_once():
    one = learner()
    decision = one.decide()
    assert re.fullmatch("decision-1-[0-9a-f]{8}", decision.id)
    assert decision[1:] == ("a", None)
    assert one.open_decisions() == [decision]
    assert one.answer(decision.id, 0.02) is True
    before = one.to_json()
    assert one.answer(decision.id, 0.02) is False
    assert one.answer(decision.id, Decimal("0.02")) is False
    with pytest.raises(ConflictError, match=f"'{decision.id}' must be 0.02, as already recorded. Got 0.03 instead"):
        one.answer(decision.id, 0.03)
    with pytest.raises(ConflictError, match="was already answered"):
        one.forget(decision.id)
    assert one.to_json() == before
    assert rows(one).told.to_dict() == {"a": 1, "b": 0, "c": 0}
    assert one.open_decisions() == []


def test_a_decision_stands_for_its_id():
    one = learner()
    first, second, third, fourth = one.decide(count=4)
    assert one.answer(first, 0.02) is True
    assert one.answer(first.id, 0.02) is False
    assert one.answer([second, third.id], [0.1, 0.2]) == [True, True]
    one.forget(fourth)
    assert one.open_decisions() == []


@pytest.mark.parametrize("cls", [rb.MVTS, rb.BMVTS, rb.NPTS, rb.MVDSEE, rb.SwitchingAware])
def test_ids_choose_as_asks_do(cls):
    """Decisions answered at once are the choices of ask and tell, bit for bit, one by one or several at a time."""
    one, two, three = (
        rb.Learner(cls(), ["a", "b", "c"], fitting_problem(cls()).risk, horizon=200, seed=4) for _ in range(3)
    )
    rewards = np.random.default_rng(0).integers(0, 2, size=60).astype(float)
    for turn in range(20):
        asked = [one.ask() for _ in range(3)]
        decided = [two.decide() for _ in range(3)]
        at_once = three.decide(count=3)
        assert asked == [d.arm for d in decided] == [d.arm for d in at_once]
        for place in range(3):
            reward = rewards[3 * turn + place]
            one.tell(asked[place], reward)
            assert two.answer(decided[place].id, reward)
        assert three.answer([d.id for d in at_once], rewards[3 * turn : 3 * turn + 3]) == [True] * 3
    for other in (two, three):
        assert other.summary().equals(one.summary())
        np.testing.assert_array_equal(other.state, one.state)


def test_answers_come_late_out_of_order_and_several_at_once():
    one = learner()
    made = one.decide(count=6)
    assert [d.id.split("-")[1] for d in made] == [str(n) for n in range(1, 7)]
    assert len({d.id.split("-")[2] for d in made}) == 1
    ids = [d.id for d in made]
    assert one.answer([ids[5], ids[0], ids[5]], [0.5, 0.1, 0.5]) == [True, True, False]
    assert one.answer([ids[0], ids[3]], [0.1, 0.3]) == [False, True]
    before = one.to_json()
    for wrong, rewards in [
        ([ids[1], ids[1]], [0.1, 0.2]),  # contradictory among themselves
        ([ids[1], ids[0]], [0.1, 0.2]),  # with what is booked
        ([ids[1], ids[1].replace("-2-", "-99-")], [0.1, 0.2]),
        ([ids[1], ids[2]], [0.1, float("nan")]),
        ([ids[1], ids[2]], [0.1]),
        ([ids[1], ids[2]], 0.1),
        ({ids[1]: 0.1}, [0.1]),
    ]:
        with pytest.raises(RiskBanditsError) as caught:
            one.answer(wrong, rewards)
        assert "\n" not in str(caught.value)
        assert one.to_json() == before
    assert [d.id for d in one.open_decisions()] == [ids[1], ids[2], ids[4]]
    assert one.answer([], []) == []


def test_ids_that_are_none():
    one = learner()
    one.ask()
    id = one.decide().id
    token = id.rpartition("-")[2]
    before = one.to_json()
    for wrong in (f"decision-3-{token}", f"decision-1-{token}"):  # the first was made without an id
        with pytest.raises(UnknownNameError, match=f"There is no decision '{wrong}'\\."):
            one.answer(wrong, 1.0)
        with pytest.raises(UnknownNameError):
            one.forget(wrong)
    for wrong in ("decision-2", "decision-2-00000000", "decision-3-00000000"):
        with pytest.raises(
            UnknownNameError, match=f"'{wrong}': it was made after this learner was saved, or by another"
        ):
            one.answer(wrong, 1.0)
    for wrong in ("a", "", "decision-", "decision-02", "decision-+2", "decision- 2", "decision-2 ", "decision-٢",
                  "Decision-2", "decision-1_0", "decision-0", "decision--2", 2, 2.0, None, True, b"decision-2",
                  "decision-" + "9" * 5000, id.upper(), f"{id}0", f"decision--{token}"):  # fmt: skip
        with pytest.raises(RiskBanditsError) as caught:
            one.answer(wrong, 1.0)
        assert len(str(caught.value)) < 400
    assert one.to_json() == before
    assert one.answer(np.str_(id), 1.0)
    assert one.open_decisions() == []


def test_no_arm_is_called_as_a_decision_is():
    for name in ("decision-7", "decision-7-0a1b2c3d"):
        with pytest.raises(ParameterError, match="The name of an arm must be different from ids of decisions"):
            learner(arms=[name])
        with pytest.raises(ParameterError, match="different from ids"):
            learner().add(name)
    learner(arms=["decision-07", "decisions", "decision", "decision-7-x"])


@pytest.mark.parametrize("reward", [float("nan"), float("inf"), None, "1", [1], 1j, Decimal("sNaN"), Decimal("1e999")])
def test_rewards_must_be_finite_numbers(reward):
    one = learner()
    decision = one.decide()
    with pytest.raises(ParameterError, match="The reward of 'decision-1-.{8}' must be"):
        one.answer(decision.id, reward)
    assert one.open_decisions() == [decision]


@pytest.mark.parametrize("reward", [Decimal("0.25"), Fraction(1, 4), np.float32(0.25), np.float64(0.25)])
def test_numbers_of_every_kind(reward):
    one = learner()
    one.answer(one.decide().id, reward)
    one.tell("a", reward)
    assert rows(one)["mean"]["a"] == 0.25


def test_forgetting_by_id():
    one = learner()
    first, second = one.decide(), one.decide()
    one.forget(first.id)
    assert one.open_decisions() == [second]
    before = one.to_json()
    one.forget(first.id)
    with pytest.raises(GoneError, match=f"'{first.id}' was forgotten: it no longer accepts an answer"):
        one.answer(first.id, 1.0)
    assert one.to_json() == before
    assert one.decide().arm == "a"  # its first answer is due again
    assert rows(one).outstanding.to_dict() == {"a": 1, "b": 1, "c": 0}


def test_forgetting_by_arm_leaves_decisions_with_ids_alone():
    one = learner()
    one.decide(available=["a"])
    with pytest.raises(ParameterError, match="Nothing is outstanding for the arm 'a' except decisions with ids"):
        one.forget(arm="a")
    one.ask(available=["a"])
    with pytest.warns(DeprecationWarning, match="forget\\(arm=...\\)"):
        one.forget("a")
    assert rows(one).outstanding["a"] == len(one.open_decisions()) == 1
    for wrong in ({}, {"id": "decision-1", "arm": "a"}):
        with pytest.raises(ParameterError, match="forget needs the id"):
            one.forget(**wrong)


def test_telling_by_arm_settles_no_decision_with_an_id():
    """Otherwise its answer would count twice."""
    one = learner()
    decision = one.decide()
    one.tell("a", 1.0)
    assert one.decisions == 2
    assert one.answer(decision.id, 3.0)
    assert rows(one).loc["a", ["told", "outstanding", "mean"]].tolist() == [2, 0, 2.0]


def test_only_the_last_settled_are_remembered():
    one = learner(remember=3)
    made = one.decide(count=6)
    for decision in made[:5]:
        one.answer(decision.id, 1.0)
    before = one.to_json()
    for old in made[:2]:
        with pytest.raises(GoneError, match=f"'{old.id}' is no longer remembered: it was settled before the last 3"):
            one.answer(old.id, 1.0)
    assert not one.answer(made[2].id, 1.0)
    assert one.to_json() == before
    assert one.answer(made[5].id, 1.0)  # an open one is never too old
    nothing = learner(remember=0)
    decision = nothing.decide()
    assert nothing.answer(decision.id, 1.0)
    with pytest.raises(GoneError):
        nothing.answer(decision.id, 1.0)
    for wrong in (-1, 1.5, None, True):
        with pytest.raises(ParameterError, match="remember must be a whole number >= 0"):
            learner(remember=wrong)


@pytest.mark.parametrize("policy", [rb.MVTS(), rb.NGTS(), rb.NPTS()], ids=lambda policy: type(policy).__name__)
def test_arms_return_with_what_is_known_of_them(policy):
    one, never_gone = learner(policy), learner(policy)
    for each in (one, never_gone):
        each.tell(["a", "b", "c"] * 4, np.linspace(0, 1, 12))
    open_one, asked = one.decide(available=["b"]), one.ask(available=["b"])
    same = never_gone.decide(available=["b"])
    never_gone.ask(available=["b"])
    one.retire("b")
    assert rows(one).loc["b", ["outstanding", "retired"]].tolist() == [2, True]
    assert one.answer(open_one.id, 0.5)  # late
    one.tell(asked, 0.7)
    with pytest.raises(ParameterError, match="'b' was retired and has no outstanding rewards"):
        one.tell("b", 1.0)
    assert one.arms == ["a", "c"]
    one.add("b")
    never_gone.answer(same.id, 0.5)
    never_gone.tell("b", 0.7)
    assert one.arms == ["a", "c", "b"]
    left, right = one.summary().sort_values("arm"), never_gone.summary().sort_values("arm")
    assert left.reset_index(drop=True).equals(right.reset_index(drop=True))
    assert persistence.content_of(one)["arms"][2].get("history") == persistence.content_of(never_gone)["arms"][1].get(
        "history"
    )
    assert one.ask(available=["b"]) == "b"
    one.tell(["a", "b"], [0.1, 0.2])


def test_several_late_answers_are_all_or_nothing():
    one = learner()
    made = [one.decide(available=["b"]), one.decide(available=["a"]), one.decide(available=["b"])]
    one.ask(available=["b"])
    one.retire("b")
    before = one.to_json()
    with pytest.raises(RiskBanditsError):
        one.answer([d.id for d in made], [1.0, 2.0, float("nan")])
    with pytest.raises(ParameterError, match="retired"):
        one.tell(["b", "b"], [1.0, 1.0])  # one is owed
    assert one.to_json() == before
    one.answer([d.id for d in made], [1.0, 2.0, 3.0])
    one.tell(["a", "b"], [2.0, 2.0])
    assert rows(one)["mean"].dropna().to_dict() == {"a": 2.0, "b": 2.0}
    assert rows(one).loc["b", ["told", "outstanding", "retired"]].tolist() == [3, 0, True]


def test_a_retired_arm_with_open_decisions_outlives_a_hundred_others():
    one = learner()
    decision = one.decide(available=["b"])
    one.retire("b")
    for place in range(150):
        one.add(place)
        one.retire(place)
    assert one.answer(decision.id, 1.0)
    one.add("next")
    one.retire("next")
    assert "b" not in rows(one).index  # now it is one of those long retired
    assert one._state.long_retired["told"] == 1


def life():
    one = learner(rb.NGTS(), seed=3)
    made = one.decide(count=9)
    for place, decision in enumerate(made[:6]):
        one.answer(decision.id, 0.1 * place)
    one.forget(made[6].id)
    one.retire("b")
    one.add("new")
    one.ask()
    return one


@pytest.mark.parametrize(
    "copied",
    [
        lambda one: rb.Learner.from_json(one.to_json()),
        lambda one: pickle.loads(pickle.dumps(one)),
        copy.deepcopy,
        copy.copy,
    ],
    ids=["json", "pickle", "deepcopy", "copy"],
)
def test_copies_go_on_exactly_and_apart(copied):
    one = life()
    text = one.to_json()
    twin = copied(one)
    assert twin.to_json() == text
    ids = {int(id.split("-")[1]): id for id in one._decision_log.open} | {
        number: one._decision_log.ids.format(number) for number in one._decision_log.settled
    }
    new, others = [twin.decide() for _ in range(20)], [one.decide() for _ in range(20)]
    assert [d.arm for d in new] == [d.arm for d in others]
    assert not {d.id for d in new} & {d.id for d in others}
    assert not twin.answer(ids[1], 0.0)
    with pytest.raises(GoneError, match="forgotten"):
        twin.answer(ids[7], 1.0)
    twin.answer(ids[8], 1.0)
    assert twin.to_json() != one.to_json()
    assert ids[8] in [d.id for d in one.open_decisions()]
    for other, id in ((one, new[0].id), (twin, others[0].id)):
        with pytest.raises(UnknownNameError, match="or by another learner"):
            other.answer(id, 1.0)


def test_texts_that_are_no_learner():
    for wrong in (None, 3, b"{}", ["{}"]):
        with pytest.raises(ParameterError, match="The text of a learner must be a string"):
            rb.Learner.from_json(wrong)
    for wrong in (
        "",
        "{}",
        "[]",
        "hello",
        life().to_json()[:-1],
        life().to_json().replace('"decisions": 10', '"decisions": 11'),
    ):
        with pytest.raises(rb.errors.FileError, match="The text of a learner is damaged"):
            rb.Learner.from_json(wrong)


def test_a_seed_that_nobody_knows():
    choices = [[learner(seed=None).decide(count=1)[0].arm for _ in range(3)] for _ in range(2)]
    assert choices[0] == choices[1] == ["a"] * 3
    states = {learner(seed=None)._state.rng.bit_generator.state["state"]["state"] for _ in range(5)}
    assert len(states) == 5


def test_count_and_available():
    one = learner()
    assert isinstance(one.decide(count=1), list)
    assert {d.arm for d in one.decide(count=4, available=["b", "c"])} == {"b", "c"}
    for wrong in (0, -1, 1.5, "2", True):
        with pytest.raises(ParameterError, match="count must be a whole number >= 1"):
            one.decide(count=wrong)
    assert one.decisions == 5


def test_many_threads_with_ids():
    """Some answer what others decided, some of it twice; everything is booked once."""
    one, made, lock, errors = learner(arms=range(5)), [], threading.Lock(), []

    def work(place):
        try:
            for turn in range(60):
                decision = one.decide()
                with lock:
                    made.append(decision.id)
                    id = made[(7 * turn + place) % len(made)]
                one.answer(id, 0.5)
                one.answer(decision.id, 0.5)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(place,)) for place in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert len(set(made)) == one.decisions == one.summary().told.sum() == 360
    assert one.open_decisions() == []


def test_decisions_are_forgotten_one_by_one():
    """A list of ids was taken for the name of an arm."""
    learner = rb.Learner(rb.MVTS(), ["a", "b"], rb.MeanVariance(1.0))
    ids = [one.id for one in learner.decide(count=2)]
    with pytest.raises(ParameterError, match="forget needs the id of a decision"):
        learner.forget(ids)
    assert [one.id for one in learner.open_decisions()] == ids
