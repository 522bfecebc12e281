"""Thompson sampling for rewards that are often zero: against its twin, with known amounts and without; in learners."""

from __future__ import annotations

import json
import math
from typing import NamedTuple

import numpy as np
import pytest
from scipy import stats

import naive
import riskbandits as rb
from comparing import complaints
from riskbandits import metrics
from riskbandits.core.errors import RiskBanditsError
from riskbandits.policies import hurdle_ts
from riskbandits.policies.support import contract, play
from riskbandits.testing import check_arms, check_policy

RUNS, HORIZON = 1500, 300
ARMS = (0.3, 0.1, 0.05, 0.6), (2.0, 9.0, 15.0, 0.5), (0.3, 4.0, 0.0, 0.1)
REFUNDS = (0.5, 0.2, 0.1, 0.3), (-0.2, 3.0, -4.0, 1.0), (1.0, 2.0, 9.0, 0.0)
PRICES = (0.3, 0.1, 0.05, 0.6), (2.0, 9.0, 15.0, 0.5), (0.0, 0.0, 0.0, 0.0)


def differences(policy, index, arms, rho):
    problem = rb.Problem(rb.HurdleArms(*arms), rb.MeanVariance(rho))
    twin = naive.Twin(naive.hurdle_arms(*arms), problem.means, problem.variances, rho, HORIZON, RUNS, 99)
    twin.play(index, 0)
    options = {"horizon": HORIZON, "runs": RUNS, "seed": 12, "checkpoints": (40, HORIZON), "progress": False}
    trace = rb.simulate(problem, [policy], **options).traces[0]
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
    for name, amounts, arms in [
        ("unknown", None, ARMS),
        ("refunds", None, REFUNDS),
        ("known", PRICES[1], PRICES),
        ("known, and others paid", ARMS[1], ARMS),
    ]:
        for rho in (0.1, 3.0, 100.0):
            marks = [] if rho == 3.0 else [pytest.mark.full]
            yield pytest.param(amounts, arms, rho, marks=marks, id=f"{name}, rho={rho:g}")


@pytest.mark.parametrize(("amounts", "arms", "rho"), [*cells()])
def test_against_its_twin(amounts, arms, rho):
    policy = rb.HurdleTS() if amounts is None else rb.HurdleTS(amounts)
    assert not differences(policy, naive.hurdle(amounts), arms, rho)


def test_a_slip_is_noticed():
    """Amounts whose variance is drawn 30 % too small."""
    usual = naive._drawn_amounts

    def narrow(s, w):
        mean, variance = usual(s, w)
        return mean, 0.7 * variance

    naive._drawn_amounts = narrow
    try:
        assert differences(rb.HurdleTS(), naive.hurdle(), ARMS, 3.0)
    finally:
        naive._drawn_amounts = usual


def state_of(policy, rewards, size=None):
    state, run = contract.new_state(policy, size or len(rewards)), contract.new_run(math.inf)
    step = 0
    for k, own in enumerate(rewards):
        for reward in own:
            step += 1
            play.begin_step(run, step)
            play.note_reward(policy, state, k, run, reward)
    return state, run


@pytest.mark.parametrize("rho", [0.0, 0.3, 2.0])
def test_with_all_amounts_1_it_is_bmvts(rho):
    """The same draws, and so the same choices."""
    rewards = [[0.0, 1.0, 0.0], [1.0] * 3, [0.0] * 7, []]
    scores = []
    for policy in (rb.HurdleTS(amounts=[1.0] * 4), rb.BMVTS()):
        state, run = state_of(policy, rewards)
        rng = np.random.default_rng(5)
        contract.prepare(policy, state, run, rb.MeanVariance(rho), rng)
        scores.append([policy.score(state, k, run, rb.MeanVariance(rho), rng) for _ in range(50) for k in range(4)])
    assert scores[0] == pytest.approx(scores[1], rel=1e-12, abs=1e-15)
    problem = rb.Problem(rb.BernoulliArms([0.1, 0.5, 0.4]), rb.MeanVariance(rho))
    options = {"horizon": 300, "runs": 1500, "seed": 3, "method": "plain", "progress": False}
    result = rb.simulate(problem, [rb.HurdleTS(amounts=[1.0] * 3), rb.BMVTS()], **options)
    ours, theirs = (trace.pulls.astype(float) for trace in result.traces)
    assert not [line for k in range(3) for line in complaints(f"pulls of arm {k}", ours[:, k], theirs[:, k])]


def test_the_evidence_by_hand():
    policy = rb.HurdleTS()
    state, run = state_of(policy, [[0.0, 4.0, 0.0, 6.0], [0.0] * 5, [3.0, 3.0]])
    assert state.tolist() == [[4, 2, 5, 2, 0], [5, 0, 0, 0, 0], [2, 2, 3, 0, 0]]
    policy.prepare(state, run, rb.MeanVariance(1.0), None)
    assert run[hurdle_ts.SPREAD] == pytest.approx((0.25 + 2 / 26) / (1 + 1 + 1))
    assert run[hurdle_ts.PAYING] == 2.0
    policy.fade(state, 0, run, 0.5)
    assert state[0].tolist() == [2, 1, 5, 1, 0]


