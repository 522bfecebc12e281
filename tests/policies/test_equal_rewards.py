"""Arms whose rewards were all equal, which Thompson sampling must not shut out: against slow twins, plain and lazy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import naive
import riskbandits as rb
from comparing import complaints
from riskbandits import metrics
from riskbandits.bounds.contract import BOUND_CELLS, lasting_region
from riskbandits.numerics.moments import COUNT, MEAN, SQUARES
from riskbandits.policies.support import contract, play

RUNS, HORIZON = 2000, 300
# The constant arm comes last, since twins expect the first two to show a variance.
BEST = (-0.4, -0.5, -0.8, 0.0), (0.05, 0.3, 0.2, 0.0)
WORST = (0.5, 0.9, 0.75, 0.0), (0.05, 0.3, 0.2, 0.0)
HALF_LIFE = 40.0
CELLS = {
    "NGTS": (rb.NGTS(), lambda: naive.ngts),
    "SwitchingAware": (rb.SwitchingAware(), lambda: naive.switching_aware),
    "Discounted": (rb.Discounted(rb.NGTS(), HALF_LIFE), lambda: naive.faded(naive.ngts_with_units, HALF_LIFE, 2, True)),
    "Discounted charged": (
        rb.Discounted(half_life=HALF_LIFE),
        lambda: naive.faded(naive.switching_aware_with_units, HALF_LIFE, 2, True),
    ),
}
PRICES = rb.Problem(
    rb.GaussianMixtureArms([[0.8, 0.2], [0.95, 0.05]], [[0.0, 10.0], [0.0, 100.0]], [[0.0, 0.0], [0.0, 0.0]]),
    rb.MeanVariance(1000.0),
)


def differences(policy, index, arms, rho, method="auto"):
    problem = rb.Problem(rb.GaussianArms(*arms), rb.MeanVariance(rho))
    twin = naive.Twin(naive.gaussian(*arms), *arms, rho, HORIZON, RUNS, 99).play(index, 1)
    options = {"horizon": HORIZON, "runs": RUNS, "seed": 12, "checkpoints": (40, HORIZON), "progress": False}
    trace = rb.simulate(problem, [policy], method=method, **options).traces[0]
    found = []
    for c, step in enumerate((40, HORIZON)):
        found += complaints(
            f"regret at {step}", metrics.exact_pseudo_regret(trace)[:, c], twin.exact_pseudo_regret(step)
        )
    for k in range(4):
        found += complaints(
            f"pulls of arm {k}", trace.pulls[:, k].astype(float), twin.pulls(HORIZON)[:, k].astype(float)
        )
    return found


def cells():
    for name in CELLS:
        for where, arms in (("best", BEST), ("worst", WORST)):
            for rho in (0.02, 1.0, 30.0):
                usual = rho == 1.0 and (name == "NGTS" or (name, where) == ("SwitchingAware", "worst"))
                marks = [] if usual else [pytest.mark.full]
                yield pytest.param(name, arms, rho, marks=marks, id=f"{name}, a constant arm is {where}, rho={rho:g}")


@pytest.mark.parametrize(("name", "arms", "rho"), [*cells()])
def test_against_its_twin(name, arms, rho):
    policy, index = CELLS[name]
    assert not differences(policy, index(), arms, rho)


def test_counting_equal_rewards_as_evidence_on_the_variance_is_noticed(monkeypatch):
    """As it would be if nothing were said of them, by the twin."""
    told = naive.Twin.v
    monkeypatch.setattr(naive.Twin, "v", lambda self: np.maximum(told(self), 1e-300))
    assert differences(rb.NGTS(), naive.ngts, WORST, 30.0)


@pytest.mark.parametrize(("policy", "method"), [(rb.NGTS(), "plain"), (rb.SwitchingAware(), "lazy")])
def test_a_price_that_nobody_has_paid_yet_is_not_shut_out(policy, method):
    result = rb.simulate(PRICES, [policy], horizon=2000, runs=200, seed=4, method=method, progress=False)
    assert metrics.locked(result.traces[0]).mean() <= 0.02  # it was one run in two


@pytest.mark.parametrize("cost", [0.0, -0.5])
@pytest.mark.parametrize("policy", [rb.NGTS(), rb.SwitchingAware(), rb.Discounted(rb.NGTS(), half_life=300)], ids=str)
def test_while_all_arms_pay_the_same_they_are_all_played(policy, cost):
    """The first one never pays; by ties it would be played for ever, unless the other one sold at once."""
    arms = rb.GaussianMixtureArms([[1.0, 0.0], [0.8, 0.2]], [[cost, 10.0], [cost, 10.0]], [[0.0, 0.0], [0.0, 0.0]])
    problem = rb.Problem(arms, rb.MeanVariance(1000.0))
    result = rb.simulate(problem, [policy], horizon=400, runs=100, seed=4, progress=False)
    assert result.traces[0].pulls[:, 1].min() > 100


@pytest.mark.full
def test_inside_policies_that_forget():
    faded = rb.simulate(
        PRICES, [rb.Discounted(rb.NGTS(), half_life=1000)], horizon=2000, runs=60, seed=4, progress=False
    )
    assert metrics.locked(faded.traces[0]).mean() <= 0.1
    for arms in (BEST, WORST):
        problem = rb.Problem(rb.GaussianArms(*arms), rb.MeanVariance(1.0))
        found = rb.simulate(
            problem, [rb.NGTS(), rb.Restarting(rb.NGTS())], horizon=1000, runs=60, seed=4, progress=False
        )
        alone, restarting = (metrics.exact_pseudo_regret(trace)[:, -1].mean() for trace in found.traces)
        assert restarting < 1.3 * alone + 5.0


@pytest.mark.full
@pytest.mark.parametrize("policy", [rb.NGTS(), rb.SwitchingAware()])
def test_plain_and_lazy_agree(policy):
    """Sale or nothing, in which rows are equal for long and then no longer; and a constant arm that leads."""
    steady = rb.Problem(rb.GaussianArms([1.0, 0.3, 0.8], [0.0, 0.3, 0.2]), rb.MeanVariance(1.0))
    for problem in (PRICES, steady):
        pulls = [
            rb.simulate(problem, [policy], horizon=800, runs=800, seed=seed, method=method, progress=False)
            .traces[0]
            .pulls.astype(float)
            for seed, method in ((1, "plain"), (2, "lazy"), (3, "walk"))
        ]
        for other in pulls[1:]:
            for k in range(problem.size):
                assert stats.ks_2samp(pulls[0][:, k], other[:, k]).pvalue > 1e-3
                wobble = math.sqrt((pulls[0][:, k].var() + other[:, k].var()) / 800)
                assert abs(pulls[0][:, k].mean() - other[:, k].mean()) < 3.7 * wobble


def state_of(policy, rewards):
    state, run = contract.new_state(policy, len(rewards)), contract.new_run(math.inf)
    step = 0
    for k, own in enumerate(rewards):
        for reward in own:
            step += 1
            play.begin_step(run, step)
            play.note_reward(policy, state, k, run, reward)
    return state, run


REWARDS = [[0.1] * 40, [0.3, 0.9] * 20, [0.5, -0.4] * 20]


def test_draws_and_estimate():
    policy, risk, rng = rb.NGTS(), rb.MeanVariance(1.0), np.random.default_rng(3)
    state, _ = state_of(policy, REWARDS)
    assert state[0, SQUARES] == 0.0
    assert state[0, MEAN] == 0.1
    unit = state[0, 3]
    drawn = [policy.draw(state, 0, risk, rng) for _ in range(20_000)]
    variance = unit / rng.chisquare(1, 20_000)
    expected = rng.normal(0.1, np.sqrt(variance / 40)) - variance
    assert stats.ks_2samp(drawn, expected).pvalue > 1e-3
    assert policy.estimate(state, 0, risk) == 0.1 - 0.5 * unit / 20
    # With a single draw, or a prior of one's own, they are what they were.
    for other in (rb.NGTS(optimism=0.0), rb.NGTS.paper(), rb.NGTS.honda_takemura(), rb.NGTS(pooled=False)):
        assert not other.all_equal(state, 0)
    assert not policy.all_equal(state, 1)


def test_such_rows_have_no_bounds():
    policy, risk, cells = rb.NGTS(), rb.MeanVariance(1.0), np.zeros((3, BOUND_CELLS))
    state, _ = state_of(policy, REWARDS)
    bounds = policy.bounds(risk)
    assert bounds.tail(state, 0, 50.0, risk, cells) == 1.0
    assert bounds.charged_tail(state, 0, 50.0, 1.0, 0.5, 0.0, 1.0, cells) == 1.0
    assert bounds.tail(state, 1, 50.0, risk, cells) < 1e-9
    arms = rb.GaussianArms([0.1, 0.5, 0.3], [0.0, 0.1, 0.2])
    assert lasting_region(bounds, state, 0, risk, 3.0, cells, arms) == (-math.inf, 1.0)
    assert lasting_region(bounds, state, 1, risk, 3.0, cells, arms)[1] < 1.0


def test_equal_rewards_stay_equal_when_an_arm_was_forgotten():
    """Rounding must not turn 0.1, repeated after 0.3, into rewards that differ."""
    policy = rb.NGTS()
    state, run = state_of(policy, [[0.3] * 5, [0.0, 1.0]])
    policy.fade(state, 0, run, 0.0)
    for _ in range(4):
        play.note_reward(policy, state, 0, run, 0.1)
    assert state[0, COUNT] == 4.0
    assert state[0, MEAN] == 0.1
    assert state[0, SQUARES] == 0.0
