"""The charge for switching: its formula, its guesses, what may be wrapped, and what it is for."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest
from scipy import stats

import riskbandits as rb
from riskbandits import metrics
from riskbandits.core.errors import RiskBanditsError
from riskbandits.envelopes.contract import ENVELOPE_CELLS
from riskbandits.numerics import moments, pooled
from riskbandits.numerics.moments import MEAN
from riskbandits.policies.ngts import SCALE, SPENT
from riskbandits.policies.support import contract, naming, play
from riskbandits.risk.charged import ChargedMeanVariance

RISK = rb.MeanVariance(rho=2.0)


class SampleValue(NamedTuple):
    """The best sample value: a policy whose scores are known."""

    def score(self, state, k, run, risk, rng):
        return risk.value(state[k, MEAN], moments.variance(state, k))

    def learn(self, state, k, run, reward):
        moments.add(state, k, reward)

    def first_pulls(self):
        return 1


def after(policy, rewards, step, horizon=400.0):
    """State, run and measure of two arms after rewards (arm, reward), at a step."""
    state, run = np.zeros((2, contract.width(policy))), contract.new_context(horizon)
    for k, reward in rewards:
        play.note_reward(policy, state, k, run, reward)
    play.begin_step(run, step)
    return state, run, policy.measure(state, run, RISK)


def test_the_charge_by_hand():
    policy = rb.SwitchingAware(SampleValue())
    state, run, risk = after(policy, [(0, 1.0), (0, 3.0), (1, 8.0)], step=100)
    # Arm 0: mean 2, variance 1; the stream's mean is 4; a quarter of the run has passed.
    assert policy.score(state, 0, run, risk, None) == pytest.approx(2 * 2 - 1 - 0.25 * (2 - 4) ** 2)
    assert policy.score(state, 1, run, risk, None) == pytest.approx(2 * 8 - 0 - 0.25 * (8 - 4) ** 2)
    full = policy._replace(power=0.0)
    state, run, risk = after(full, [(0, 1.0), (0, 3.0), (1, 8.0)], step=100)
    assert full.score(state, 0, run, risk, None) == pytest.approx(2 * 2 - 1 - (2 - 4) ** 2)


def test_the_charge_is_what_the_regret_grows_by():
    """Exact pseudo-regret of t plays and then n - t of one arm, against Delta + (t/n)(mu - xbar)^2 per play."""
    means, gaps, pulls, n = np.array([0.1, 0.9, 0.4]), np.array([0.2, 0.0, 0.7]), np.array([20.0, 50.0, 30.0]), 400
    t, stream = pulls.sum(), pulls @ means / pulls.sum()

    def regret(counts):
        centred = means - counts @ means / counts.sum()
        return counts @ gaps + counts @ centred**2

    for k in range(3):
        later = pulls + (n - t) * (np.arange(3) == k)
        growth = (n - t) * (gaps[k] + t / n * (means[k] - stream) ** 2)
        assert regret(later) - regret(pulls) == pytest.approx(growth)


def test_guesses_of_an_unknown_horizon():
    """Two arms: n is taken for 4 t sqrt(t/2), and the charge t/n falls."""
    policy = rb.SwitchingAware(SampleValue(), anytime=True)
    rewards = [(0, 1.0), (1, 0.0)]
    for step, weight in ((1, 0.25), (2, 0.25), (8, 0.125), (200, 0.025), (20_000, 0.0025)):
        for horizon in (np.inf, 300.0):  # known, but not asked
            risk = after(policy, rewards, step, horizon)[2]
            assert risk.weight == pytest.approx(weight)
            assert risk.stream == 0.5
    assert after(policy._replace(power=0.5), rewards, 200)[2].weight == pytest.approx(0.025**0.5)


def test_the_charge_ends_smoothly_behind_the_horizon():
    """As n/t from 1 on, until it is what it would be had no horizon been given."""
    policy = rb.SwitchingAware(SampleValue())
    rewards = [(0, 1.0), (1, 0.0)]
    assert after(policy, rewards, 400)[2].weight == 1.0
    assert after(policy, rewards, 404)[2].weight == pytest.approx(400 / 404)
    assert after(policy, rewards, 800)[2].weight == pytest.approx(0.5)
    for step in (8_000_000, 80_000_000):
        assert after(policy, rewards, step)[2].weight == pytest.approx(0.25 * (2 / step) ** 0.5)
    assert after(policy, rewards, 800, horizon=np.inf)[2].weight == pytest.approx(0.0125)
    assert after(policy, [], 1)[2].weight == 0.0  # nothing has been seen


def test_what_can_be_wrapped():
    problem = rb.problems.zhu_tan_gaussian(1)
    assert naming.label(rb.SwitchingAware(rb.MVTS())) == "SwitchingAware(MVTS)"
    assert naming.label(rb.SwitchingAware(rb.BMVTS())) == "SwitchingAware:bernoulli"
    for wrong in (3, rb.MeanVariance(1.0), rb.SwitchingAware(), rb.MVTS):
        with pytest.raises(RiskBanditsError, match=r"'policy' parameter of SwitchingAware must be a policy such as"):
            rb.simulate(problem, [rb.SwitchingAware(wrong)], horizon=20, runs=1, progress=False)
    with pytest.raises(RiskBanditsError, match="'rate' parameter of MVTS must be a number >= 0"):
        rb.simulate(problem, [rb.SwitchingAware(rb.MVTS(rate=-1))], horizon=20, runs=1, progress=False)
    with pytest.raises(RiskBanditsError, match="BMVTS needs arms whose rewards are 0 or 1"):
        rb.simulate(problem, [rb.SwitchingAware.bernoulli()], horizon=20, runs=1, progress=False)
    with pytest.raises(RiskBanditsError, match="ExpExp|SwitchingAware needs to know the horizon"):
        rb.Learner(rb.SwitchingAware(rb.ExpExp()), ["a", "b"], RISK)


class Other(NamedTuple):
    """A risk measure whose regret charges nothing for switching."""

    def value(self, mean, variance):
        return mean


def test_other_risk_measures_are_refused():
    problem = rb.Problem(rb.GaussianArms([0.0, 1.0], [1.0, 1.0]), Other())
    with pytest.raises(RiskBanditsError, match="SwitchingAware is defined for MeanVariance only. Got Other"):
        rb.simulate(problem, [rb.SwitchingAware()], horizon=20, runs=1, progress=False)


def test_a_saved_learner_goes_on(tmp_path):
    """With a policy of one's own inside: its class is passed, as for any such policy."""
    policy = rb.SwitchingAware(SampleValue())
    learner = rb.Learner(policy, ["a", "b"], RISK, horizon=50)
    for reward in (1.0, 0.0, 2.0):
        learner.tell(learner.ask(), reward)
    learner.save(tmp_path / "learner.json")
    expected = [learner.ask() for _ in range(5)]
    for given in (SampleValue, policy):
        loaded = rb.Learner.load(tmp_path / "learner.json", policy=given)
        assert type(loaded.policy.policy) is SampleValue
        assert [loaded.ask() for _ in range(5)] == expected
    with pytest.raises(RiskBanditsError, match="SampleValue"):
        rb.Learner.load(tmp_path / "learner.json")


