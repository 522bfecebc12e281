"""Policies in other measures than the mean-variance, against slow twins: pulls and regret, in the mean and the tails.

The package's side runs in plain Python, the same lines that are compiled elsewhere: a kernel per policy, measure and
family would take longer to compile than all of this takes to run.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

import naive
import riskbandits as rb
from comparing import complaints
from riskbandits import metrics
from riskbandits.core.errors import RefusalError
from riskbandits.policies.support import contract, play
from riskbandits.simulation.methods import resolve_method
from riskbandits.simulation.runner import Job, run_in_plain_python

GAUSSIAN = rb.GaussianArms([0.1, 0.5, 0.9], [0.05, 0.3, 1.5])
BETA = rb.BetaArms([3.0, 6.0, 2.0], [2.0, 3.0, 0.7])
BERNOULLI = rb.BernoulliArms([0.3, 0.6, 0.75])
MARKS = rb.DataArms([0.0, 2.0, 2.0, 1.0, 1.0, 2.0, 1.0, 0.0, 2.0], [3, 6, 9])


class Downside(NamedTuple):
    """Semivariance as a user would write it: two methods, in a file of one's own."""

    target: float = 0.5

    def value(self, mean, variance):
        return rb.Semivariance(self.target).value(mean, variance)

    def sample_value(self, values, weights):
        total = 0.0
        short = 0.0
        for i in range(values.shape[0]):
            total += weights[i]
            short += weights[i] * max(0.0, self.target - values[i]) ** 2
        return -short / total


CASES = {
    "MVTS CVaR": (rb.MVTS(), GAUSSIAN, rb.CVaR(0.2), naive.gaussian_thompson(naive.gaussian_cvar(0.2)), 1, 60),
    "MVTS Sharpe": (
        rb.MVTS(),
        GAUSSIAN,
        rb.Sharpe(0.5, 2.0),
        naive.gaussian_thompson(lambda m, v: m / (0.5 + 2 * v)),
        1,
        80,
    ),
    "NGTS Entropic": (
        rb.NGTS.paper(),
        GAUSSIAN,
        rb.Entropic(1.5),
        naive.normal_gamma_thompson(lambda m, v: m - 0.75 * v),
        1,
        80,
    ),
    "BMVTS CVaR": (
        rb.BMVTS(),
        BERNOULLI,
        rb.CVaR(0.5),
        naive.beta_thompson(lambda p: np.maximum(0, (p - 0.5) / 0.5)),
        0,
        80,
    ),
    "BMVTS Entropic": (
        rb.BMVTS(),
        BERNOULLI,
        rb.Entropic(2.0),
        naive.beta_thompson(lambda p: -np.log(1 - p + p * np.exp(-2)) / 2),
        0,
        80,
    ),
    "NPTS MeanVariance": (rb.NPTS(), BETA, rb.MeanVariance(1.0), naive.npts(naive.mean_variance(1.0), [1.0]), 1, 40),
    "NPTS Downside": (rb.NPTS(), BETA, Downside(0.6), naive.npts(naive.semivariance(0.6), [1.0]), 1, 40),
    "NPTS anchor-free": (rb.NPTS.anchor_free(), GAUSSIAN, rb.CVaR(0.3), naive.npts(naive.cvar(0.3), []), 2, 40),
    "NPTS VaR": (rb.NPTS(), BERNOULLI, rb.ValueAtRisk(0.3), naive.npts(naive.quantile(0.3), [1.0]), 1, 40),
    "BCVTS": (rb.BCVTS(), BETA, rb.CVaR(0.2), naive.npts(naive.cvar(0.2), [1.0]), 1, 40),
    "MCVTS": (rb.MCVTS([0, 1, 2]), MARKS, rb.CVaR(0.4), naive.npts(naive.cvar(0.4), [0.0, 1.0, 2.0]), 1, 40),
}
RUNS = 150