def test_draws_of_an_arm_that_paid_and_of_one_that_did_not():
    policy, rng, size = rb.HurdleTS(), np.random.default_rng(2), 20_000
    state, run = state_of(policy, [[0.0, 4.0, 0.0, 6.0], [0.0] * 5, [3.0, 3.0]])

    class Pair(NamedTuple):
        first: int = 0

        def value(self, mean, variance):
            return mean + 10.0 * variance

    policy.prepare(state, run, Pair(), rng)
    c = run[hurdle_ts.SPREAD]
    p = rng.beta(3, 3, size)
    v = (2 + 2 * c * 26) / rng.chisquare(4, size)
    m = rng.normal(5, np.sqrt(v / 2))
    ours = [policy.score(state, 0, run, Pair(), rng) for _ in range(size)]
    assert stats.ks_2samp(ours, p * m + 10 * (p * v + p * (1 - p) * m**2)).pvalue > 1e-3
    p = rng.beta(1, 6, size)
    m = rng.choice([5.0, 3.0], size) * np.exp(1.5 * rng.standard_normal(size))
    ours = [policy.score(state, 1, run, Pair(), rng) for _ in range(size)]
    v = m**2 * c / (1 - c)
    assert stats.ks_2samp(ours, p * m + 10 * (p * v + p * (1 - p) * m**2)).pvalue > 1e-3


def test_known_amounts_have_no_variance_until_a_sale_pays_something_else():
    policy, rng = rb.HurdleTS(amounts=[10.0, 100.0]), np.random.default_rng(2)
    state, run = state_of(policy, [[0.0, 10.0, 10.0], [0.0]])
    assert state[0, hurdle_ts.SQUARES] == 0.0
    policy.learn(state, 0, run, 12.0)
    assert state[0, hurdle_ts.SQUARES] == 4.0
    size = 20_000
    p, v = rng.beta(4, 2, size), 4.0 / rng.chisquare(3, size)
    ours = [policy.score(state, 0, run, rb.MeanVariance(0.0), rng) for _ in range(size)]
    assert stats.ks_2samp(ours, -(p * v + 100.0 * p * (1.0 - p))).pvalue > 1e-3
    drawn = [policy.score(state, 1, run, rb.Mean(), rng) for _ in range(5000)]
    assert stats.kstest(np.array(drawn) / 100, stats.beta(1, 2).cdf).pvalue > 1e-3


def test_the_best_of_two_prices_is_not_shut_out():
    problem = rb.Problem(rb.HurdleArms([0.2, 0.05], [10, 100], [0, 0]), rb.MeanVariance(1000.0))
    policies = [rb.HurdleTS(), rb.HurdleTS(amounts=[10, 100])]
    result = rb.simulate(problem, policies, horizon=3000, runs=300, seed=1, progress=False)
    for trace, share in zip(result.traces, (0.9, 0.95), strict=True):
        assert (trace.pulls[:, 1] < 150).mean() <= 0.02
        assert trace.pulls[:, 1].mean() > share * 3000


@pytest.mark.parametrize("amount", [1e-250, 1e-100, 1e100, -1e100])
def test_amounts_of_any_size(amount):
    policy, rng = rb.HurdleTS(), np.random.default_rng(1)
    state, run = state_of(policy, [[0.0, amount], [0.0], [amount, 2 * amount]])
    policy.prepare(state, run, rb.MeanVariance(1.0), rng)
    for k in range(3):
        assert not math.isnan(policy.score(state, k, run, rb.Mean(), rng))


def test_arms():
    arms = rb.HurdleArms([0.2, 0.05, 0.0, 1.0], [10, -100, 3, 2], [4, 25, 1, 0], names=["a", "b", "c", "d"])
    check_arms(arms)
    rng = np.random.default_rng(7)
    for k in range(4):
        drawn = np.array([arms.draw(k, rng) for _ in range(20_000)])
        assert abs(drawn.mean() - arms.mean(k)) <= 4 * drawn.std() / math.sqrt(20_000) + 1e-12
        spread = ((drawn - drawn.mean()) ** 2).std() / math.sqrt(20_000)
        assert abs(drawn.var() - arms.variance(k)) <= 4 * spread + 1e-12
        assert arms.distribution(k).mean == pytest.approx(arms.mean(k))
        assert arms.distribution(k).variance == pytest.approx(arms.variance(k))
    with pytest.raises(RiskBanditsError, match="given as many means as probabilities"):
        rb.Problem(rb.HurdleArms([0.1], [1, 2], [1, 2]), rb.MeanVariance(1))


def test_conformance():
    check_policy(rb.HurdleTS())


@pytest.mark.full
@pytest.mark.parametrize("policy", [rb.Discounted(rb.HurdleTS(), half_life=30), rb.SwitchingAware(rb.HurdleTS())])
def test_conformance_within_wrappers(policy):
    check_policy(policy)


