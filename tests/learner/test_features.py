"""A learner whose decisions have features: they are kept with the decision, and used when its reward comes."""

from __future__ import annotations

import copy
import json
import math
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import riskbandits as rb
from riskbandits.policies.cells import FEATURES
from riskbandits.policies.support import contract, play

RISK = rb.MeanVariance(1.0)
DECLARED = [{"name": "basket", "scale": 10}, {"name": "country", "levels": ["DE", "FR"]}]


def new(policy=None, **options):
    options = {"features": DECLARED, "seed": 3, **options}
    return rb.Learner(policy or rb.LinearNGTS(), ["a", "b"], RISK, **options)


def context(rng):
    return {"basket": float(10.0 * rng.normal()), "country": str(rng.choice(["DE", "FR"]))}


def pays(arm, features, rng):
    """Arm a is good for large baskets, arm b in France."""
    mean = features["basket"] / 10.0 if arm == "a" else 2.0 * (features["country"] == "FR")
    return float(mean + 0.3 * rng.normal())


def lived(learner, steps=120, seed=1):
    """A learner after so many decisions, some of whose rewards come late, or never."""
    rng, waiting = np.random.default_rng(seed), []
    for step in range(steps):
        features = context(rng)
        decision = learner.decide(features=features)
        waiting.append((decision, pays(decision.arm, features, rng)))
        if step % 7 == 6:
            rng.shuffle(waiting)
            for late, reward in waiting[:-2]:
                assert learner.answer(late.id, reward)
            waiting = waiting[-2:]
    return learner


def test_a_learner_learns_which_arm_is_for_whom():
    learner = lived(new(), 400)
    for features, arm in (({"basket": 30, "country": "DE"}, "a"), ({"basket": -10, "country": "FR"}, "b")):
        best = learner.best(features=features)
        assert best.arm == arm
        assert best.probability > 0.99
        assert best.low <= best.value <= best.high
        row = learner.summary(features=features).set_index("arm").loc[arm]
        assert (row["value"], row["low"], row["high"]) == pytest.approx((best.value, best.low, best.high), abs=0.05)
    # A feature of 30 in units of 10: its mean is 3, its variance 0.09.
    assert learner.summary(features={"basket": 30, "country": "DE"})["mean"][0] == pytest.approx(3.0, abs=0.3)
    chances = learner.probabilities(features={"basket": 30, "country": "DE"}).set_index("arm")["probability"]
    assert chances["a"] > 0.95


def test_each_reward_is_booked_with_the_features_of_its_decision():
    """Against the policy itself, told in the order in which rewards came."""
    learner, rng = new(), np.random.default_rng(0)
    contexts = [context(rng) for _ in range(30)]
    decisions = [learner.decide(features=one) for one in contexts]
    rewards = rng.normal(size=30).tolist()
    order = rng.permutation(30)
    for place in order[:10]:
        learner.answer(decisions[place], rewards[place])
    learner.answer([decisions[place].id for place in order[10:]], [rewards[place] for place in order[10:]])
    policy = contract.with_features(rb.LinearNGTS(), 3)
    state, run = contract.new_state(policy, 2), contract.new_run(math.inf, policy)
    for place in order:
        one = contexts[place]
        run[FEATURES : FEATURES + 3] = one["basket"] / 10.0, one["country"] == "DE", one["country"] == "FR"
        play.note_reward(policy, state, ["a", "b"].index(decisions[place].arm), run, rewards[place])
    np.testing.assert_allclose(learner.state, state, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    "policy",
    [rb.LinearNGTS(), rb.Discounted(rb.LinearNGTS(), half_life=100), rb.Guarded(rb.LinearNGTS(), least={"a": 0.1})],
    ids=["plain", "discounted", "guarded"],
)
def test_saved_and_loaded_it_goes_on_as_if_nothing_had_happened(policy):
    steps = 40 if isinstance(policy, rb.Guarded) else 120
    learner = lived(new(policy), steps)
    assert learner.open_decisions()
    again = rb.Learner.from_json(learner.to_json())
    assert json.loads(again.to_json())["content"] == json.loads(learner.to_json())["content"]
    assert again.features == learner.features
    rng = np.random.default_rng(5)
    for one in (again, copy.deepcopy(learner)):
        assert one.best(features={"basket": 3, "country": "DE"}) == learner.best(
            features={"basket": 3, "country": "DE"}
        )
    for old in learner.open_decisions():
        assert learner.answer(old.id, 1.0)
        assert again.answer(old.id, 1.0)
    for _ in range(30):
        features = context(rng)
        assert learner.decide(features=features).arm == again.decide(features=features).arm
    np.testing.assert_array_equal(learner.state, again.state)