def test_between_equal_arms_it_settles():
    """Two arms of equal value and distant means: the regret is what it costs to change one's mind."""
    problem = rb.Problem(rb.GaussianArms([0.0, 1.0], [0.05, 1.05]), rb.MeanVariance(1.0))
    policies = [rb.NGTS(), rb.SwitchingAware()]
    result = rb.simulate(problem, policies, horizon=4000, runs=60, seed=5, progress=False)
    plain, aware = (metrics.exact_pseudo_regret(trace)[:, -1] for trace in result.traces)
    error = np.hypot(plain.std(), 2 * aware.std()) / np.sqrt(60)
    assert plain.mean() - 2 * aware.mean() > 4 * error


def test_the_value_of_the_charged_risk():
    risk = ChargedMeanVariance(rho=2.0, weight=0.5, stream=1.0)
    assert risk.value(3.0, 0.25) == pytest.approx(2 * 3 - 0.25 - 0.5 * 4)


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
    assert shared([(5.0, 5.0), ()], told=4.0) == (0.0, [0.0, 0.0])


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
    assert policy.draws(np.zeros((arms, policy.width())), 0) == draws
    assert policy._replace(optimism=0.0).draws(np.zeros((arms, policy.width())), 0) == 1


def spent_after(rewards, step, horizon, policy=None):
    """The share of their draws that arms no longer have, with so many rewards at such a step of a run."""
    policy = policy or rb.NGTS()
    state, run = np.zeros((2, policy.width())), contract.new_context(horizon)
    play.begin_step(run, step)
    for reward in range(rewards):
        moments.add(state, reward % 2, float(reward % 7))
    run[contract.TOLD] = rewards
    policy.look(state, run)
    assert (state[:, SPENT] == state[0, SPENT]).all()
    return state[0, SPENT]


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
    state, run = contract.new_state(policy, 3), contract.new_context(200.0)
    rng = np.random.default_rng(4)
    for step in range(1, 201):
        play.begin_step(run, step)
        k = (step - 1) if step <= 3 else play.choose(policy, state, run, RISK, rng, np.zeros(3, int))
        play.note_reward(policy, state, k, run, rng.normal(0.1 * k))
        least, most = (1 - (1 - at / 200) ** 3 for at in (step / 1.125 - 1, step))
        assert least - 1e-9 <= state[0, SPENT] <= most + 1e-9


