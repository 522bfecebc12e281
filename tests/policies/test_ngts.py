"""The Normal-Gamma posterior: the unit of its prior, which shuts no arm out, and how many draws an arm has."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import riskbandits as rb
from riskbandits import metrics
from riskbandits.bounds.contract import BOUND_CELLS
from riskbandits.numerics import moments, pooled
from riskbandits.policies import cells as run_cells
from riskbandits.policies.ngts import SCALE, USED_SHARE
from riskbandits.policies.support import contract, play

RISK = rb.MeanVariance(rho=2.0)


def shared(rewards, told):
    """The mean of the arms' variances, and the unit of each arm."""
    state = np.zeros((len(rewards), rb.NGTS().width()))
    for k, own in enumerate(rewards):
        for reward in own:
            moments.add(state, k, reward)
    pooled.share(state, SCALE, told)
    return pooled.variance(state), list(state[:, SCALE])


def test_the_unit_of_an_arm():
    calm, usual, wild, silent = (0.0, 0.2), (1.0, 3.0), (0.0, 20.0), (7.0,)  # variances 0.02, 2, 200
    mean, units = shared([calm, usual, wild, silent, (5.0, 5.0), ()], told=8.0)
    assert mean == pytest.approx(2.0)  # arms without a variance say nothing, and are told the others'
    assert units == pytest.approx([2.0] * 6)  # at first the same for all
    _, units = shared([calm, usual, wild], told=600.0)
    assert units == pytest.approx([0.2, 2.0, 2.0])  # a tenth: sqrt(2K/t)
    _, units = shared([calm, usual, wild], told=6e6)
    assert units == pytest.approx([0.04, 2.0, 2.0])  # twice its own
    mean, units = shared([(5.0, 5.0), ()], told=4.0)
    assert mean == 0.0
    assert 0.0 < max(units) < 1e-22  # no arm has shown a variance: enough to break ties


@pytest.mark.parametrize(
    ("rewards", "told", "waiting"),
    [
        ([(0.0,), (1.0,), (2.0,)], 3.0, [0, 1, 2]),  # no variance is known
        ([(0.0, 1.0), (1.0,), (2.0,)], 4.0, [1, 2]),  # one is
        ([(0.0, 1.0), (1.0, 3.0), (2.0,)], 5.0, []),  # two are: the third need not be played twice
        ([(5.0, 5.0), (1.0, 1.0), (2.0, 2.0)], 6.0, []),  # constant arms have none
        ([(5.0, 5.0), (1.0, 1.0), (2.0,)], 5.0, [2]),
        ([(0.0, 1.0), (1.0,), (2.0,)], 6.0, []),  # an arm that came late, or evidence that faded
        ([(0.0,)], 1.0, [0]),
    ],
)
def test_an_arm_is_played_twice_only_until_two_variances_are_known(rewards, told, waiting):
    _, units = shared(rewards, told)
    assert [k for k, unit in enumerate(units) if unit == math.inf] == waiting


@pytest.mark.parametrize(("arms", "draws"), [(1, 1.0), (2, 80.0), (5, 10.0), (17, 1.25), (65, 0.15625)])
def test_how_many_draws_an_arm_has(arms, draws):
    policy = rb.NGTS()
    assert policy.expected_draws(np.zeros((arms, policy.width())), 0) == draws
    assert policy._replace(optimism=0.0).expected_draws(np.zeros((arms, policy.width())), 0) == 1


@pytest.mark.parametrize("spent", [-1e300, -1e-9, 1.1, math.nan, math.inf])
def test_no_state_makes_the_number_of_draws_endless(spent):
    policy = rb.NGTS()
    state = np.zeros((2, policy.width()))
    state[:, USED_SHARE] = spent
    assert policy.expected_draws(state, 0) == 0.0


def spent_after(rewards, step, horizon, policy=None):
    """The share of their draws that arms no longer have, with so many rewards at such a step of a run."""
    policy = policy or rb.NGTS()
    state, run = np.zeros((2, policy.width())), contract.new_run(horizon)
    play.begin_step(run, step)
    for reward in range(rewards):
        moments.add(state, reward % 2, float(reward % 7))
    run[run_cells.REWARD_COUNT] = rewards
    policy.refresh_pooled(state, run)
    assert (state[:, USED_SHARE] == state[0, USED_SHARE]).all()
    return state[0, USED_SHARE]


def test_draws_become_fewer_with_the_steps_to_come():
    assert spent_after(100, step=100, horizon=math.inf) == 0.0
    assert spent_after(100, step=100, horizon=400.0) == pytest.approx(1 - 0.75**3)
    assert spent_after(399, step=399, horizon=400.0) == pytest.approx(1.0)
    assert spent_after(400, step=400, horizon=400.0) == 1.0
    # What was forgotten must be found out again: 300 steps to come, and 100 rewards left of 300.
    assert spent_after(100, step=300, horizon=600.0) == pytest.approx(1 - 0.75**3)
    # A horizon that was too short: from none at its end to all of them.
    assert spent_after(800, step=800, horizon=400.0) == pytest.approx(1 - 0.5**3)
    assert spent_after(100, step=100, horizon=400.0, policy=rb.NGTS(anytime=True)) == 0.0


@pytest.mark.parametrize("policy", [rb.NGTS(), rb.NGTS(pooled=False, shape=0.5), rb.SwitchingAware()])
def test_a_run_looks_at_its_draws_in_time(policy):
    """Also while it is played: at the last look, less than an eighth of the rewards ago, so many steps were to come."""
    state, run = contract.new_state(policy, 3), contract.new_run(200.0)
    rng = np.random.default_rng(4)
    for step in range(1, 201):
        play.begin_step(run, step)
        k = (step - 1) if step <= 3 else play.choose(policy, state, run, RISK, rng, np.zeros(3, int))
        play.note_reward(policy, state, k, run, rng.normal(0.1 * k))
        least, most = (1 - (1 - at / 200) ** 3 for at in (step / 1.125 - 1, step))
        assert least - 1e-9 <= state[0, USED_SHARE] <= most + 1e-9


