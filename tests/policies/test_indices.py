"""Indices by hand: one row of state, one number."""

from __future__ import annotations

import math

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.policies.support import contract, play

RISK = rb.MeanVariance(rho=2.0)


class Fixed:
    """A generator whose draws are known."""

    def __init__(self, normal=0.0, uniform=0.5):
        self.normal, self.uniform = normal, uniform

    def standard_normal(self):
        return self.normal

    def random(self):
        return self.uniform


def scored(policy, rewards, step=50, horizon=400.0, rng=None):
    state = np.zeros((1, contract.width(policy)))
    run = contract.new_run(horizon)
    for reward in rewards:
        play.note_reward(policy, state, 0, run, reward)
    play.begin_step(run, step)
    return policy.score(state, 0, run, RISK, rng or Fixed())


REWARDS = (1.0, 2.0, 6.0)  # m = 3, v = 14/3, T = 3
VALUE = 2 * 3 - 14 / 3


def test_mts():
    assert scored(rb.MTS(), REWARDS, rng=Fixed(normal=1.5)) == pytest.approx(2 * (3 + 1.5 / math.sqrt(3)) - 14 / 3)
    assert scored(rb.MTS.printed(), REWARDS) == pytest.approx(2 * 3 - (1 + 14))


def gamma_at_zero(shape):
    """What Marsaglia and Tsang's method gives when its normal draw is 0: the squeeze accepts d = shape - 1/3."""
    return shape - 1 / 3


def test_vts_and_mvts():
    drawn = (0.5 + 7.0) / gamma_at_zero(0.5 + 1.5)
    assert scored(rb.VTS(), REWARDS) == pytest.approx(2 * 3 - drawn)
    assert scored(rb.MVTS(), REWARDS) == pytest.approx(2 * 3 - drawn)
    own = (2.0 + 7.0) / gamma_at_zero(3.0 + 1.5)
    assert scored(rb.MVTS(shape=3.0, rate=2.0), REWARDS) == pytest.approx(2 * 3 - own)


def test_bmvts():
    a, b = gamma_at_zero(1 + 2), gamma_at_zero(1 + 1)
    theta = a / (a + b)
    assert scored(rb.BMVTS(), (1.0, 0.0, 1.0)) == pytest.approx(2 * theta - theta * (1 - theta))


@pytest.mark.parametrize(
    ("policy", "bonus"),
    [
        (rb.MVLCB.authors(), math.sqrt(1.5) * 4 * math.sqrt(math.log(50) / 3)),
        (rb.MVLCB.sani(), 7 * math.sqrt(math.log(400**2) / 6)),
        (rb.MVLCB.vakili(), 4 * math.sqrt(3 / 0.5) * math.sqrt(math.log(50) / 3)),
        (rb.MVLCB.vakili(a=2.0), math.sqrt(1.5) * 4 * math.sqrt(math.log(50) / 3)),
    ],
)
def test_mv_lcb(policy, bonus):
    assert scored(policy, REWARDS) == pytest.approx(VALUE + bonus)


def f(p):
    return 2 * p - p * (1 - p)


@pytest.mark.parametrize(
    ("policy", "index"),
    [
        (rb.BernoulliLCB.authors(), f(3 / 4) + math.sqrt(6) * 4 * math.sqrt(math.log(50) / 4)),
        (rb.BernoulliLCB.sani(), f(2 / 3) + 7 * math.sqrt(math.log(400**2) / 6)),
        (rb.BernoulliLCB.tight(), f(2 / 3) + 3 * math.sqrt(2 * math.log(50) / 3)),
    ],
)
def test_bernoulli_lcb(policy, index):
    assert scored(policy, (1.0, 0.0, 1.0)) == pytest.approx(index)


def test_exp_exp_explores_in_rounds_then_commits_for_ever():
    problem = rb.problems.zhu_tan_gaussian(1)
    horizon = 600
    quota = math.ceil((horizon / 14) ** (2 / 3))
    pulls = rb.simulate(problem, [rb.ExpExp()], horizon=horizon, runs=20, progress=False).pulls("ExpExp")
    for run in pulls:
        assert sorted(run)[:-1] == [quota] * 14
        assert run.max() == horizon - 14 * quota


def test_mv_dsee_explores_as_often_as_it_says():
    problem = rb.problems.zhu_tan_gaussian(1)
    pulls = rb.simulate(problem, [rb.MVDSEE(weight=3.0)], horizon=2000, runs=10, progress=False).traces[0].pulls
    assert (pulls.min(axis=1) == math.ceil(3 * math.log(2000))).all()


def test_uniform_random_is_uniform():
    pulls = rb.simulate(rb.problems.zhu_tan_gaussian(1), [rb.UniformRandom()], horizon=3000, runs=50, progress=False)
    counts = pulls.pulls("UniformRandom").sum(axis=0)
    expected = 3000 * 50 / 15
    assert ((counts - expected) ** 2 / expected).sum() < 36.1  # chi-square with 14 degrees of freedom, 0.1 %
