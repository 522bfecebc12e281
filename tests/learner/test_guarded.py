"""Guard rails and propensities: choices are drawn with the probabilities that are said."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.compiling import jit
from riskbandits.core.errors import ParameterError, RefusalError, RiskBanditsError, UnknownNameError
from riskbandits.learner import guarded

ARMS = ["a", "b", "c", "d"]


@pytest.fixture(autouse=True)
def plain_python(monkeypatch):
    monkeypatch.setattr(jit, "entry", lambda function, classes, checked=False: function)


def learner(policy=rb.UniformRandom(), propensity=False, seed=1, **limits):
    return rb.Learner(rb.Guarded(policy, **limits), ARMS, rb.Mean(), propensity=propensity, seed=seed)


@pytest.fixture(autouse=True)
def few_trials(monkeypatch):
    """Twenty trials of the next decision rather than a thousand: quicker, and drawn right all the same."""
    monkeypatch.setattr(guarded, "TRIALS", 20)


def shares(one, count):
    chosen = Counter(one.ask() for _ in range(count))
    return np.array([chosen[arm] / count for arm in ARMS])


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ({"least": {"a": 0.4}}, [0.4, 0.2, 0.2, 0.2]),
        ({"most": {"a": 0.1}}, [0.1, 0.3, 0.3, 0.3]),
        ({"most": {"a": 0.1}, "baseline": "d"}, [0.1, 0.25, 0.25, 0.4]),
        ({"most": {"a": 0.0}}, [0.0, 1 / 3, 1 / 3, 1 / 3]),
        ({"least": {"a": 0.5, "b": 0.5}}, [0.5, 0.5, 0.0, 0.0]),
        ({"least": {"a": 0.1}, "most": {"b": 0.9}}, [0.25, 0.25, 0.25, 0.25]),  # nothing to be done
    ],
)
def test_a_policy_within_limits(limits, expected):
    """The share of each arm, within four standard errors."""
    count = 250
    found = shares(learner(**limits), count)
    errors = np.sqrt(np.array(expected) * (1 - np.array(expected)) / count)
    # So few trials move what is cut off at a limit by some hundredths.
    assert (abs(found - expected) <= 4 * errors + 0.05).all(), found
    for name, sign in (("least", 1), ("most", -1)):
        for arm, limit in limits.get(name, {}).items():
            error = 4 * math.sqrt(limit * (1 - limit) / count)
            assert sign * (found[ARMS.index(arm)] - limit) >= -error


def test_limits_hold_for_every_single_decision():
    one = learner(rb.NGTS(), propensity=True, least={"a": 0.05}, most={"b": 0.3})
    for turn in range(30):
        said = one.probabilities(trials=20).set_index("arm").probability
        assert said["a"] >= 0.05 - 1e-12
        assert said["b"] <= 0.3 + 1e-12
        assert said.sum() == pytest.approx(1.0)
        decision = one.decide()
        assert decision.probability == pytest.approx(said[decision.arm])
        one.answer(decision.id, {"a": -5.0, "b": 5.0, "c": 0.0, "d": 0.0}[decision.arm] + turn % 3)


def test_moved_probabilities_are_within_the_limits():
    rng = np.random.default_rng(0)
    for _ in range(500):
        size = int(rng.integers(1, 6))
        chances, otherwise = rng.dirichlet(np.full(size, 0.3)), rng.dirichlet(np.full(size, 0.3))
        least = rng.dirichlet(np.ones(size)) * rng.random() * rng.integers(0, 2)
        most = np.maximum(least, rng.random(size)) + rng.random() * rng.integers(0, 2)
        most = np.minimum(1.0, most if most.sum() >= 1.0 else most / most.sum())
        most = np.maximum(most, least)
        baseline = int(rng.integers(size)) if rng.random() < 0.5 else None
        found = guarded.within_limits(chances, least, most, baseline, otherwise)
        assert found.sum() == pytest.approx(1.0)
        assert (found >= least - 1e-9).all()
        assert (found <= most + 1e-9).all()
        if (chances >= least).all() and (chances <= most).all():
            np.testing.assert_allclose(found, chances)


def test_propensities_are_those_of_the_choices(monkeypatch):
    """Weighted by their inverse, every arm counts once per decision: what estimates from logs rest on."""
    monkeypatch.setattr(guarded, "TRIALS", 60)  # enough to see every arm that has a chance
    one = rb.Learner(rb.MVTS(), ARMS, rb.Mean(), propensity=True, seed=2)
    one.tell(ARMS * 2, [0.0, 0.2, 0.4, 0.6, 0.1, 0.3, 0.5, 0.7])
    weights = {arm: [] for arm in ARMS}
    for _ in range(250):
        decision = one.decide()
        assert 0.0 < decision.probability <= 1.0
        for arm in ARMS:
            weights[arm].append(1.0 / decision.probability if arm == decision.arm else 0.0)
        one.forget(decision.id)  # what is known stays as it is
    for arm in ARMS:
        found = np.array(weights[arm])
        assert abs(found.mean() - 1.0) < 4 * found.std() / math.sqrt(len(found))
    shares = {arm: np.count_nonzero(weights[arm]) / 250 for arm in ARMS}
    said = one.probabilities(trials=1500).set_index("arm").probability
    for arm in ARMS:
        assert abs(shares[arm] - said[arm]) < 4.5 * math.sqrt(shares[arm] * (1 - shares[arm]) / 250)


def test_with_ids_files_and_a_pause(tmp_path):
    one = learner(least={"a": 0.2}, most={"b": 0.5}, baseline="c", propensity=True)
    made = one.decide(count=3)
    assert len({d.id for d in made}) == 3
    one.pause()
    assert [d.arm for d in one.decide(count=5)] == ["c"] * 5
    back = rb.Learner.load(one.save(tmp_path / "learner.json"))
    assert back.policy == one.policy
    assert back.to_json() == one.to_json()
    assert back.ask() == one.ask() == "c"
    with pytest.raises(ParameterError, match="paused, and its baseline 'c' is not available"):
        one.ask(available=["a", "b"])
    for each in (one, back):
        each.resume()
    assert [d.arm for d in one.decide(count=20)] == [d.arm for d in back.decide(count=20)]
    assert one.answer(made[0].id, 1.0)
    one.retire("c")
    one.ask()
    with pytest.raises(ParameterError, match="Only a learner with a baseline can pause"):
        rb.Learner(rb.MVTS(), ARMS, rb.Mean()).pause()


def test_arms_that_are_not_available_do_not_count():
    one = learner(least={"a": 0.9}, most={"b": 0.1, "c": 0.1})
    assert {one.ask(available=["b"]) for _ in range(5)} == {"b"}  # what must be chosen is chosen
    chosen = Counter(one.ask(available=["b", "c"]) for _ in range(100))
    assert 20 < chosen["b"] < 80
    one = learner(most={"a": 0.0})
    assert one.ask(available=["a"]) == "a"


def test_an_arm_with_a_small_limit_still_gets_its_first_pulls():
    one = learner(rb.NGTS(), most={"a": 0.2})
    chosen = []
    for turn in range(150):
        decision = one.decide()
        chosen.append(decision.arm)
        one.answer(decision.id, turn % 4)
    assert 2 <= chosen.count("a") <= 50
    assert one.summary().told.min() >= 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"least": {"a": 0.6, "b": 0.6}},
        {"least": {"a": -0.1}},
        {"least": {"a": 1.5}},
        {"least": {"a": math.nan}},
        {"least": {"a": "half"}},
        {"least": [("a", 0.1)]},
        {"least": 0.1},
        {"most": {"a": 2}},
        {"most": None},
        {"least": {"a": 0.5}, "most": {"a": 0.4}},
        {"least": {"z": 0.1}},
        {"most": {"z": 0.1}},
        {"baseline": "z"},
        {"policy": rb.Guarded(rb.MVTS())},
        {"policy": 3},
        {"policy": rb.Mean()},
    ],
)
def test_limits_that_are_none(wrong):
    with pytest.raises(RiskBanditsError) as caught:
        learner(**wrong)
    assert "\n" not in str(caught.value)
    if "z" in str(wrong):
        assert isinstance(caught.value, UnknownNameError)


def test_it_is_for_learners():
    problem = rb.Problem(rb.GaussianArms([0, 1], [1, 1]), rb.MeanVariance(1.0))
    with pytest.raises(RefusalError, match="Guarded is for a Learner"):
        rb.simulate(problem, [rb.Guarded(rb.MVTS(), least={0: 0.1})], horizon=5, runs=1)


def test_it_goes_around_other_policies():
    """Inside another one it could not be jit, and nobody understood why."""
    with pytest.raises(ParameterError, match=r"write Guarded\(Discounted\(\.\.\.\), \.\.\.\)"):
        rb.Learner(rb.Discounted(rb.Guarded(rb.MVTS(), least={0: 0.1})), 2, rb.MeanVariance(1.0))