def test_scores_are_never_below_the_value_of_the_estimates():
    state, run, risk = np.array([[30.0, 0.2, 9.0, 0.3, 0.6]] * 3), contract.new_run(100.0), rb.MeanVariance(1.0)
    rng = np.random.default_rng(1)
    found = np.array([rb.NGTS().score(state, 0, run, risk, rng) for _ in range(2000)])
    single = np.array([rb.NGTS(optimism=0.0).score(state, 0, run, risk, rng) for _ in range(20_000)])
    estimate = 0.2 - (0.5 * 0.3 + 0.5 * 9.0) / 15.0
    assert found.min() >= estimate > np.median(single)
    # The best of m draws exceeds a quantile of one draw with probability 1 - quantile^m; here they are 11 or 12.
    draws = 0.4 * 80 / 2**1.5
    level = np.quantile(single, 0.97)
    expected = 1 - 0.97**11 * (1 - 0.03 * (draws - 11))
    assert abs((found > level).mean() - expected) < 4 * np.sqrt(0.26 * 0.74 * (1 / 2000 + 100 / 20_000))


def best_draws(row, draws, rng, size=200_000):
    """Scores at rho = 1 by the textbook, with one more draw as often as their number exceeds a whole one."""
    count, mean, squares, unit = row[:4]
    best = np.full(size, mean - (squares + unit) / count)
    for number in range(math.ceil(draws)):
        variance = (squares + unit) / rng.chisquare(count, size)
        drawn = rng.normal(mean, np.sqrt(variance / count)) - variance
        best = np.where(rng.random(size) < draws - number, np.maximum(best, drawn), best)
    return best


@pytest.mark.parametrize(
    ("spent", "threshold"), [(0.0, 0.13), (0.9, 0.13), (0.99, 0.13), (0.999, 0.13), (0.94, 0.0), (0.95, 0.0)]
)
def test_a_sleeper_wakes_as_often_as_the_best_of_its_draws_says(spent, threshold):
    """28.3 to 0.028 draws, and 1.7 and 1.4 of which two often reach the threshold: kept proposals, and scores drawn
    directly, against the textbook."""
    policy, risk, size = rb.NGTS(), rb.MeanVariance(1.0), 40_000
    state, run = np.array([[30.0, 0.2, 9.0, 0.3, spent]] * 3), contract.new_run(100.0)
    rng, cells, bounds = np.random.default_rng(8), np.zeros((3, BOUND_CELLS)), policy.bounds(risk)
    expected = best_draws(state[0], policy.expected_draws(state, 0), rng)
    share = (expected >= threshold).mean()
    scores = np.array([policy.score(state, 0, run, risk, rng) for _ in range(size)])
    assert abs((scores >= threshold).mean() - share) < 4 * np.sqrt(1.2 * share * (1 - share) / size)
    assert stats.ks_2samp(scores, expected).pvalue > 1e-3
    mass = bounds.tail(state, 0, threshold, risk, cells)
    woken = np.array([bounds.draw_above(state, 0, threshold, risk, cells, rng) for _ in range(size)])
    kept = woken[~np.isnan(woken)]
    assert share <= mass < 1.0
    assert abs(mass * len(kept) / size - share) < 4 * np.sqrt((mass + 0.2) * share / size)
    assert stats.ks_2samp(kept, expected[expected >= threshold]).pvalue > 1e-3


@pytest.mark.parametrize("unit", [1e-150, 1e-3, 1e150])
def test_the_mean_of_variances_far_apart(unit):
    mean, _ = shared([(0.0, unit), (0.0, 1e3 * unit)], told=4.0)
    assert mean == pytest.approx(1e3 * unit**2 / 2)


@pytest.mark.parametrize("policy", [rb.NGTS(), rb.SwitchingAware()])
def test_a_wild_arm_does_not_shut_out_calm_ones(policy):
    """Where one arm's variance is a thousand times the others', or a million times."""
    for ratio in (1e3, 1e6):
        problem = rb.Problem(rb.GaussianArms([0.0, 0.1, 0.2], [0.1, 0.3, 0.1 * ratio]), rb.MeanVariance(0.01))
        result = rb.simulate(problem, [policy], horizon=30_000, runs=100, seed=3, progress=False)
        assert metrics.locked(result.traces[0]).mean() <= 0.03


def waiting_time(rewards):
    """Steps, on average, until an arm with such rewards draws a mean of 0 or more: one among ten after 100 rewards."""
    state, run = np.zeros((10, rb.NGTS().width())), contract.new_run(100.0)
    for k in range(10):
        for reward in rewards if k == 0 else (-1.0, 1.0):
            moments.add(state, k, reward)
    pooled.share(state, SCALE, 100.0)
    rng, risk = np.random.default_rng(3), rb.MeanVariance(100.0)
    return 1 / np.mean([rb.NGTS().score(state, 0, run, risk, rng) >= 0.0 for _ in range(20_000)])


def test_close_rewards_do_not_shut_an_arm_out():
    """Rewards a hundredth as far apart are a hundredth as likely. A unit in proportion to their variance would make the
    arm wait ten thousand times as long, and so a hundred times as long on average."""
    assert waiting_time((-1.0, -1.0 + 1e-4)) < 100 * waiting_time((-1.0, -1.0 + 1e-2)) / 10
