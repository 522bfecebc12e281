"""What may be told: every way to name an arm and to give a reward is booked as it was meant, or refused."""

from __future__ import annotations

import itertools
from decimal import Decimal
from enum import IntEnum, StrEnum
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import riskbandits as rb
from riskbandits.compiling import jit
from riskbandits.core.errors import ParameterError, RiskBanditsError, UnknownNameError
from riskbandits.numerics import moments
from riskbandits.policies.support import contract, naming
from riskbandits.testing.policy import fitting_problem

RISK = rb.MeanVariance(1.0)


class Colour(StrEnum):
    RED = "red"


class Number(IntEnum):
    ONE = 1


@pytest.fixture(autouse=True)
def plain_python(monkeypatch):
    """Nothing here depends on compiled code."""
    monkeypatch.setattr(jit, "entry", lambda function, classes: function)


def rewards_told(learner):
    """Arm by arm, what was told: the number and the mean of the rewards."""
    summary = learner.summary()
    return {row.arm: (row.told, row.mean) for row in summary.itertuples() if row.told}


EQUAL_TO_ONE = [
    1, 1.0, np.float64(1), np.float32(1), np.int8(1), np.uint64(1), Fraction(1), Decimal(1), Number.ONE, complex(1),
]  # fmt: skip


@pytest.mark.parametrize("name", EQUAL_TO_ONE, ids=lambda name: f"{type(name).__name__}")
def test_a_number_that_equals_an_arms_name_is_that_arm_with_its_reward(name):
    learner = rb.Learner(rb.MVTS(), arms=3, risk=RISK)
    learner.tell(name, 0.7)
    assert rewards_told(learner) == {1: (1, 0.7)}
    learner.tell([name, 2], [0.7, 0.5])
    assert rewards_told(learner) == {1: (2, 0.7), 2: (1, 0.5)}
    for wrong in ("garbage", float("nan"), None, [0.7], np.array([0.7]), 1j):
        with pytest.raises(ParameterError, match="must be a finite number"):
            learner.tell(name, wrong)
    assert learner.decisions == 3


@pytest.mark.parametrize("name", [True, np.True_, 1.5, float("nan"), "1", b"1", None, Decimal("sNaN"), object()])
def test_anything_else_is_refused(name):
    learner = rb.Learner(rb.MVTS(), arms=3, risk=RISK)
    for arms, reward in ((name, 0.7), ([name], [0.7])):
        with pytest.raises(UnknownNameError, match="There is no arm"):
            learner.tell(arms, reward)
    assert learner.decisions == 0


@pytest.mark.parametrize("name", ["red", np.str_("red"), Colour.RED])
def test_texts(name):
    learner = rb.Learner(rb.MVTS(), arms=["red", "blue"], risk=RISK)
    learner.tell(name, 0.7)
    learner.tell([name], [0.7])
    assert rewards_told(learner) == {"red": (2, 0.7)}


@pytest.mark.parametrize(
    ("arms", "rewards"),
    [
        ([1, 2], [0.7, 0.5]),
        ((1, 2), (0.7, 0.5)),
        (np.array([1, 2]), np.array([0.7, 0.5])),
        (np.array([1.0, 2.0]), np.array([0.7, 0.5])),
        (pd.Series([1, 2], index=[2, 1]), pd.Series([0.7, 0.5], index=[1, 2])),
        (iter([1, 2]), iter([0.7, 0.5])),
        ({1: 0.7, 2: 0.5}.keys(), {1: 0.7, 2: 0.5}.values()),
        (range(1, 3), pd.array([0.7, 0.5])),
    ],
    ids=["lists", "tuples", "arrays", "floats", "series", "iterators", "views", "pandas"],
)
def test_sequences_of_every_kind_are_taken_in_their_order(arms, rewards):
    learner = rb.Learner(rb.MVTS(), arms=3, risk=RISK)
    learner.tell(arms, rewards)
    assert rewards_told(learner) == {1: (1, 0.7), 2: (1, 0.5)}


@pytest.mark.parametrize(
    ("arms", "rewards"),
    [
        (np.array(1), 0.7),
        (np.array([1]), 0.7),
        ([1], np.array(0.7)),
        ({1, 2}, [0.7, 0.5]),
        ([1, 2], {0.7, 0.5}),
        ([1, 2], {0: 0.7, 1: 0.5}),  # a loop gives its keys, which are numbers too
        ({1: 0.7, 2: 0.5}, [0.7, 0.5]),
        ([1, 2], pd.DataFrame([[0.7, 0.5]])),  # likewise
        (np.array([[1, 2]]), np.array([[0.7, 0.5]])),
        ([1, 2], b"\x01\x00"),
        (b"\x01\x02", [0.7, 0.5]),
        ([1, 2], "75"),
        ([1, 2], [0.7]),
        ([1], [0.7, 0.5]),
        ([1], itertools.repeat(0.7)),
        (itertools.repeat(1), [0.7]),
        ([1, [2]], [0.7, 0.5]),
        ([1, 2], [0.7, [0.5]]),
        ([1, 2], [0.7, None]),
        ([1, 2], [0.7, pd.NA]),
        ([1, 2], 0.7),
        (1, [0.7]),
        (1, np.array([0.7])),
        (1, {0.7}),
    ],
)
def test_what_is_not_meant_for_sure_is_refused_in_a_sentence(arms, rewards):
    learner = rb.Learner(rb.MVTS(), arms=3, risk=RISK)
    with pytest.raises(RiskBanditsError) as caught:
        learner.tell(arms, rewards)
    assert "\n" not in str(caught.value)
    assert learner.decisions == 0


def test_equal_numbers_name_an_arm_everywhere():
    learner = rb.Learner(rb.MVTS(), arms=3, risk=RISK)
    assert learner.ask(available=[2.0, Fraction(2)]) == 2
    learner.forget(arm=2.0)
    learner.retire(np.float64(2))
    assert learner.arms == [0, 1]
    for wrong in (np.array(1), np.array([[1]]), b"\x01", 1):
        with pytest.raises(ParameterError, match="available must be a list of arms"):
            learner.ask(available=wrong)


@pytest.mark.parametrize("reward", [1e308, -1e308, 1e200, -1e155, 10**150], ids=lambda x: f"{x:g}")
def test_rewards_whose_squares_overflow_are_refused(reward):
    learner = rb.Learner(rb.MVTS(), arms=["a", "b"], risk=RISK)
    for arms, rewards in (("a", reward), (["b", "a"], [1.0, reward])):
        with pytest.raises(ParameterError, match="The reward of the arm 'a' must be between -1e\\+140 and 1e\\+140"):
            learner.tell(arms, rewards)
    assert learner.decisions == 0


@pytest.mark.parametrize("cls", naming.public_policies())
def test_a_learner_of_the_largest_rewards_can_be_saved(cls, tmp_path):
    policy = cls()
    learner = rb.Learner(policy, ["a", "b"], fitting_problem(policy).risk, horizon=100)
    largest = [x for x in (1e140, -1e140, 1.0, 0.0) if contract.reward_complaint(policy, x) is None]
    for reward in largest * 3:
        learner.tell(["a", "b"], [reward, largest[0]])
    assert np.isfinite(learner._state.moments[:, : moments.WIDTH]).all()
    learner.retire("a")
    back = rb.Learner.load(learner.save(tmp_path / "learner.json"))
    assert back.summary().equals(learner.summary())
