"""Every policy against its slow twin: means, quantiles and distributions of all regrets and of pulls per arm."""

from __future__ import annotations

import math
from typing import NamedTuple

import pytest

import naive
import riskbandits as rb
from comparing import complaints
from riskbandits import metrics
from riskbandits.numerics import moments
from riskbandits.numerics.moments import COUNT, MEAN, SQUARES
from riskbandits.numerics.variates import gamma

RUNS = 2000
HORIZON = 300
CHECKPOINTS = (40, 150, 300)
RHOS = (0.001, 1.0, 50.0)
MEANS = (0.1, 0.5, 0.45, 0.9)
VARIANCES = (0.05, 0.3, 0.2, 0.8)
PROBABILITIES = (0.15, 0.4, 0.7, 0.85)

GAUSSIAN = [
    (rb.MTS(), naive.mts, 1),
    (rb.MTS.printed(), naive.mts_printed, 1),
    (rb.VTS(), naive.vts, 1),
    (rb.MVTS(), naive.mvts, 1),
    (rb.NGTS(), naive.ngts, 1),
    (rb.NGTS.paper(), naive.ngts_paper, 1),
    (rb.NGTS.honda_takemura(), naive.ngts_honda_takemura, 4),
    (rb.IMEDMV(), naive.imed, 3),
    (rb.KLUCBMV(), naive.kl_ucb, 3),
    (rb.MVLCB.authors(), naive.mvlcb_authors, 1),
    (rb.MVLCB.sani(), naive.mvlcb_sani, 1),
    (rb.MVLCB.vakili(), naive.mvlcb_vakili, 1),
    (rb.ExpExp(), naive.exp_exp, 0),
    (rb.MVDSEE(), naive.mv_dsee, 1),
    (rb.UniformRandom(), naive.uniform_random, 0),
    (rb.SwitchingAware(), naive.switching_aware, 1),
    (rb.SwitchingAware.imed(), naive.switching_aware_imed, 3),
    (rb.SwitchingAware(rb.KLUCBMV()), naive.switching_aware_kl_ucb, 3),
]
BERNOULLI = [
    (rb.BMVTS(), naive.bmvts, 0),
    (rb.IMEDMV.bernoulli(), naive.imed_bernoulli, 1),
    (rb.KLUCBMV.bernoulli(), naive.kl_ucb_bernoulli, 1),
    (rb.BernoulliLCB.authors(), naive.bernoulli_lcb_authors, 0),
    (rb.BernoulliLCB.sani(), naive.bernoulli_lcb_sani, 1),
    (rb.BernoulliLCB.tight(), naive.bernoulli_lcb_tight, 1),
    (rb.SwitchingAware.bernoulli(), naive.switching_aware_bernoulli, 0),
]


# Twins that bisect at every step, or that differ from another one by a constant: at one rho in every test run, at the
# others in `make test-full`.
RARELY = ("kl_ucb", "kl_ucb_bernoulli", "mvlcb_sani", "mvlcb_vakili", "exp_exp", "mv_dsee")
RARELY += ("switching_aware_imed", "switching_aware_bernoulli", "ngts_honda_takemura", "mts_printed", "uniform_random")
RARELY += ("ngts_paper", "bernoulli_lcb_sani", "bernoulli_lcb_tight")
# Two policies in one, each with its own twin in every test run; this one bisects with all arms charged.
NEVER_BY_DEFAULT = ("switching_aware_kl_ucb",)


def cells(policies, rhos):
    for policy, index, first_pulls in policies:
        for rho in rhos:
            rare = index.__name__ in NEVER_BY_DEFAULT or (index.__name__ in RARELY and rho != rhos[1])
            name = f"{index.__name__}-{rho:g}"
            yield pytest.param(policy, index, first_pulls, rho, marks=[pytest.mark.full] if rare else [], id=name)


def problem_of(kind, rho):
    arms = rb.GaussianArms(MEANS, VARIANCES) if kind == "gaussian" else rb.BernoulliArms(PROBABILITIES)
    return rb.Problem(arms, rb.MeanVariance(rho))


# Twins that bisect at every step of every run.
FEWER_RUNS = {naive.kl_ucb: 250, naive.kl_ucb_bernoulli: 250, naive.switching_aware_kl_ucb: 250}


