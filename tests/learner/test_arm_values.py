"""The value column of a learner's summary: of the rewards themselves where they are known, and it says so."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.compiling import jit
from riskbandits.learner import inspection
from riskbandits.numerics import history

REWARDS = [0.9, 0.1, 0.4, 0.4, 0.8, 0.2]


@pytest.fixture(autouse=True)
def plain_python(monkeypatch):
    monkeypatch.setattr(jit, "entry", lambda function, classes: function)


def row_of(policy, risk, rewards=REWARDS):
    learner = rb.Learner(policy, ["a", "b"], risk, horizon=100)
    for reward in rewards:
        learner.tell("a", reward)
    return learner, learner.summary().set_index("arm").loc["a"]


@pytest.mark.parametrize(
    "policy",
    [rb.BCVTS(), rb.NPTS(), rb.NPTS.anchor_free(), rb.MaRaB(), rb.UUCB(), rb.MCVTS([*sorted(set(REWARDS)), 1.0, 0.0])],
    ids=lambda policy: type(policy).__name__,
)
def test_policies_with_a_history_give_the_value_of_the_rewards_told(policy):
    """CVaR at 1/3 of six rewards is the mean of the lowest two: the policy's own first entries do not count."""
    learner, row = row_of(policy, rb.CVaR(1 / 3))
    assert row["value"] == pytest.approx(0.15)
    assert row["valued_as"] == "sample"
    learner.retire("a")  # the history goes, its value stays
    assert learner.summary().set_index("arm").loc["a", "value"] == pytest.approx(0.15)


def test_a_retired_arm_keeps_its_value_on_disk(tmp_path):
    learner, row = row_of(rb.BCVTS(), rb.CVaR(1 / 3))
    learner.retire("a")
    learner.retire("b")  # never told anything
    back = rb.Learner.load(learner.save(tmp_path / "learner.json"))
    assert back.summary().equals(learner.summary())
    assert back.summary().set_index("arm").loc["a", "value"] == row["value"]


def test_without_a_history_it_is_the_value_of_a_gaussian_and_says_so():
    _, row = row_of(rb.MVTS(), rb.CVaR(1 / 3))
    assert row["valued_as"] == "Gaussian"
    assert row["value"] == pytest.approx(rb.CVaR(1 / 3).value(np.mean(REWARDS), np.var(REWARDS)))


def test_measures_of_mean_and_variance_need_no_history():
    for risk in (rb.MeanVariance(2.0), rb.Sharpe(), rb.Mean()):
        _, row = row_of(rb.MVTS(), risk)
        assert row["valued_as"] == "sample"
        assert row["value"] == pytest.approx(risk.value(np.mean(REWARDS), np.var(REWARDS)))


def test_rewards_of_zero_and_one_are_known_from_their_mean():
    _, row = row_of(rb.BMVTS(), rb.CVaR(0.5), [1, 0, 1, 1])
    assert (row["value"], row["valued_as"]) == (0.5, "sample")  # the lowest half is a 0 and a 1


class Logs(NamedTuple):
    """A policy that keeps something else than the rewards."""

    def score(self, state: Any, k: int, run: Any, risk: Any, rng: Any) -> float:
        return 0.0

    def learn(self, state: Any, k: int, run: Any, reward: float) -> None:
        history.add(state, k, run, 2.0 * reward)

    def history(self) -> int:
        return 1

    def width(self) -> int:
        return history.WIDTH


def test_what_is_not_the_rewards_is_not_valued_as_if_it_were():
    _, row = row_of(Logs(), rb.CVaR(1 / 3))
    assert row["valued_as"] == "Gaussian"


def test_nothing_told():
    learner = rb.Learner(rb.BCVTS(), ["a"], rb.CVaR(0.5))
    row = learner.summary().iloc[0]
    assert np.isnan(row["value"])
    assert row["valued_as"] == ""
    past = {"values": [], "counts": []}
    assert inspection.value_of_history(rb.BCVTS(), rb.CVaR(0.5), past, 0, 0.0) is None