def test_numbers_of_all_kinds_are_features():
    learner = rb.Learner(rb.LinearNGTS(), ["a"], RISK, features=["x"])
    for value in (True, np.bool_(True), 1, np.int8(1), Decimal("1.0"), Fraction(1), np.float32(1.0)):
        np.testing.assert_array_equal(learner._coding.encode({"x": value}), [[1.0]])


def test_a_retired_arm_takes_its_late_reward_with_its_features():
    learner = lived(new(), 60)
    late = next(
        one for one in iter(lambda: learner.decide(features={"basket": 5, "country": "FR"}), None) if one.arm == "b"
    )
    learner.retire("b")
    assert learner.answer(late, 2.0)
    learner.add("b")
    told = learner.summary().set_index("arm").loc["b", "told"]
    assert told >= 1
    learner.forget(learner.decide(features={"basket": 5, "country": "FR"}).id)
    assert len(learner._decision_log.features) == len(learner.open_decisions())


def test_a_warm_start_takes_its_scale_from_the_data_and_says_so():
    rng = np.random.default_rng(2)
    table = pd.DataFrame({"arm": rng.choice(["a", "b"], 200), "basket": rng.normal(50.0, 20.0, 200)})
    table["reward"] = np.where(table["arm"] == "a", table["basket"] / 20.0, 2.0) + 0.1 * rng.normal(size=200)
    learner = rb.Learner(rb.LinearNGTS(), ["a", "b"], RISK, features=["basket"], data=table)
    assert learner.features == [{"name": "basket", "scale": pytest.approx(table["basket"].std(ddof=0))}]
    assert learner.best(features={"basket": 100}).arm == "a"
    assert learner.best(features={"basket": 0}).arm == "b"
    assert rb.Learner(rb.LinearNGTS(), ["a"], RISK, features=["basket"]).features == [{"name": "basket", "scale": 1.0}]


def test_intervals_hold_what_they_say():
    """Of 200 learners, the share whose 90 % interval holds the true value of the arm at some features."""
    rng, inside = np.random.default_rng(4), 0
    compiled = rb.LinearNGTS()
    for _ in range(200):
        learner = rb.Learner(compiled, ["a"], RISK, features=["x", "y"])
        slopes, variance = rng.normal(size=2), float(rng.uniform(0.1, 2.0))
        rows = rng.normal(size=(30, 2))
        rewards = rows @ slopes + math.sqrt(variance) * rng.normal(size=30)
        learner.tell(["a"] * 30, rewards.tolist(), [{"x": x, "y": y} for x, y in rows])
        at = rng.normal(size=2)
        row = learner.summary(0.9, features={"x": at[0], "y": at[1]}).iloc[0]
        inside += row["low"] <= at @ slopes - variance <= row["high"]
    assert 0.82 <= inside / 200 <= 0.97  # four standard errors


def test_what_is_not_known_is_not_claimed():
    learner, given = new(), {"basket": 3, "country": "DE"}
    learner.tell("a", 1.0, given)
    assert learner.best(features=given) is None
    assert learner.summary(features=given)[["low", "high"]].isna().all(axis=None)
    for _ in range(20):
        learner.tell("a", 1.0, given)
    best = learner.best(features=given)  # as long as rewards are all equal, nobody knows how far they spread
    assert (best.value, best.low, best.high) == (1.0, -math.inf, math.inf)
    assert best.probability < 0.6
    learner.tell("a", 1.5, given)
    best, table = learner.best(features=given), learner.summary(features=given)
    assert best.arm == "a"
    assert best.probability < 0.8  # the other arm may be anything
    assert (table["low"] < table["high"]).all()
    assert math.isnan(table["value"][1])


@pytest.mark.parametrize(
    ("rewards", "words"),
    [
        ([0.0, 0.0, 7.5] * 20, "The rewards are 0 for at least half of an arm, which LinearNGTS treats as Gaussian"),
        ([0.0, 1.0] * 30, "The rewards are 0 and 1, which LinearNGTS treats as Gaussian"),
    ],
)
def test_rewards_that_are_often_one_number_are_said(rewards, words):
    learner, rng = new(), np.random.default_rng(0)
    numbers = [reward + (reward > 1.0) * rng.normal() for reward in rewards]
    with pytest.warns(rb.errors.ScaleWarning, match=words):
        learner.tell(["a", "b"] * 15, numbers[:30], [context(rng) for _ in range(30)])


