"""The charge for switching: its formula, its guesses, what may be wrapped, and what it is for."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from scipy import stats

import riskbandits as rb
from riskbandits import metrics
from riskbandits.bounds.contract import BOUND_CELLS
from riskbandits.core.errors import RiskBanditsError
from riskbandits.numerics import moments
from riskbandits.numerics.moments import MEAN
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
    state, run = np.zeros((2, contract.width(policy))), contract.new_run(horizon)
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


@pytest.mark.parametrize("policy", [rb.NGTS(), rb.NGTS.honda_takemura(), rb.SwitchingAware()])
def test_the_unit_of_the_rewards_does_not_matter(policy):
    """The same run in euros and in 1/128 of them: powers of two leave every digit as it is."""
    pulls = []
    for unit in (1.0, 128.0):
        state, run = np.zeros((2, contract.width(policy))), contract.new_run(300.0)
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
    [
        (rb.NGTS(), [30.0, 0.2, 9.0, 0.3, 0.7], 0.5),  # moments, unit, draws
        (rb.BMVTS(), [30.0, 17.0], 0.85),  # pulls, successes
    ],
)
def test_a_sleeper_wakes_as_often_as_its_charged_score_says(policy, row, stream):
    """The rate of kept proposals, and their distribution, against scores that are drawn directly."""
    aware, state, run = rb.SwitchingAware(policy), np.array([row] * 3), contract.new_run(100.0)
    charged, free = (ChargedMeanVariance(1.0, weight, stream) for weight in (0.8, 0.0))
    rng, envelope, draws = np.random.default_rng(5), np.zeros((3, BOUND_CELLS)), 20_000
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
