"""Random weights over a history: the shortcuts have the same distribution as drawing every weight."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest
from scipy import stats

import riskbandits as rb
from comparing import complaints
from riskbandits.numerics import history
from riskbandits.policies.support import contract, reweighting
from riskbandits.risk.contract import sample_value

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
    found, levels = [], set()
    for _ in range(DRAWS):
        reweighting.begin(state, 0, run)
        while state[0, reweighting.BITS] != reweighting.DRAWN:
            levels.add(int(state[0, reweighting.BITS]))
            before = state[0, reweighting.SCORE], state[0, reweighting.CEILING]
            reweighting.refine(state, 0, run, risk, rng)
            # What is known of a draw only becomes more precise.
            assert state[0, reweighting.SCORE] >= before[0] - 1e-9
            assert state[0, reweighting.CEILING] <= before[1] + 1e-9
        found.append(state[0, reweighting.SCORE])
    assert levels == {0} if kind == "few" else {0, 2} if isinstance(risk, Plain) or kind == "ties" else {0, 2, 3}
    assert not complaints("values", np.array(found), by_dirichlet(risk, rewards, np.random.default_rng(8)))


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
    """Parts of blocks that do not get the weight that was drawn for the block: too little spread."""
    monkeypatch.setattr(reweighting, "rescale", lambda weights, first, last, factor: None)
    state, run = filled(REWARDS["continuous"])
    rng = np.random.default_rng(7)
    outside = []
    for _ in range(200):
        reweighting.begin(state, 0, run)
        reweighting.refine(state, 0, run, rb.Mean(), rng)
        before = state[0, reweighting.SCORE]
        reweighting.refine(state, 0, run, rb.Mean(), rng)
        outside.append(state[0, reweighting.SCORE] < before - 1e-9)
    assert any(outside)


def test_few_distinct_rewards_cost_few_draws():
    state, run = filled(np.tile([0.0, 1.0], 5000), [0.0, 1.0, 1.0])

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
    assert rng.calls < 30
    assert math.isclose(state[0, reweighting.SCORE], 0.25, abs_tol=0.05)
