"""Regions of leaps: the exponential bounds by themselves, and leaders that are walked from where a region was set."""

import math

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.bounds import regions
from riskbandits.bounds.contract import BOUND_CELLS, region
from riskbandits.numerics import lundberg
from riskbandits.policies.support.contract import bounds_of, new_run, new_state

WALKS, STEPS = 10_000, 300


def test_the_constants_of_a_region():
    """What the proof rests on: five borders, each passed with a fifth of 1e-18."""
    assert regions.LEAVING == 1e-18
    assert 5.0 * math.exp(-regions.LOG_EACH) == pytest.approx(1e-18, rel=1e-9)
    assert lundberg.LESS < 1.0


@pytest.mark.parametrize("variance", [0.05, 1.0, 30.0])
@pytest.mark.parametrize("over", [1e-6, 0.01, 0.5, 3.0, 20.0, 100.0])
def test_exponents_of_normal_rewards(variance, over):
    """E exp(r Y) <= 1, and not much less: ln of it in closed form."""
    r = lundberg.normal_squares(variance, variance * (1.0 + over))
    log_mean = -0.5 * math.log1p(-2.0 * r * variance) - r * variance * (1.0 + over)
    assert -1e-4 * (1.0 + over) < log_mean <= 0.0 or over > 10.0
    slack = over * math.sqrt(variance)
    r = lundberg.normal_below(variance, slack)
    assert 0.5 * r * r * variance - r * slack <= 0.0


@pytest.mark.parametrize("p", [0.001, 0.3, 0.5, 0.97])
@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_exponents_of_rewards_0_and_1(p, side):
    arms = rb.BernoulliArms([p])
    for slack in (1e-7, 1e-3, 0.02, 0.2, 0.9):
        r = arms.mean_exponent(0, slack, side)
        ups = (side * (1.0 - p) - slack, -side * p - slack)
        assert (r == math.inf and max(ups) <= 0.0) or mean_exp(r, p, *ups) <= 1.0 + 1e-15
    for over in (1e-6, 0.01, 0.1, 1.0):
        level = p * (1.0 - p) + over
        r = arms.square_exponent(0, level)
        ups = ((1.0 - p) ** 2 - level, p * p - level)
        assert (r == math.inf and max(ups) <= 0.0) or mean_exp(r, p, *ups) <= 1.0 + 1e-15


def mean_exp(r, p, at_1, at_0):
    assert r > 0.0
    return 1.0 + p * math.expm1(r * at_1) + (1.0 - p) * math.expm1(r * at_0)


@pytest.mark.parametrize("level", [0.1, 0.01, 0.001])
@pytest.mark.parametrize("kind", ["mean", "squares", "successes"])
def test_lines_are_crossed_as_seldom_as_the_bound_says(kind, level):
    """And hardly more seldom: with exponents twice as large the bound would be wrong."""
    rng = np.random.default_rng(7)
    if kind == "mean":
        steps, r = -rng.standard_normal((WALKS, STEPS)) - 0.3, lundberg.normal_below(1.0, 0.3)
    elif kind == "squares":
        steps, r = rng.standard_normal((WALKS, STEPS)) ** 2 - 1.5, lundberg.normal_squares(1.0, 1.5)
    else:
        steps = 0.3 - (rng.random((WALKS, STEPS)) < 0.3) - 0.1
        r = rb.BernoulliArms([0.3]).mean_exponent(0, 0.1, -1.0)
    highest = np.cumsum(steps, axis=1, out=steps).max(axis=1)
    crossed = (highest >= -math.log(level) / r).mean()
    error = math.sqrt(level / WALKS)
    assert crossed <= level + 4.0 * error
    assert crossed > 0.4 * level - 4.0 * error
    assert (highest >= -math.log(level) / (2.0 * r)).mean() > level + 4.0 * error


GAUSSIAN = rb.GaussianArms([0.4, 0.0], [0.3, 0.3])
BERNOULLI = rb.BernoulliArms([0.7, 0.2])
POLICIES = {
    "MVTS": (rb.MVTS(), GAUSSIAN),
    "MTS": (rb.MTS(), GAUSSIAN),
    "VTS": (rb.VTS(), GAUSSIAN),
    "NGTS": (rb.NGTS.paper(), GAUSSIAN),
    "MVTS, rewards 0 and 1": (rb.MVTS(), BERNOULLI),
    "BMVTS": (rb.BMVTS(), BERNOULLI),
}


def walked(name, narrow, paths=150, before=60, steps=60):
    """How many of the leaders left their region while they were walked on."""
    policy, arms = POLICIES[name]
    risk = rb.MeanVariance(1.0)
    bounds, rng, left = bounds_of(policy, risk), np.random.default_rng(3), 0
    for _ in range(paths):
        state, run, cells = new_state(policy, 2), new_run(1e6), np.zeros((2, BOUND_CELLS))
        for _ in range(before):
            policy.learn(state, 0, run, arms.draw(0, rng))
        if narrow:
            bounds.watch(state, 0, risk, 2.5, cells)
        else:
            floor, mass = region(bounds, state, 0, risk, 2.5, cells, arms, run, 1e6)
            assert math.isfinite(floor)
            assert mass < 0.05
        steady = True
        for _ in range(steps):
            policy.learn(state, 0, run, arms.draw(0, rng))
            steady = steady and bounds.steady(state, 0, risk, cells)
        left += not steady
    return left


@pytest.mark.parametrize("name", POLICIES)
def test_leaders_stay_in_their_regions_and_leave_those_of_walks(name):
    assert walked(name, narrow=False) == 0
    if name != "NGTS":  # whose walks have none
        assert walked(name, narrow=True) > 10


def test_certain_rewards_need_no_margin():
    arms = rb.GaussianArms([2.0], [0.0])
    assert regions.mean_level(2.0, 5.0, arms, 0, -1.0) == 2.0
    assert regions.mean_level(1.5, 5.0, arms, 0, -1.0) == 1.5
    assert regions.variance_level(2.0, 5.0, 3.0, 0.5, arms, 0) == pytest.approx(0.5 / 3.0)


def test_arms_with_equal_rewards_and_no_prior_variance_have_one_score():
    """So such a leader never dips, and a sleeper below the floor never wakes."""
    policy, risk, arms = rb.NGTS.honda_takemura(), rb.MeanVariance(2.0), rb.GaussianArms([3.0, 1.0], [0.0, 0.0])
    bounds, run, rng = bounds_of(policy, risk), new_run(1e6), np.random.default_rng(3)
    state, cells = new_state(policy, 2), np.zeros((2, BOUND_CELLS))
    for k in (0, 1):
        for _ in range(5):
            policy.learn(state, k, run, arms.draw(k, rng))
    assert region(bounds, state, 0, risk, 2.5, cells, arms, run, 1e6) == (6.0, 0.0)
    assert bounds.steady(state, 0, risk, cells)
    assert bounds.watch(state, 0, risk, 2.5, cells)[0] == 6.0
    assert bounds.tail(state, 1, 6.0, risk, cells) == 0.0
    assert bounds.tail(state, 1, 2.0, risk, cells) == 1.0
