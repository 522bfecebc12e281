"""Random weights over a history: the shortcuts have the law of drawing every weight."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest
from scipy import stats

import riskbandits as rb
from comparing import complaints
from riskbandits.policies import contract, reweighting
from riskbandits.risk.contract import sample_value
from riskbandits.statistics import history

DRAWS = 1000
MEASURES = [rb.MeanVariance(0.8), rb.CVaR(0.15), rb.ValueAtRisk(0.4), rb.Entropic(2.0), rb.Sharpe(0.3)]


class Plain(NamedTuple):
    """Semivariance as somebody would write it outside: no bounds, no shortcut."""

    target: float = 0.5

    def value(self, mean, variance):
        return -variance

    def sample_value(self, values, weights):
        total = 0.0
        short = 0.0
        for i in range(values.shape[0]):
            total += weights[i]
            short += weights[i] * max(0.0, self.target - values[i]) ** 2
        return -short / total


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Blocks from 16 entries on (4 blocks, then 8, then entries), so that short histories in plain Python use them."""
    monkeypatch.setattr(reweighting, "FIRST_BITS", 2)
    monkeypatch.setattr(reweighting, "FINER_BITS", 1)
    monkeypatch.setattr(reweighting, "ENTRY_BITS", 2)


def filled(*rewards):
    """A state with these rewards per arm."""
    policy = rb.NPTS.anchor_free()
    state = contract.new_state(policy, len(rewards))
    run = contract.new_run(1e6, policy, len(rewards), sum(len(one) for one in rewards))
    for k, mine in enumerate(rewards):
        for reward in mine:
            history.add(state, k, run, reward)
    return state, run


def by_dirichlet(risk, rewards, rng, draws=DRAWS):
    """The textbook: one weight per reward, in the order of the rewards."""
    x = np.sort(np.asarray(rewards))
    return np.array([sample_value(risk, x, weights) for weights in rng.dirichlet(np.ones(len(x)), draws)])


REWARDS = {
    "continuous": np.random.default_rng(1).normal(0.5, 1.0, 40),
    "ties": np.random.default_rng(2).integers(0, 20, 90) / 10.0,
    "few": np.array([0.0] * 7 + [1.0] * 12 + [0.5]),
}


@pytest.mark.parametrize("kind", REWARDS)
@pytest.mark.parametrize("risk", [*MEASURES, Plain()], ids=lambda risk: type(risk).__name__)
def test_values_of_reweighted_histories(risk, kind):
    rewards = REWARDS[kind]
    state, run = filled(rewards)
    rng = np.random.default_rng(7)
    whole = np.array([reweighting.draw(state, 0, run, risk, rng) for _ in range(DRAWS)])
    textbook = by_dirichlet(risk, rewards, np.random.default_rng(8))
    assert not complaints("drawn by entries", whole, textbook)
    if kind == "few":
        return
    in_blocks = []
    for _ in range(DRAWS):
        reweighting.draw_blocks(state, 0, run, rng)
        reweighting.bound(state, 0, run, risk)
        while state[0, reweighting.BITS] > 0:
            bounds = state[0, reweighting.SCORE], state[0, reweighting.CEILING]
            reweighting.refine(state, 0, run, risk, rng)
            # What is known of a draw only becomes more precise.
            assert state[0, reweighting.SCORE] >= bounds[0] - 1e-9
            assert state[0, reweighting.CEILING] <= bounds[1] + 1e-9
        in_blocks.append(state[0, reweighting.SCORE])
    assert not complaints("drawn by blocks", np.array(in_blocks), textbook)


def test_a_tail_that_was_drawn_too_short_is_extended(monkeypatch):
    """With no margin the quantile lies in the rest half of the time."""
    monkeypatch.setattr(reweighting, "DEVIATIONS", 0.05)
    for risk in (rb.CVaR(0.3), rb.ValueAtRisk(0.3)):
        state, run = filled(REWARDS["continuous"])
        rng = np.random.default_rng(3)
        found = np.array([reweighting.draw(state, 0, run, risk, rng) for _ in range(DRAWS)])
        assert not complaints("extended", found, by_dirichlet(risk, REWARDS["continuous"], np.random.default_rng(4)))


def shares_of_best(scores):
    return np.bincount(np.argmax(scores, axis=1), minlength=scores.shape[1])


@pytest.mark.parametrize("risk", [*MEASURES, Plain()], ids=lambda risk: type(risk).__name__)
def test_the_best_arm_is_chosen_as_often_as_when_all_weights_are_drawn(risk):
    rng = np.random.default_rng(11)
    rewards = [
        rng.normal(0.5, 1.0, 12),
        rng.normal(0.55, 0.9, 70),
        rng.normal(0.45, 1.0, 40),
        rng.normal(-3.0, 1.0, 50),
    ]
    state, run = filled(*rewards)
    scores = np.zeros((DRAWS, 4))
    for row in scores:
        reweighting.draw_scores(state, run, risk, rng)
        row[:] = state[:, reweighting.SCORE]
    naive = np.column_stack([by_dirichlet(risk, one, rng) for one in rewards])
    table = np.array([shares_of_best(scores), shares_of_best(naive)])
    table = table[:, table.sum(axis=0) > 10]
    assert stats.chi2_contingency(table).pvalue > 1e-4


def test_a_slip_is_noticed(monkeypatch):
    """Blocks whose parts do not get the weight that was drawn for the block."""
    kept = reweighting.rescale
    monkeypatch.setattr(reweighting, "rescale", lambda weights, first, last, factor: kept(weights, first, last, 1.0))
    state, run = filled(REWARDS["continuous"])
    rng = np.random.default_rng(7)
    found = []
    for _ in range(DRAWS):
        reweighting.draw_blocks(state, 0, run, rng)
        bounds = []
        while state[0, reweighting.BITS] > 0:
            reweighting.bound(state, 0, run, rb.Mean())
            bounds.append(state[0, reweighting.SCORE])
            reweighting.refine(state, 0, run, rb.Mean(), rng)
        found.append(state[0, reweighting.SCORE] < bounds[0] - 1e-9)
    assert any(found)


def test_few_distinct_rewards_cost_few_draws():
    state, run = filled(np.tile([0.0, 1.0], 5000))

    class Counting:
        def __init__(self):
            self.rng, self.calls = np.random.default_rng(0), 0

        def random(self):
            self.calls += 1
            return self.rng.random()

        def standard_normal(self):
            self.calls += 1
            return self.rng.standard_normal()

    rng = Counting()
    reweighting.draw_scores(state, run, rb.MeanVariance(1.0), rng)
    assert rng.calls < 20
    assert math.isclose(state[0, reweighting.SCORE], 0.25, abs_tol=0.05)