@pytest.mark.parametrize(
    ("draw", "is_said"),
    [
        (lambda rng: 0.02 + 0.01 * rng.normal(), True),
        (lambda rng: 0.1 * rng.normal(), False),
        (lambda rng: 2020.0 + 6.0 * rng.random(), False),
        (lambda rng: float(rng.random() < 0.005), False),  # a rare flag
        (lambda rng: 2020.1, False),
        (lambda rng: 0.0, False),
    ],
)
@pytest.mark.parametrize("policy", [rb.LinearNGTS(), rb.Discounted(rb.LinearNGTS(), half_life=1000)])
def test_a_scale_that_hides_a_feature_is_said_once(draw, is_said, policy):
    rng, declared = np.random.default_rng(2), [*DECLARED, "rate"]
    rows = [{**context(rng), "rate": draw(rng)} for _ in range(400)]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        learner = new(policy, features=declared)
        for row in rows:
            learner.tell(str(rng.choice(["a", "b"])), rng.normal(), row)
    words = (
        "The feature 'rate' varies by less than 0.05 of its scale, 1, and is hardly learned from: "
        "declare a scale near its standard deviation."
    )
    assert [str(one.message) for one in caught] == [words] * is_said


@pytest.mark.parametrize(
    ("features", "words"),
    [
        (None, "features must be a dictionary with 'basket', 'country'"),
        ([1.0, "DE"], "features must be a dictionary with 'basket', 'country'"),
        ({"basket": 1.0}, "The feature 'country' is missing"),
        ({"basket": 1.0, "country": "DE", "age": 3}, "There is no feature 'age'"),
        ({"basket": math.inf, "country": "DE"}, "The feature 'basket' must be a finite number. Got inf instead."),
        ({"basket": math.nan, "country": "DE"}, "must be a finite number"),
        ({"basket": 1e300, "country": "DE"}, "times its scale"),
        ({"basket": "twelve", "country": "DE"}, "The feature 'basket' must be a finite number. Got 'twelve' instead."),
        ({"basket": 1.0, "country": "IT"}, "There is no level of the feature 'country' called 'IT'"),
        ({"basket": 1.0, "country": ["DE"]}, "There is no level of the feature 'country'"),
        ({"basket": 1.0, "country": np.array(["DE", "FR"])}, "There is no level of the feature 'country'"),
    ],
)
def test_wrong_features_are_refused_in_a_sentence_and_change_nothing(features, words):
    learner = lived(new(), 20)
    before = learner.to_json()
    calls = [
        lambda: learner.decide(features=features),
        lambda: learner.decide(2, features=features),
        lambda: learner.ask(features=features),
        lambda: learner.tell("a", 1.0, features),
        lambda: learner.best(features=features),
        lambda: learner.probabilities(features=features),
    ]
    calls += [] if features is None else [lambda: learner.summary(features=features)]
    for call in calls:
        with pytest.raises(rb.RiskBanditsError) as caught:
            call()
        assert words in str(caught.value)
    assert learner.to_json() == before


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"features": ["a", "a"]}, "different from each other"),
        ({"features": [3]}, "A feature must be a name, or a record"),
        ({"features": [{"name": "a", "scale": 0}]}, "The scale of the feature 'a' must be a number > 0"),
        ({"features": [{"name": "a", "levels": ["x"]}]}, "two or more different texts"),
        ({"features": [{"name": "a", "scale": 1, "levels": ["x", "y"]}]}, "has a scale and levels"),
        ({"features": [{"name": ""}]}, "a non-empty"),
        ({"features": "basket"}, "features must be"),
        ({"features": [{"name": "a", "levels": [str(k) for k in range(501)]}]}, "at most 500 numbers"),
        ({"policy": rb.NGTS(), "features": ["a"]}, "NGTS uses no features of decisions"),
        ({"policy": rb.LinearNGTS(features=2), "features": ["a"]}, "was given decisions with 1 feature"),
        ({"data": pd.DataFrame({"arm": ["a"], "reward": [1.0]})}, "a table with the columns 'arm', 'reward' and"),
        (
            {"features": ["x"], "data": pd.DataFrame([["a", 1, 2, 3]], columns=["arm", "reward", "x", "x"])},
            "Two columns",
        ),
        (
            {"features": ["reward"], "data": pd.DataFrame({"arm": ["a"], "reward": [1.0]})},
            "Two columns of data would be",
        ),
        ({"policy": rb.Restarting(rb.LinearNGTS())}, "use LinearNGTS() or Discounted(LinearNGTS())."),
    ],
)
def test_wrong_declarations_are_refused_in_a_sentence(options, words):
    with pytest.raises(rb.RiskBanditsError) as caught:
        new(options.pop("policy", None), **options)
    assert words in str(caught.value)


def test_a_learner_without_features_refuses_them():
    learner = rb.Learner(rb.NGTS(), ["a", "b"], RISK)
    for call in (lambda: learner.decide(features={"x": 1.0}), lambda: learner.tell("a", 1.0, {"x": 1.0})):
        with pytest.raises(rb.RiskBanditsError, match="No features are declared here"):
            call()
