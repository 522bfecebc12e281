"""A word when rewards are not such as the policy is made for, once and with what helps; and a warm start."""

from __future__ import annotations

import math
import re
import warnings

import numpy as np
import pandas as pd
import pytest

import riskbandits as rb
from riskbandits.compiling import jit
from riskbandits.core import notices
from riskbandits.core.errors import RiskBanditsError, ScaleWarning
from riskbandits.policies.support import fitting


@pytest.fixture(autouse=True)
def plain_python(monkeypatch):
    monkeypatch.setattr(jit, "entry", lambda function, classes, checked=False: function)


def words_of(policy, rewards, by_id=False):
    """What a learner says in the course of these rewards, given to its arms in turn."""
    learner = rb.Learner(policy, ["a", "b"], rb.MeanVariance(1.0))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for reward in rewards:
            if by_id:
                learner.answer(learner.decide().id, float(reward))
            else:
                learner.tell(learner.ask(), float(reward))
    assert all(one.category is ScaleWarning and one.filename == __file__ for one in caught)
    return [str(one.message) for one in caught]


def returns(scale=0.02, size=320):
    return scale * np.random.default_rng(0).standard_normal(size)


@pytest.mark.parametrize(
    "policy", [rb.MTS(), rb.VTS(), rb.MVTS(), rb.NGTS.paper(), rb.SwitchingAware(rb.MVTS())], ids=str
)
@pytest.mark.parametrize("by_id", [False, True])
def test_a_prior_of_scale_one_and_small_returns(policy, by_id):
    (words,) = words_of(policy, returns(), by_id)
    assert re.search(
        r"scale near 1, and these have a standard deviation of about 0.01\d: multiply them by 100",
        words,
    )
    assert "NGTS() or SwitchingAware()" in words
    assert "\n" not in words


@pytest.mark.parametrize("policy", [rb.NGTS(), rb.SwitchingAware(), rb.NGTS.honda_takemura(), rb.MVLCB()], ids=str)
def test_those_that_go_by_the_rewards_own_scale_say_nothing(policy):
    assert words_of(policy, returns()) == []


def test_rewards_that_fit_and_large_ones():
    assert words_of(rb.MVTS(), returns(1.0)) == []
    assert words_of(rb.MVTS(), returns(0.3)) == []
    assert "multiply them by 0.01" in words_of(rb.MVTS(), returns(100.0))[0]
    assert words_of(rb.MVTS(), [0.5] * 100) == []  # nobody knows
    assert words_of(rb.MVTS(), returns(size=10)) == []  # not yet


@pytest.mark.parametrize(
    ("policy", "form"),
    [
        (rb.MVTS(), "use BMVTS()"),
        (rb.NGTS(), "use BMVTS()"),
        (rb.SwitchingAware(), "use SwitchingAware.bernoulli()"),
        (rb.KLUCBMV(), "use KLUCBMV.bernoulli()"),
        (rb.SwitchingAware.imed(), "use SwitchingAware(IMEDMV.bernoulli())"),
        (rb.Discounted(rb.MVTS(), half_life=50), "use Discounted(BMVTS(), half_life=50)"),
        (rb.Restarting(rb.BMVTS()), "use Restarting(BMVTS(...), binary=True)"),
    ],
    ids=str,
)
def test_zeros_and_ones_for_a_gaussian_policy(policy, form):
    (words,) = words_of(policy, np.random.default_rng(0).integers(0, 2, size=100))
    assert words.startswith("The rewards are 0 and 1, which")
    assert form in words


def test_the_advice_keeps_what_is_wrapped_around_a_policy():
    assert (
        fitting.form_for_binary(rb.Discounted(half_life=300)) == "Discounted(SwitchingAware.bernoulli(), half_life=300)"
    )
    assert fitting.form_for_binary(rb.Restarting(rb.KLUCBMV())) == "Restarting(KLUCBMV.bernoulli(), binary=True)"
    assert fitting.form_for_binary(rb.Guarded(rb.NGTS(), least={"a": 0.1})) == "BMVTS()"
    assert fitting.form_for_binary(rb.Restarting.bernoulli()) is None


@pytest.mark.parametrize("policy", [rb.BMVTS(), rb.SwitchingAware.bernoulli(), rb.KLUCBMV.bernoulli()], ids=str)
def test_zeros_and_ones_for_a_policy_made_for_them(policy):
    assert words_of(policy, np.random.default_rng(0).integers(0, 2, size=100)) == []