def ours(policy, arms, risk, horizon):
    problem = rb.Problem(arms, risk)
    trace = run_in_plain_python(Job("policy", policy, problem, np.array([horizon // 2, horizon]), RUNS, 12, "plain"))
    return problem, trace


def differences(policy, arms, risk, index, first_pulls, horizon):
    problem, trace = ours(policy, arms, risk, horizon)
    twin = naive.Twin(naive.draws_of(problem.arms), problem.means, problem.variances, 0.0, horizon, 1500, 99)
    twin.play(index, first_pulls)
    found = []
    for c, step in enumerate((horizon // 2, horizon)):
        regret = metrics.regret(trace)[:, c]
        if not problem.charges_switching:
            found += complaints(f"regret at {step}", regret, twin.pulls(step) @ problem.gaps)
    for k in range(problem.size):
        found += complaints(f"pulls of {k}", trace.pulls[:, k].astype(float), twin.pulls(horizon)[:, k].astype(float))
    return found


# One of each kind; `make test-full` runs the others too.
KEPT = ("MVTS CVaR", "BMVTS CVaR", "NPTS Downside", "NPTS anchor-free", "BCVTS", "MCVTS")


@pytest.mark.parametrize("name", [one if one in KEPT else pytest.param(one, marks=pytest.mark.full) for one in CASES])
def test_against_the_textbook(name):
    assert not differences(*CASES[name])


def test_a_gaussian_with_the_moments_of_a_coin_is_not_a_coin():
    """What a policy for Bernoulli arms would do if it valued drawn moments: the twins tell it apart."""
    policy, arms, risk, _, first, horizon = CASES["BMVTS CVaR"]
    gaussian = naive.gaussian_cvar(0.5)
    wrong = naive.beta_thompson(lambda p: gaussian(p, p * (1 - p)))
    assert differences(policy, arms, risk, wrong, first, horizon)


def test_a_missing_anchor_is_noticed():
    policy, arms, risk, _, first, horizon = CASES["BCVTS"]
    assert differences(policy, arms, risk, naive.npts(naive.cvar(0.2), []), first, horizon)


def test_without_an_anchor_an_arm_with_two_bad_rewards_is_never_played_again():
    """A weighted sample is worth no more than its best reward: on Gaussian arms regret is linear now and then."""
    policy, risk, rng = rb.NPTS.anchor_free(), rb.MeanVariance(10.0), np.random.default_rng(1)
    state, run = contract.new_state(policy, 2), contract.new_run(1e6, policy, 2, 400)
    for arm, reward in ((0, -1.0), (1, 0.5), (0, -0.5), (1, 0.6)):
        play.note_reward(policy, state, arm, run, reward)
    for step in range(5, 300):
        play.begin_step(run, step)
        assert play.choose(policy, state, run, risk, rng, np.zeros(2, dtype=np.int64)) == 1
        play.note_reward(policy, state, 1, run, rng.normal(0.5, 0.1))


def test_gaussian_entropic_thompson_sampling_is_mean_variance_thompson_sampling():
    _, entropic = ours(rb.MVTS(), GAUSSIAN, rb.Entropic(1.5), 60)
    _, mean_variance = ours(rb.MVTS(), GAUSSIAN, rb.MeanVariance(2 / 1.5), 60)
    for k in range(3):
        pulls = entropic.pulls[:, k].astype(float), mean_variance.pulls[:, k].astype(float)
        assert not complaints(f"pulls of {k}", *pulls)


def test_lazy_methods_serve_mean_variance_only():
    for policy in (rb.MTS(), rb.VTS(), rb.MVTS(), rb.BMVTS()):
        assert resolve_method(policy, "auto", rb.MeanVariance(1.0)) == "lazy"
        for risk in (rb.Variance(), rb.Mean(), rb.CVaR(0.1), rb.Sharpe(), rb.Entropic(), Downside()):
            assert resolve_method(policy, "auto", risk) == "plain"
    assert resolve_method(rb.NPTS(), "auto", rb.MeanVariance(1.0)) == "plain"


REFUSALS = [
    (rb.NPTS(), GAUSSIAN, rb.Mean(), r"NPTS needs rewards up to its anchor, 1, .* use NPTS.anchor_free\(\)"),
    (rb.NPTS(anchor=0.5), BETA, rb.Mean(), "anchor, 0.5"),
    (rb.BCVTS(), BETA, rb.MeanVariance(1.0), "BCVTS is defined for CVaR only. Got MeanVariance"),
    (rb.BCVTS(), rb.PoissonArms([1.0]), rb.CVaR(0.1), "BCVTS needs rewards up to 1.*those of PoissonArms reach inf"),
    (rb.MCVTS(), BETA, rb.CVaR(0.1), "MCVTS needs arms whose rewards are in its support. BetaArms pay other rewards"),
    (rb.MVLCB(), GAUSSIAN, rb.Sharpe(), "MVLCB is defined for MeanVariance only. Got Sharpe"),
    (rb.IMEDMV(), GAUSSIAN, rb.CVaR(0.1), "IMEDMV is defined for MeanVariance only. Got CVaR"),
    (rb.BMVTS(), BETA, rb.CVaR(0.1), "BMVTS needs arms whose rewards are 0 or 1. BetaArms pay other rewards"),
]


@pytest.mark.parametrize("case", range(len(REFUSALS)))
def test_refusals(case):
    policy, arms, risk, words = REFUSALS[case]
    with pytest.raises(RefusalError, match=words):
        rb.simulate(rb.Problem(arms, risk), [policy], horizon=5, runs=1, progress=False)


def test_a_measure_of_ones_own_is_valued_like_the_built_in_one():
    for arms in (GAUSSIAN, BETA, BERNOULLI, MARKS, rb.StudentTArms([0.0, 0.5], [1.0, 1.0], [4.0, 5.0])):
        own, built_in = rb.Problem(arms, Downside(0.6)), rb.Problem(arms, rb.Semivariance(0.6))
        np.testing.assert_allclose(own.values, built_in.values, rtol=1e-4, atol=1e-6)
        assert own.best_arm == built_in.best_arm