def twin_of(kind, problem, index, first_pulls):
    draw = naive.gaussian(problem.means, problem.variances) if kind == "gaussian" else naive.bernoulli(problem.means)
    twin = naive.Twin(
        draw, problem.means, problem.variances, problem.risk.rho, HORIZON, FEWER_RUNS.get(index, RUNS), 99
    )
    return twin.play(index, first_pulls)


def differences(problem, policy, twin) -> list[str]:
    result = rb.simulate(
        problem, [policy], horizon=HORIZON, runs=RUNS, seed=12, checkpoints=CHECKPOINTS, progress=False
    )
    trace = result.traces[0]
    found = []
    for c, step in enumerate(CHECKPOINTS):
        for name in ("regret", "pseudo_regret", "exact_pseudo_regret"):
            ours = getattr(metrics, name)(trace)[:, c]
            found += complaints(f"{name} at {step}", ours, getattr(twin, name)(step))
    for k in range(problem.size):
        found += complaints(
            f"pulls of arm {k}", trace.pulls[:, k].astype(float), twin.pulls(HORIZON)[:, k].astype(float)
        )
    return found


@pytest.mark.parametrize(("policy", "index", "first_pulls", "rho"), [*cells(GAUSSIAN, RHOS)])
def test_gaussian(policy, index, first_pulls, rho):
    problem = problem_of("gaussian", rho)
    assert not differences(problem, policy, twin_of("gaussian", problem, index, first_pulls))


@pytest.mark.parametrize(("policy", "index", "first_pulls", "rho"), [*cells(BERNOULLI, (0.1, 0.6, 2.0))])
def test_bernoulli(policy, index, first_pulls, rho):
    problem = problem_of("bernoulli", rho)
    assert not differences(problem, policy, twin_of("bernoulli", problem, index, first_pulls))


class WrongDeviation(NamedTuple):
    """MVTS with a standard deviation of 1/T: the slip of public re-implementations."""

    def score(self, state, k, run, risk, rng):
        mean = state[k, MEAN] + rng.standard_normal() / state[k, COUNT]
        return risk.value(mean, (0.5 + 0.5 * state[k, SQUARES]) / gamma(rng, 0.5 + 0.5 * state[k, COUNT]))

    def learn(self, state, k, run, reward):
        moments.add(state, k, reward)

    def first_pulls(self):
        return 1


class WrongRate(NamedTuple):
    """MVTS with the rate of the gamma distribution 10 % off."""

    def score(self, state, k, run, risk, rng):
        mean = state[k, MEAN] + rng.standard_normal() / math.sqrt(state[k, COUNT])
        return risk.value(mean, 1.1 * (0.5 + 0.5 * state[k, SQUARES]) / gamma(rng, 0.5 + 0.5 * state[k, COUNT]))

    def learn(self, state, k, run, reward):
        moments.add(state, k, reward)

    def first_pulls(self):
        return 1


@pytest.mark.parametrize("mutant", [WrongDeviation(), WrongRate()])
def test_a_wrong_scale_in_one_draw_is_noticed(mutant):
    problem = problem_of("gaussian", 1.0)
    assert differences(problem, mutant, twin_of("gaussian", problem, naive.mvts, 1))


def test_the_guessing_form_does_not_look_at_the_horizon():
    problem = rb.Problem(rb.GaussianArms([0.0, 1.0], [0.1, 1.15]), rb.MeanVariance(1.0))  # a near tie of distant means
    policy = rb.SwitchingAware.guessing()
    assert not differences(problem, policy, twin_of("gaussian", problem, naive.switching_aware_anytime, 2))
    assert differences(problem, policy, twin_of("gaussian", problem, naive.switching_aware, 1))


def test_the_printed_form_of_mts_fails():
    problem = rb.problems.zhu_tan_gaussian(rho=1)
    policies = [rb.MTS(), rb.MTS.printed()]
    table = rb.simulate(problem, policies, horizon=30_000, runs=40, seed=3, progress=False).table()
    at_end = table[table.step == 30_000].set_index("policy")
    assert at_end.exact_pseudo_regret_mean["MTS:printed"] > 5 * at_end.exact_pseudo_regret_mean["MTS"]