def test_where_warnings_are_errors_it_is_said_and_nothing_is_lost(capsys, monkeypatch):
    monkeypatch.setattr(notices, "_said", set())
    learner = rb.Learner(rb.MVTS(), ["a", "b"], rb.MeanVariance(1.0))
    for reward in returns(size=100):
        learner.tell(learner.ask(), float(reward))
    assert learner.summary().told.sum() == 100
    said = capsys.readouterr().err
    assert said.count("MVTS is designed for rewards on a scale near 1") == said.count("\n") == 1


def test_simulate_says_it_too():
    small = rb.Problem(rb.GaussianArms([0.0, 0.01], [4e-4, 4e-4]), rb.MeanVariance(1.0))
    coins = rb.Problem(rb.BernoulliArms([0.2, 0.7]), rb.MeanVariance(1.0))
    how = {"horizon": 3, "runs": 1, "progress": False}
    with pytest.warns(ScaleWarning, match="MVTS is designed for rewards on a scale near 1") as caught:
        rb.simulate(small, [rb.MVTS(), rb.NGTS()], **how)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    with pytest.warns(ScaleWarning, match="SwitchingAware treats as Gaussian"):
        rb.simulate(coins, [rb.SwitchingAware(), rb.BMVTS()], **how)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rb.simulate(rb.problems.zhu_tan_gaussian(1), [rb.MVTS()], **how)


TABLE = pd.DataFrame({"day": ["2020-01-01", "2020-01-02", "2020-01-03"], "a": [0.1, 0.2, None], "b": [-1.0, 0.5, 1.0]})


@pytest.mark.parametrize(
    "data",
    [
        TABLE,
        {"a": [0.1, 0.2], "b": np.array([-1.0, 0.5, 1.0])},
        pd.DataFrame({"arm": list("abbab"), "reward": [0.1, -1.0, 0.5, 0.2, 1.0], "when": range(5)}),
    ],
    ids=["a column per arm", "lists", "a log"],
)
def test_a_warm_start(data):
    learner = rb.Learner(rb.NGTS(), ["a", "b"], rb.MeanVariance(1.0), data=data)
    told = learner.summary().set_index("arm")
    assert told.told.to_dict() == {"a": 2, "b": 3}
    assert told["mean"].to_dict() == {"a": pytest.approx(0.15), "b": pytest.approx(0.5 / 3)}
    assert learner.decisions == 5
    assert learner.decide().id.startswith("decision-6-")


def test_rewards_are_told_row_by_row():
    warm = rb.Learner(rb.NGTS(), ["a", "b"], rb.MeanVariance(1.0), data=TABLE)
    told = rb.Learner(rb.NGTS(), ["a", "b"], rb.MeanVariance(1.0))
    told.tell(["a", "b", "a", "b", "b"], [0.1, -1.0, 0.2, 0.5, 1.0])
    assert warm.to_json() == told.to_json()


@pytest.mark.parametrize(
    "data",
    [
        3,
        "table",
        [[1.0, 2.0]],
        {"z": [1.0]},
        {"a": 1.0},
        {"a": [math.nan]},
        {"a": "12"},
        pd.DataFrame({"a": [1.0], "z": [1.0]}),
        pd.DataFrame({"a": ["x"]}),
        pd.DataFrame(),
        pd.DataFrame({"arm": ["a"], "reward": [None]}),
        TABLE.assign(b=["x", "y", "z"]),
    ],
)
def test_what_is_no_start(data):
    with pytest.raises(RiskBanditsError) as caught:
        rb.Learner(rb.NGTS(), ["a", "b"], rb.MeanVariance(1.0), data=data)
    assert "\n" not in str(caught.value)


def sales(price=9.99, size=400, chance=0.1):
    return price * (np.random.default_rng(3).random(size) < chance)


@pytest.mark.parametrize(
    "policy",
    [rb.NGTS(), rb.SwitchingAware(), rb.MVLCB(), rb.KLUCBMV(), rb.Discounted(rb.NGTS(), half_life=200)],
    ids=str,
)
@pytest.mark.parametrize("by_id", [False, True])
def test_rewards_that_are_mostly_zero(policy, by_id):
    (words,) = words_of(policy, sales(), by_id)
    assert words.startswith("At least half of the rewards of an arm are 0")
    drifts = isinstance(policy, rb.Discounted)
    assert ("use Discounted(HurdleTS(), half_life=200)" if drifts else "use HurdleTS()") in words