def test_scores_are_never_below_the_value_of_the_estimates():
    state, run, risk = np.array([[30.0, 0.2, 9.0, 0.3, 0.6]] * 3), contract.new_context(100.0), rb.MeanVariance(1.0)
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
    """Scores at rho = 1 by the textbook: the best of so many draws, one of them with what is more than a whole number."""
    count, mean, squares, unit = row[:4]
    best = np.full(size, mean - (squares + unit) / count)
    for number in range(math.ceil(draws)):
        variance = (squares + unit) / rng.chisquare(count, size)
        drawn = rng.normal(mean, np.sqrt(variance / count)) - variance
        best = np.where(rng.random(size) < draws - number, np.maximum(best, drawn), best)
    return best


@pytest.mark.parametrize("spent", [0.0, 0.9, 0.99, 0.999])
def test_a_sleeper_wakes_as_often_as_the_best_of_its_draws_says(spent):
    """28.3, 2.8, 0.28 and 0.028 draws: kept proposals, and scores drawn directly, against the textbook."""
    policy, risk, size, threshold = rb.NGTS(), rb.MeanVariance(1.0), 40_000, 0.13
    state, run = np.array([[30.0, 0.2, 9.0, 0.3, spent]] * 3), contract.new_context(100.0)
    rng, cells, bounds = np.random.default_rng(8), np.zeros((3, ENVELOPE_CELLS)), policy.bounds(risk)
    expected = best_draws(state[0], policy.draws(state, 0), rng)
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
    state, run = np.zeros((10, rb.NGTS().width())), contract.new_context(100.0)
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


@pytest.mark.parametrize("policy", [rb.NGTS(), rb.NGTS.honda_takemura(), rb.SwitchingAware()])
def test_the_unit_of_the_rewards_does_not_matter(policy):
    """The same run in euros and in 1/128 of them: powers of two leave every digit as it is."""
    pulls = []
    for unit in (1.0, 128.0):
        state, run = np.zeros((2, contract.width(policy))), contract.new_context(300.0)
        rng, rewards = np.random.default_rng(1), np.random.default_rng(2)
        chosen = []
        for step in range(1, 200):
            play.begin_step(run, step)
            first = contract.first_pulls(policy)
            forced = (step - 1) // first if step <= 2 * first else None
            risk = rb.MeanVariance(unit * 0.5)
            k = play.choose(policy, state, run, risk, rng, np.zeros(2, int)) if forced is None else forced
            play.note_reward(policy, state, k, run, unit * rewards.normal(0.3 * k, 0.2 + 0.3 * k))
            chosen.append(k)
        pulls.append(chosen)
    assert pulls[0] == pulls[1]


@pytest.mark.parametrize(
    ("policy", "row", "stream"),
    [(rb.NGTS(), [30.0, 0.2, 9.0, 0.3, 0.7], 0.5), (rb.BMVTS(), [30.0, 17.0], 0.85)],  # moments, unit, draws; pulls, successes
)
def test_a_sleeper_wakes_as_often_as_its_charged_score_says(policy, row, stream):
    """The rate of kept proposals, and their distribution, against scores that are drawn directly."""
    aware, state, run = rb.SwitchingAware(policy), np.array([row] * 3), contract.new_context(100.0)
    charged, free = (ChargedMeanVariance(1.0, weight, stream) for weight in (0.8, 0.0))
    rng, envelope, draws = np.random.default_rng(5), np.zeros((3, ENVELOPE_CELLS)), 20_000
    scores = np.array([aware.score(state, 0, run, charged, rng) for _ in range(2 * draws)])
    threshold = np.quantile(scores, 0.95)
    bounds = aware.bounds(RISK)
    mass = bounds.tail(state, 0, threshold, charged, envelope)
    assert 0.05 < mass < 1.0
    woken, without = (
        np.array([bounds.draw_above(state, 0, threshold, risk, envelope, rng) for _ in range(draws)])
        for risk in (charged, free)
    )
    error = np.sqrt(0.05 * 0.95 / (2 * draws) + mass * 0.05 / draws)
    assert abs(mass * np.mean(~np.isnan(woken)) - 0.05) < 4 * error
    assert mass * np.mean(~np.isnan(without)) - 0.05 > 4 * error  # what a sleeper that knew of no charge would do
    assert stats.ks_2samp(woken[~np.isnan(woken)], scores[scores >= threshold]).pvalue > 1e-3