LIVE = rb.MeanVariance(100.0)


def played(learner, steps, seed=0):
    rng, chosen = np.random.default_rng(seed), []
    for _ in range(steps):
        arm = learner.ask()
        chosen.append(arm)
        chance, amount = {"a": (0.2, 10.0), "b": (0.05, 100.0)}.get(arm, (0.1, 5.0))
        learner.tell(arm, amount * (rng.random() < chance))
    return chosen


def test_amounts_of_a_learner():
    given = rb.Learner(rb.HurdleTS(), ["a", "b"], LIVE, amounts={"a": 10.0, "b": 100.0})
    in_order = rb.Learner(rb.HurdleTS(amounts=[10, 100]), ["a", "b"], LIVE)
    assert played(given, 200) == played(in_order, 200)
    assert given.to_json().split("content")[1] == in_order.to_json().split("content")[1]
    assert given.state[:, hurdle_ts.AMOUNT].tolist() == [10.0, 100.0]
    given.add("c", amount=5.0)
    given.add("d")
    again = rb.Learner.from_json(given.to_json())
    assert again.state[:, hurdle_ts.AMOUNT].tolist() == [10.0, 100.0, 5.0, 0.0]
    assert played(again, 100, 1) == played(given, 100, 1)
    assert again.with_risk(rb.MeanVariance(1.0)).state[:, hurdle_ts.AMOUNT].tolist() == [10.0, 100.0, 5.0, 0.0]
    given.retire("a")
    played(given, 50)  # rows have moved up: amounts with them
    assert given.state[:, hurdle_ts.AMOUNT].tolist() == [100.0, 5.0, 0.0]
    with pytest.raises(RiskBanditsError, match="must be as it was: 10"):
        given.add("a", amount=11.0)
    given.add("a", amount=10.0)
    given.fade(0.5)
    assert given.state[:, hurdle_ts.AMOUNT].tolist() == [100.0, 5.0, 0.0, 10.0]


def test_amounts_within_wrappers():
    inside = rb.Guarded(rb.Discounted(rb.HurdleTS(amounts=[10, 100]), half_life=100), least={"a": 0.1})
    learner = rb.Learner(inside, ["a", "b"], LIVE)
    assert learner.state[:, hurdle_ts.AMOUNT].tolist() == [10.0, 100.0]
    played(learner, 30)
    assert played(rb.Learner.from_json(learner.to_json()), 5) == played(learner, 5)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: rb.Learner(rb.NGTS(), ["a"], LIVE, amounts={"a": 1.0}), "Only HurdleTS uses known amounts"),
        (lambda: rb.Learner(rb.HurdleTS(), ["a"], LIVE, amounts={"x": 1.0}), "no arm 'x'"),
        (lambda: rb.Learner(rb.HurdleTS(), ["a"], LIVE, amounts={"a": 0.0}), "other than 0"),
        (lambda: rb.Learner(rb.HurdleTS(), ["a"], LIVE, amounts={"a": math.nan}), "other than 0"),
        (lambda: rb.Learner(rb.HurdleTS(), ["a"], LIVE, amounts={"a": 1e200}), "from -1e\\+140 to 1e\\+140"),
        (lambda: rb.Learner(rb.HurdleTS([1e200]), ["a"], LIVE), "from -1e\\+140 to 1e\\+140"),
        (lambda: rb.Learner(rb.HurdleTS(), ["a"], LIVE, amounts=[1.0]), "a dictionary"),
        (lambda: rb.Learner(rb.HurdleTS(amounts=[1, 2]), ["a"], LIVE), "2 amounts for 1 arms"),
        (lambda: rb.Learner(rb.HurdleTS(), ["a"], LIVE).add("b", amount="5"), "other than 0"),
        (lambda: rb.Learner(rb.NGTS(), ["a"], LIVE).add("b", amount=5.0), "Only HurdleTS uses known amounts"),
        (
            lambda: rb.simulate(
                rb.Problem(rb.HurdleArms(*PRICES), LIVE), [rb.HurdleTS([1, 2])], horizon=10, runs=1, progress=False
            ),
            "2 amounts for 4 arms",
        ),
    ],
)
def test_refusals(make, words):
    with pytest.raises(RiskBanditsError, match=words):
        make()


@pytest.mark.parametrize(("column", "number"), [(1, -1.0), (1, 1e9), (0, "nan"), (3, -1.0), (4, "inf"), (2, "nan")])
def test_a_forged_state_is_refused(column, number):
    from riskbandits.learner import persistence

    learner = rb.Learner(rb.HurdleTS(), ["a", "b"], LIVE)
    played(learner, 20)
    data = json.loads(learner.to_json())
    data["content"]["arms"][0]["state"][column] = number
    data["checksum"] = persistence.checksum(data)
    with pytest.raises(RiskBanditsError):
        rb.Learner.from_json(json.dumps(data))