@pytest.mark.parametrize("inside", [rb.NGTS(), rb.HurdleTS()], ids=str)
def test_sales_are_no_changes_of_an_arm(inside):
    (words,) = words_of(rb.Restarting(inside), sales())
    assert "Restarting takes others that follow for a change" in words
    assert "use HurdleTS() for the rewards, or Discounted(HurdleTS())" in words


def test_it_is_said_soon_after_an_arm_has_shown_it():
    """Six prices: after ten visitors of each, or with the batch that has them."""
    learner = rb.Learner(rb.NGTS(), 6, rb.MeanVariance(1.0))
    learner.tell(list(range(6)) * 8, sales(size=48).tolist())
    with pytest.warns(ScaleWarning, match="use HurdleTS"):
        learner.tell(list(range(6)) * 8, sales(size=48).tolist())


def test_rewards_that_are_mostly_another_number():
    (words,) = words_of(rb.NGTS(), sales() - 0.5)
    assert "of an arm are -0.5" in words
    assert "HurdleTS() for the rewards less -0.5" in words


@pytest.mark.parametrize(
    ("policy", "rewards"),
    [
        (rb.HurdleTS(), sales()),
        (rb.NGTS(), np.zeros(400)),  # perhaps they are 0 and 1
        (rb.NGTS(), np.full(400, 0.1)),
        (rb.NGTS(), np.round(returns(1.0), 1)),
        (rb.BMVTS(), sales(1.0)),
    ],
    ids=str,
)
def test_where_nothing_is_said(policy, rewards):
    assert words_of(policy, rewards) == []


def test_a_constant_arm_is_not_a_sale_or_nothing():
    learner = rb.Learner(rb.NGTS(), ["a", "b"], rb.MeanVariance(1.0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learner.tell(["a", "b"] * 40, np.column_stack([np.full(40, 0.1), returns(size=40)]).ravel())
        learner.tell("a", 0.2)  # and no longer: most of its rewards are one number
    assert "of an arm are 0.1" in learner._scale_monitor.warning(learner._state)


def test_zeros_and_ones_have_a_sentence_of_their_own():
    (words,) = words_of(rb.NGTS(), sales(1.0))
    assert "use BMVTS()" in words


def test_a_sale_that_does_not_pay_the_known_amount_is_said_once():
    learner = rb.Learner(rb.HurdleTS(), ["a", "b"], rb.MeanVariance(1.0), amounts={"a": 9.99})
    learner.tell("b", 3.0)
    learner.tell("a", 9.99)
    with pytest.warns(ScaleWarning, match=r"A sale of the arm 'a' paid 5, not the known amount 9.99") as caught:
        learner.tell(["a", "a"], [5.0, 6.0])
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learner.tell("a", 7.0)
    assert learner.summary()["told"].tolist() == [4, 1]


def test_rounding_is_no_other_amount():
    learner = rb.Learner(rb.HurdleTS(), ["a", "b"], rb.MeanVariance(1.0), amounts={"a": 0.3})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learner.tell(["a", "a"], [0.1 + 0.2, 0.0])
    assert learner._scale_monitor.warning(learner._state) is None


def test_a_learner_that_was_loaded_still_knows():
    zeros = rb.Learner(rb.NGTS(), ["a", "b"], rb.MeanVariance(1.0))
    other = rb.Learner(rb.HurdleTS(), ["a", "b"], rb.MeanVariance(1.0), amounts={"a": 9.99})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        zeros.tell(["a", "b"] * 40, sales(size=80))
        other.tell(["a", "a"], [5.0, 9.99])
    for learner, words in ((zeros, "use HurdleTS()"), (other, "not the known amount 9.99")):
        again = rb.Learner.from_json(learner.to_json())
        assert words in again._scale_monitor.warning(again._state)


def test_simulations_and_replays_say_it():
    sold = rb.HurdleArms([0.2, 0.1], [5.0, 9.0], [0.0, 1.0])
    for arms in (sold, rb.PiecewiseArms([(1, sold), (9, sold)])):
        problem = rb.Problem(arms, rb.MeanVariance(1.0))
        with pytest.warns(ScaleWarning, match="use HurdleTS") as caught:
            rb.simulate(problem, [rb.NGTS(), rb.MVTS()], horizon=20, runs=1, method="python", progress=False)
        assert len(caught) == 1
    table = pd.DataFrame({"a": sales(5.0), "b": sales(8.0, chance=0.2)})
    with pytest.warns(ScaleWarning, match="use HurdleTS") as caught:
        rb.replay(rb.NGTS(), table, rb.MeanVariance(1.0))
    assert len(caught) == 1
