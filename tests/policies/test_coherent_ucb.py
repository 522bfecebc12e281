"""What `CoherentUCB` promises: the constants of the measures, and how rarely a true value exceeds its index."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import riskbandits as rb
from riskbandits.core.errors import ParameterError
from riskbandits.policies.support import contract, play
from riskbandits.risk.contract import sample_value

COHERENT = [rb.CVaR(0.3), rb.MeanSemideviation(0.7), rb.MeanSemideviation(), rb.Expectile(0.2), rb.Expectile(0.5)]


@pytest.mark.parametrize("risk", COHERENT, ids=str)
def test_values_move_no_faster_than_the_constant_says(risk):
    rng = np.random.default_rng(4)
    constant = risk.lipschitz_constant()
    for _ in range(400):
        x = np.sort(rng.beta(0.3, 0.3, size=8))
        y = np.sort(np.where(rng.random(8) < 0.3, rng.random(8), x))
        moved = abs(sample_value(risk, x, np.ones(8)) - sample_value(risk, y, np.ones(8)))
        assert moved <= constant * stats.wasserstein_distance(x, y) + 1e-12
    # A rare loss that changes a little shows that no smaller constant would do.
    weights = np.array([0.01, 0.99])
    moved = risk.sample_value(np.array([0.001, 1.0]), weights) - risk.sample_value(np.array([0.0, 1.0]), weights)
    assert moved == pytest.approx(constant * 0.001 * 0.01, rel=0.05)


def index_of(policy, risk, rewards, step):
    state, run = contract.new_state(policy, 1), contract.new_run(math.inf, policy, 1, len(rewards))
    for reward in rewards:
        play.note_reward(policy, state, 0, run, reward)
    play.begin_step(run, step)
    contract.prepare(policy, state, run, risk, None)
    return policy.score(state, 0, run, risk, None)


def failures(risk, probability, pulls, step, runs, factor=1.0):
    """How often the value of rewards of 0 and 1 exceeds an index whose bonus is multiplied by `factor`."""
    p = np.array([0.0, 1.0]), np.array([1.0 - probability, probability])
    truth = risk.sample_value(*p)
    ones = np.random.default_rng(6).binomial(pulls, probability, size=runs)
    exceeded = {}
    for n in np.unique(ones).tolist():
        rewards = [1.0] * n + [0.0] * (pulls - n)
        plain = index_of(rb.CoherentUCB(), risk, rewards, 1)  # ln 1 = 0: the sample value
        exceeded[n] = truth > plain + factor * (index_of(rb.CoherentUCB(), risk, rewards, step) - plain)
    return sum(exceeded[n] for n in ones.tolist())


# At level 0.9 and p = 1/2 the CVaR of 0 and 1 moves with p as fast as its constant allows; the others more slowly.
@pytest.mark.parametrize("risk", [rb.CVaR(0.9), rb.MeanSemideviation(), rb.Expectile(0.4)], ids=str)
@pytest.mark.parametrize(("pulls", "step"), [(2, 3), (50, 2), (50, 4), (400, 6)])
def test_a_true_value_exceeds_its_index_as_rarely_as_promised(risk, pulls, step):
    runs = 20_000
    failed = failures(risk, 0.5, pulls, step, runs)
    assert rb.metrics.clopper_pearson(failed, runs)[0] <= 2 / step**4
    assert failed / runs <= 2 / step**4  # far below, in fact: the inequality is for the worst distribution


@pytest.mark.parametrize("factor", [0.5, math.sqrt(0.5)])
def test_a_bonus_without_its_constant_is_caught(factor):
    """The bonus of UUCB, which is sqrt(1/2) of this one, does not come with this promise."""
    failed = failures(rb.CVaR(0.9), 0.5, 400, 6, 20_000, factor)
    assert rb.metrics.clopper_pearson(failed, 20_000)[0] > 2 / 6**4


def test_it_agrees_with_u_ucb_up_to_the_constant():
    rewards = np.random.default_rng(2).random(40).tolist()
    for level in (0.05, 0.3, 1.0):
        risk = rb.CVaR(level)
        value = index_of(rb.UUCB(), risk, rewards, 1)
        ours, theirs = (index_of(policy, risk, rewards, 90) - value for policy in (rb.CoherentUCB(), rb.UUCB()))
        assert ours == pytest.approx(math.sqrt(2.0) * theirs)


@pytest.mark.parametrize("risk", COHERENT, ids=str)
def test_it_finds_the_best_arm(risk):
    problem = rb.Problem(rb.BetaArms([1.0, 9.0], [9.0, 1.0]), risk)
    result = rb.simulate(problem, [rb.CoherentUCB()], horizon=3000, runs=3, seed=1, progress=False)
    pulls = result.traces[0].pulls
    assert (pulls[:, 1] > pulls[:, 0]).all()
    assert (pulls[:, 0] > 1).all()  # it returns


def test_a_learner_checks_rewards_and_bounds():
    learner = rb.Learner(rb.CoherentUCB(-1.0, 2.0), ["a", "b"], rb.Expectile(0.2), seed=0)
    learner.tell("a", -1.0)
    with pytest.raises(ParameterError, match="between -1 and 2"):
        learner.tell("a", 2.5)
    with pytest.raises(
        ParameterError, match=r"'highest' parameter of CoherentUCB must be above its 'lowest' parameter"
    ):
        rb.Learner(rb.CoherentUCB(1.0, 1.0), ["a", "b"], rb.Expectile(0.2))
