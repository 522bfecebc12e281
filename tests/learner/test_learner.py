"""The learner in use: late answers, masks, arms that come and go, and input that must be refused."""

from __future__ import annotations

import threading
from collections import Counter

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.core.errors import ParameterError, UnknownNameError

RISK = rb.MeanVariance(1.0)


def learner(policy=rb.MVTS(), arms=("a", "b", "c"), **settings):
    return rb.Learner(policy, list(arms), RISK, **settings)


def told(one):
    return one.summary().set_index("arm").told.to_dict()


def test_first_asks_go_round_while_answers_are_outstanding():
    one = learner()
    assert [one.ask() for _ in range(7)] == ["a", "b", "c", "a", "b", "c", "a"]


@pytest.mark.parametrize("policy", [rb.BernoulliLCB(), rb.BMVTS(), rb.MVTS(), rb.MVLCB(), rb.MVDSEE(), rb.ExpExp()])
def test_ten_asks_in_a_row_do_not_all_return_the_first_arm(policy):
    one = learner(policy, [str(k) for k in range(10)], horizon=1000)
    assert len({one.ask() for _ in range(10)}) >= 4


def test_an_arm_whose_first_answer_is_outstanding_is_not_judged():
    one = learner()
    assert [one.ask() for _ in range(3)] == ["a", "b", "c"]
    one.tell("b", 0.5)
    assert {one.ask() for _ in range(20)} == {"b"}
    one.tell("a", 0.9)
    assert {one.ask() for _ in range(60)} == {"a", "b"}


def test_answers_may_come_in_any_order_and_late():
    one = learner()
    asked = [one.ask() for _ in range(6)]
    for arm in reversed(asked):
        one.tell(arm, 0.1)
    assert told(one) == {"a": 2, "b": 2, "c": 2}
    assert one.summary().outstanding.sum() == 0
    assert one.decisions == 6


def test_batches_are_all_or_nothing():
    one = learner()
    one.tell(["a", "b", "a"], [1.0, 2.0, 3.0])
    one.tell(np.array(["c"]), np.array([4.0]))
    before = one.summary()
    for arms, rewards in [
        (["a", "x"], [1, 1]),
        (["a", "b"], [1, float("nan")]),
        (["a", "b"], [1]),
        (["a"], 1.0),
        (["a"], "1"),
    ]:
        with pytest.raises((ParameterError, UnknownNameError)):
            one.tell(arms, rewards)
    assert before.equals(one.summary())
    assert told(one) == {"a": 2, "b": 1, "c": 1}


def test_rewards_for_choices_made_elsewhere_count_as_decisions():
    one = learner()
    one.tell(["a", "b", "c"] * 3, np.linspace(0, 1, 9))
    assert one.decisions == 9
    assert one.ask() in {"a", "b", "c"}
    assert one.summary().share.sum() == pytest.approx(1.0)


def test_logged_data_teach_the_same_as_ones_own():
    """A policy that books exploration at choice time learns from logs as if it had chosen itself."""
    live, logged = learner(rb.MVDSEE()), learner(rb.MVDSEE())
    for reward in np.random.default_rng(0).normal(size=40):
        arm = live.ask()
        live.tell(arm, reward)
        logged.tell(arm, reward)
    np.testing.assert_array_equal(live._state.policy_state[:, :3], logged._state.policy_state[:, :3])
    assert live.decisions == logged.decisions


def test_masks_limit_one_choice():
    one = learner()
    assert [one.ask(available=["c"]) for _ in range(3)] == ["c"] * 3
    assert one.ask(available=["c", "b"]) == "b"
    one.tell(["a", "b", "c"], [0.0, 0.0, 5.0])
    assert {one.ask(available=["a", "b"]) for _ in range(30)} == {"a", "b"}
    for wrong in ([], ["x"], "a", 3):
        with pytest.raises((ParameterError, UnknownNameError)):
            one.ask(available=wrong)


def test_masked_arms_do_not_disturb_the_policy():
    """Asking among two of three arms is asking a learner that has only these two."""
    three, two = learner(rb.MVLCB()), learner(rb.MVLCB(), "ab")
    for one in (three, two):
        one.tell(["a", "b"] * 5, [0.2, 0.4] * 5)
    three.tell("c", 100.0)
    two._state.decisions[0] += 1
    for _ in range(30):
        arm = three.ask(available=["a", "b"])
        assert arm == two.ask()
        three.tell(arm, 0.3)
        two.tell(arm, 0.3)


def test_arms_come_and_go():
    one = learner()
    one.tell(["a", "b", "c"], [0.1, 0.2, 0.3])
    one.add("d")
    assert one.ask() == "d"  # a new arm gets its first pull
    one.tell("d", 0.4)
    one.retire("b")
    assert one.arms == ["a", "c", "d"]
    assert Counter(one.ask() for _ in range(200))["b"] == 0
    with pytest.raises(ParameterError, match="'b' was retired"):
        one.tell("b", 1.0)
    with pytest.raises(ParameterError, match="'b' was retired"):
        one.retire("b")
    with pytest.raises(ParameterError, match="already an arm 'a'"):
        one.add("a")
    summary = one.summary().set_index("arm")
    assert summary.retired.to_dict() == {"a": False, "c": False, "d": False, "b": True}
    assert summary["mean"]["b"] == 0.2
    for arm in one.arms:
        one.retire(arm)
    with pytest.raises(ParameterError, match="all are retired"):
        one.ask()


