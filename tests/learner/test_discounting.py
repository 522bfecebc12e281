"""Evidence that fades in a learner: by decisions, by a clock, and through a file."""

from __future__ import annotations

import math

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.compiling import jit
from riskbandits.core import seeds
from riskbandits.core.errors import ParameterError, RefusalError
from riskbandits.core.records import classes_of
from riskbandits.identification import lucb, samples
from riskbandits.learner import discounting, kernels
from riskbandits.numerics import history
from riskbandits.numerics.moments import COUNT, MEAN, SQUARES

RISK = rb.MeanVariance(1.0)


def told(policy, rewards):
    learner = rb.Learner(policy, ["a", "b"], RISK, seed=3)
    learner.tell(["a", "b"] * (len(rewards) // 2), rewards)
    return learner


def test_evidence_counts_for_less_and_says_the_same():
    learner = told(rb.MVTS(), [1.0, 0.0, 3.0, 0.5, 2.0, 0.1, 2.5, 0.9])
    before = learner.state
    learner.fade(0.5)
    after = learner.state
    assert after[:, COUNT].tolist() == [2.0, 2.0]
    np.testing.assert_allclose(after[:, MEAN], before[:, MEAN])
    np.testing.assert_allclose(after[:, SQUARES], 0.5 * before[:, SQUARES])
    learner.fade(1.0)
    assert np.array_equal(learner.state, after)
    assert learner.summary()["told"].tolist() == [4, 4]


def test_an_arm_keeps_the_weight_of_its_first_pulls():
    """Otherwise nothing could be said of it: scores would be NaN."""
    learner = told(rb.MVTS(), [1.0, 0.0, 3.0, 0.5])
    for factor in (0.1, 0.0, 0.3):
        learner.fade(factor)
    assert learner.state[:, COUNT].tolist() == [1.0, 1.0]
    assert learner.ask() in ("a", "b")
    rb.Learner(rb.MVTS(), 2, RISK).fade(0.5)  # nothing is known yet


@pytest.mark.parametrize(
    ("function", "records"),
    [
        (discounting.discount_kernel, (rb.MVTS(),)),
        (kernels.choose_kernel, (rb.MVTS(), RISK)),
        (kernels.record_kernel, (rb.MVTS(),)),
        (samples.fill, (rb.GaussianArms([0.0], [1.0]),)),
        (lucb.rounds, ()),
    ],
)
def test_what_python_calls_is_compiled_once(function, records):
    """A word in it that is also the name of something uncompiled beside it would have it compiled at every call."""
    classes = tuple(cls for record in records for cls in classes_of(record))
    assert jit.entry(function, classes) is jit.entry(function, classes)


def test_a_discounted_policy_may_forget_all_and_tries_again():
    learner = told(rb.Discounted(), [1.0, 0.0, 3.0, 0.5, 2.0, 0.1])
    learner.fade(0.0)
    assert learner.state[:, COUNT].tolist() == [0.0, 0.0]
    assert [learner.ask() for _ in range(2)] == ["a", "b"]


def test_retired_arms_fade_too():
    """They may come back, and time has passed for them as well."""
    learner = told(rb.MVTS(), [1.0, 0.0, 3.0, 0.5, 2.0, 0.1, 2.5, 0.9])
    stayed = told(rb.MVTS(), [1.0, 0.0, 3.0, 0.5, 2.0, 0.1, 2.5, 0.9])
    learner.retire("a")
    learner.fade(0.5)
    learner.add("a")
    stayed.fade(0.5)
    assert learner.arms == ["b", "a"]
    assert np.array_equal(learner.state, stayed.state[::-1])


@pytest.mark.parametrize("factor", [-0.1, 1.5, math.nan, math.inf, "half", None, True])
def test_factors_that_are_none(factor):
    learner = told(rb.MVTS(), [1.0, 0.0])
    before = learner.state
    with pytest.raises(ParameterError, match="factor by which evidence fades must be a number from 0 to 1"):
        learner.fade(factor)
    assert np.array_equal(learner.state, before)


def test_a_policy_that_cannot_forget_says_so():
    with pytest.raises(RefusalError, match="ExpExp cannot forget: it has no method 'fade'"):
        rb.Learner(rb.ExpExp(), 2, RISK, horizon=100).fade(0.5)


@pytest.mark.parametrize(
    "policy",
    [
        rb.Discounted(),
        pytest.param(rb.Restarting(), marks=pytest.mark.full),
        pytest.param(rb.Discounted(rb.NPTS.anchor_free(), half_life=6), marks=pytest.mark.full),
        pytest.param(rb.NPTS.anchor_free(), marks=pytest.mark.full),
    ],
    ids=str,
)
def test_a_saved_learner_goes_on(policy, tmp_path):
    """Counts that are no whole numbers, and less than what was told."""
    learner = told(policy, list(np.random.default_rng(2).normal(size=40)))
    learner.fade(0.4)
    learner.save(tmp_path / "learner.json")
    loaded = rb.Learner.load(tmp_path / "learner.json")
    for reward in (0.2, -0.3, 1.1, 0.4, 0.0, 2.0):
        arm, other = learner.ask(), loaded.ask()
        assert arm == other
        learner.tell(arm, reward)
        loaded.tell(other, reward)
    assert np.array_equal(loaded.state, learner.state) or policy.history()


def test_looking_at_probabilities_fades_nothing(monkeypatch):
    """Each trial let the history fade a little more, until nothing was left of it and all scores were NaN."""
    monkeypatch.setattr(jit, "entry", lambda function, classes, checked=False: function)
    learner = rb.Learner(rb.Discounted(rb.NPTS.anchor_free(), half_life=10), ["a", "b"], RISK, seed=3)
    learner.tell(["a", "b"] * 4, [0.5, 0.6, 0.9, 0.8, 0.1, 0.3, 0.5, 0.4])
    learner.ask()  # the next choice has something to let fade
    text, book = learner.to_json(), learner._state
    found = learner.probabilities(trials=100)["probability"]
    rng = seeds.generator(book.rng.bit_generator.state["state"]["state"], seeds.CHANCES)
    tally = [0, 0]
    for _ in range(100):
        alone = book.copy()
        alone.rng = rng
        tally[learner._compiled_policy.choose(alone, book.all_rows, False)] += 1
    assert (100 * found).round().tolist() == tally
    assert learner.to_json() == text


def test_a_history_that_fades_is_never_gone(monkeypatch):
    """Two hundred rewards of weight 1/100 each were dropped one by one: all scores were NaN from then on."""
    monkeypatch.setattr(jit, "entry", lambda function, classes, checked=False: function)
    learner = rb.Learner(rb.NPTS.anchor_free(), ["a", "b"], RISK, seed=3)
    learner.tell(["a", "b"] * 200, np.random.default_rng(0).random(400))
    for factor in (0.0, 0.01):
        learner.fade(factor)
        assert learner.state[:, history.TOTAL] == pytest.approx(2.0)
        assert learner.ask() in ("a", "b")
    again = rb.Learner.from_json(learner.to_json())
    assert [again.ask() for _ in range(5)] == [learner.ask() for _ in range(5)]


FORGETFUL = [
    rb.Discounted(rb.NGTS(), half_life=60),
    rb.Discounted(rb.BMVTS(), half_life=60),
    rb.Discounted(rb.NPTS.anchor_free(), half_life=60),
    rb.Discounted(rb.HurdleTS(), half_life=60),
    rb.Restarting(rb.NGTS()),
]


@pytest.mark.parametrize("policy", FORGETFUL, ids=str)
def test_the_best_arm_is_that_of_what_was_not_forgotten(policy):
    """All rewards together speak for the first arm, those that still count for the second."""
    learner, rng = rb.Learner(policy, ["first", "second"], rb.MeanVariance(5.0), seed=2), np.random.default_rng(5)
    is_normal = isinstance(policy.policy, rb.NGTS)
    for step in range(800):
        for arm, chance in zip(["first", "second"], [0.95, 0.5] if step < 600 else [0.05, 0.5], strict=True):
            learner.tell(arm, chance + 0.1 * rng.standard_normal() if is_normal else float(rng.random() < chance))
    found, table = learner.best(), learner.summary().set_index("arm")
    assert table["value"].idxmax() == "first"
    assert (found.arm, found.assured) == ("second", False)
    assert found.probability > 0.9
    assert found.low <= found.value <= found.high
    true = 5.0 * 0.5 - (0.01 if is_normal else 0.25)
    assert abs(found.value - true) < 1.5
    assert table.loc["first", "low"] < 1.0 < table.loc["first", "value"] <= table.loc["first", "high"]


def test_evidence_that_counts_for_less_is_less_sure():
    learner = told(rb.MVTS(), np.random.default_rng(1).normal(size=200).tolist())
    before = learner.best()
    learner.fade(0.25)
    after = learner.best()
    assert after.value == pytest.approx(before.value)
    assert 1.5 < (after.high - after.low) / (before.high - before.low) < 3.0  # four times fewer: about twice as wide
    learner = told(rb.Restarting(rb.MVTS()), [1.0, 2.0, 1.5, 2.5])
    learner.fade(0.0)
    assert learner.best() is None