def test_forget():
    one = learner()
    one.ask()
    one.forget(arm="a")
    assert one.ask() == "a"  # its first answer is due again
    one.tell("a", 1.0)
    with pytest.raises(ParameterError, match="Nothing is outstanding for the arm 'a'"):
        one.forget(arm="a")
    with pytest.raises(UnknownNameError):
        one.forget(arm="z")


@pytest.mark.parametrize("reward", [float("nan"), float("inf"), None, "1", [1], 1j])
def test_rewards_must_be_finite_numbers(reward):
    one = learner()
    with pytest.raises(ParameterError, match="reward of the arm 'a' must be a finite number"):
        one.tell("a", reward)
    assert one.decisions == 0


@pytest.mark.parametrize("policy", [rb.BMVTS(), rb.BernoulliLCB()])
def test_bernoulli_policies_take_zero_and_one_only(policy):
    one = learner(policy)
    one.tell(["a", "b", "c"], [0, 1, True])
    with pytest.raises(ParameterError, match="must be 0 or 1"):
        one.tell("a", 0.5)
    assert told(one) == {"a": 1, "b": 1, "c": 1}


def test_an_unknown_arm_gets_a_suggestion():
    one = learner(arms=["bond", "stock"])
    with pytest.raises(UnknownNameError, match="no arm 'bondd'. Did you mean 'bond'"):
        one.tell("bondd", 1.0)
    for wrong in (None, 1.5, ["x"]):
        with pytest.raises((ParameterError, UnknownNameError)):
            one.tell(wrong, 1.0 if not isinstance(wrong, list) else [1.0])


def test_summary_by_hand():
    one = learner(arms=["a", "b"])
    one.ask()
    one.tell("a", 1.0)
    one.tell("a", 3.0)
    one.ask()
    rows = one.summary().set_index("arm")
    assert rows.loc["a"].to_dict() == {
        "told": 2, "outstanding": 0, "mean": 2.0, "variance": 1.0, "value": 1.0, "valued_as": "sample",
        "share": pytest.approx(2 / 3), "retired": False, "low": rows.low["a"], "high": rows.high["a"],
            "assured": False,
    }  # fmt: skip
    assert rows.low["a"] < 1.0 <= rows.high["a"]
    assert rows.loc["b", ["told", "outstanding"]].tolist() == [0, 1]
    assert np.isnan(rows.loc["b", "value"])


def test_numbered_arms():
    one = rb.Learner(rb.MVTS(), arms=3, risk=RISK)
    assert [one.ask() for _ in range(3)] == [0, 1, 2]
    one.tell(np.int64(2), 1.0)
    with pytest.raises(UnknownNameError):
        one.tell(7, 1.0)
    with pytest.raises(UnknownNameError):
        one.tell(True, 1.0)


def test_horizon_is_needed_by_those_who_need_it():
    assert learner(rb.ExpExp(), horizon=100).ask() == "a"
    with pytest.raises(rb.errors.RefusalError, match="ExpExp needs to know the horizon"):
        learner(rb.ExpExp())


def test_many_threads():
    one = learner(arms=[str(k) for k in range(5)])
    errors = []

    def work():
        try:
            for _ in range(200):
                one.tell(one.ask(), 0.5)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert one.decisions == 1600
    assert one.summary().told.sum() == 1600
    assert one.summary().outstanding.sum() == 0


def test_it_learns():
    rng = np.random.default_rng(0)
    one = rb.Learner(rb.MVTS(), ["calm", "wild"], rb.MeanVariance(0.5), seed=3)
    for _ in range(400):
        arm = one.ask()
        one.tell(arm, rng.normal(0.5, 0.1) if arm == "calm" else rng.normal(0.6, 1.5))
    assert one.summary().set_index("arm").share["calm"] > 0.8


def test_arms_have_an_order():
    """That of a set changes from one process to the next, and with it what a seed means."""
    with pytest.raises(ParameterError, match="arms must be a list of names or a number of arms"):
        rb.Learner(rb.MVTS(), {"a", "b"}, rb.MeanVariance(1.0))
    assert rb.Learner(rb.MVTS(), {"b": 1, "a": 2}.keys(), rb.MeanVariance(1.0)).arms == ["b", "a"]


def test_a_name_is_a_text_that_files_and_tables_can_hold():
    for name in ("\ud800", "bond\udfff"):
        with pytest.raises(ParameterError, match="The name of an arm must be a text without lone surrogates"):
            learner(arms=[name])
        with pytest.raises(ParameterError, match="lone surrogates"):
            learner().add(name)
    one = learner(arms=["債券", "\U0001f600", "\ue000"])
    assert rb.Learner.from_json(one.to_json()).summary().arm.tolist() == one.arms
