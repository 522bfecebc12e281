"""Policies that forget, against slow twins on arms that change; whom they serve, and what they are for."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pytest

import naive
import riskbandits as rb
from comparing import complaints
from riskbandits import metrics
from riskbandits.api import parsing
from riskbandits.core.errors import RiskBanditsError
from riskbandits.numerics import change_points, history, moments
from riskbandits.policies import cells as run_cells
from riskbandits.policies.support import contract, naming, play
from riskbandits.policies.support.wrapper import wrapper
from riskbandits.simulation.methods import resolve_method
from riskbandits.testing import check_policy

RUNS, HORIZON, CHANGE = 1000, 240, 121
CHECKPOINTS = (60, 120, 160, 240)
MEANS = np.array([[0.1, 0.5, 0.9], [0.9, 0.2, 0.3]])
VARIANCES = np.array([[0.05, 0.3, 0.8], [0.6, 0.1, 0.2]])
PROBABILITIES = np.array([[0.15, 0.5, 0.85], [0.8, 0.4, 0.1]])
HALF_LIFE = 40.0


def problem_of(kind, rho):
    if kind == "gaussian":
        sets = [rb.GaussianArms(*moments_of) for moments_of in zip(MEANS, VARIANCES, strict=True)]
    else:
        sets = [rb.BernoulliArms(one) for one in PROBABILITIES]
    return rb.Problem(rb.PiecewiseArms([(1, sets[0]), (CHANGE, sets[1])]), rb.MeanVariance(rho))


def twin_of(kind, rho, index, first_pulls, runs=RUNS):
    """The twin's arms are those of its step: it draws once per step."""
    steps = iter(range(1, HORIZON + 1))

    def draw(rng, choice):
        piece = int(next(steps) >= CHANGE)
        if kind == "gaussian":
            return rng.normal(MEANS[piece][choice], np.sqrt(VARIANCES[piece][choice]))
        return (rng.random(len(choice)) < PROBABILITIES[piece][choice]).astype(float)

    first = (MEANS[0], VARIANCES[0]) if kind == "gaussian" else (PROBABILITIES[0], np.zeros(3))
    return naive.Twin(draw, *first, rho, HORIZON, runs, 99).play(index, first_pulls)


def losses(kind, rho, choices):
    """What the arms chosen lost to the best of their step, summed over steps, (runs, steps)."""
    means, variances = (
        (MEANS, VARIANCES) if kind == "gaussian" else (PROBABILITIES, PROBABILITIES * (1 - PROBABILITIES))
    )
    values = rho * means - variances
    gaps = values.max(axis=1, keepdims=True) - values
    pieces = (np.arange(1, HORIZON + 1) >= CHANGE).astype(int)
    return np.cumsum(gaps[pieces, choices], axis=1)


def differences(kind, rho, policy, twin):
    result = rb.simulate(
        problem_of(kind, rho), [policy], horizon=HORIZON, runs=RUNS, seed=12, checkpoints=CHECKPOINTS, progress=False
    )
    trace, theirs, found = result.traces[0], losses(kind, rho, twin.choices), []
    for c, step in enumerate(CHECKPOINTS):
        found += complaints(f"regret at {step}", metrics.dynamic_regret(trace)[:, c], theirs[:, step - 1])
    for k in range(3):
        ours, other = trace.pulls[:, k].astype(float), twin.pulls(HORIZON)[:, k].astype(float)
        found += complaints(f"pulls of arm {k}", ours, other)
    return found


def _faded(index, needed, units=False):
    return naive.faded(index, HALF_LIFE, needed, units)


CELLS = [
    ("gaussian", rb.Discounted(rb.MVTS(), HALF_LIFE), lambda: _faded(naive.mvts, 1), 1),
    ("gaussian", rb.Discounted(half_life=HALF_LIFE), lambda: _faded(naive.switching_aware_with_units, 2, True), 1),
    ("gaussian", rb.Discounted(rb.NGTS(), HALF_LIFE), lambda: _faded(naive.ngts_with_units, 2, True), 1),
    ("gaussian", rb.Discounted(rb.MVLCB(), HALF_LIFE), lambda: _faded(naive.mvlcb_authors, 1), 1),
    ("bernoulli", rb.Discounted(rb.BMVTS(), HALF_LIFE), lambda: _faded(naive.bmvts, 0), 0),
    ("gaussian", rb.Restarting(rb.MVTS(), every=50), lambda: naive.restarting(naive.mvts, 1, 0.05, 50), 1),
    (
        "bernoulli",
        rb.Restarting(rb.BMVTS(), 0.2, 60, together=True, binary=True),
        lambda: naive.restarting(naive.bmvts, 0, 0.2, 60, together=True, binary=True),
        0,
    ),
]
NEVER_BY_DEFAULT = ("NGTS", "MVLCB", "BMVTS")
RHOS = (0.01, 1.0, 20.0)


def cells():
    for kind, policy, make, first in CELLS:
        for rho in RHOS:
            label = naming.label(policy)
            rare = rho != 1.0 or any(word in label for word in NEVER_BY_DEFAULT)
            marks = [pytest.mark.full] if rare else []
            yield pytest.param(kind, policy, make, first, rho, marks=marks, id=f"{label}-{rho:g}")


@pytest.mark.parametrize(("kind", "policy", "make", "first", "rho"), [*cells()])
def test_against_its_twin(kind, policy, make, first, rho):
    runs = 250 if isinstance(policy, rb.Restarting) else RUNS  # its twin goes from run to run
    assert not differences(kind, rho, policy, twin_of(kind, rho, make(), first, runs))


@wrapper
class FadesMeans(NamedTuple):
    """A slip: the mean fades with the rest, towards 0."""

    policy: Any = rb.MVTS()

    def fade(self, state, k, run, factor):
        moments.discount(state, k, factor)
        state[k, moments.MEAN] *= factor


@wrapper
class FadesTwice(NamedTuple):
    """Another: half the half-life."""

    policy: Any = rb.MVTS()

    def fade(self, state, k, run, factor):
        moments.discount(state, k, factor * factor)


@pytest.mark.full
@pytest.mark.parametrize("mutant", [FadesMeans(), FadesTwice()])
def test_a_slip_in_fading_is_noticed(mutant):
    twin = twin_of("gaussian", 1.0, _faded(naive.mvts, 1), 1)
    assert differences("gaussian", 1.0, rb.Discounted(mutant, HALF_LIFE), twin)


def test_the_evidence_by_hand():
    """Two arms, a half-life of one step: weights are powers of 1/2."""
    policy = rb.Discounted(rb.MVTS(), half_life=1.0)
    state, run = contract.new_state(policy, 2), contract.new_run(100.0)
    for step, (k, reward) in enumerate([(0, 1.0), (1, 5.0), (0, 3.0)], start=1):
        play.begin_step(run, step)
        play.note_choice(policy, state, k, run)
        play.note_reward(policy, state, k, run, reward)
    play.begin_step(run, 5)
    policy.prepare(state, run, rb.MeanVariance(1.0), None)
    # Arm 0: weights 1/16 and 1/4; arm 1: 1/8.
    assert state[:, moments.COUNT] == pytest.approx([5 / 16, 1 / 8])
    assert state[0, moments.MEAN] == pytest.approx((1 / 16 + 3 / 4) / (5 / 16))
    assert state[0, moments.SQUARES] == pytest.approx(1 / 16 * (1 - 2.6) ** 2 + 1 / 4 * (3 - 2.6) ** 2)
    assert run[run_cells.REWARD_COUNT] == 3.0
    assert run[run_cells.STEP] == 5.0
    assert policy.score(state, 0, run, None, None) == math.inf  # less than a first pull is left


@pytest.mark.parametrize("half_life", [1e-320, 1e-5, 1e17, 1e300])
def test_half_lives_without_end(half_life):
    """Of very long ones nothing fades, and t is what it is; of very short ones only the last reward is left."""
    policy = rb.Discounted(rb.MVTS(), half_life)
    state, run = contract.new_state(policy, 2), contract.new_run(100.0)
    for step in range(1, 9):
        play.begin_step(run, step)
        play.note_reward(policy, state, step % 2, run, float(step))
    play.begin_step(run, 9)
    policy.prepare(state, run, rb.MeanVariance(1.0), None)
    assert state[:, moments.COUNT] == pytest.approx([4.0, 4.0] if half_life > 1 else [0.0, 0.0])
    assert state[0, -5] == pytest.approx(9.0 if half_life > 1 else 1.0)


def test_an_arm_is_tried_again_once_until_it_answers():
    policy = rb.Discounted(half_life=4.0)
    learner = rb.Learner(policy, ["a", "b"], rb.MeanVariance(1.0))
    learner.tell(["a", "b", "a", "b"], [1.0, -9.0, 1.5, -8.0])
    for _ in range(20):
        learner.tell("a", 1.0)
    asked = [learner.ask() for _ in range(3)]
    assert asked == ["b", "a", "a"]  # it is due, and its answer is waited for
    learner.tell("b", 4.0)
    assert learner.ask() == "b"  # one reward is not two


POLICIES = [
    rb.Discounted(),
    rb.Discounted.bernoulli(half_life=50),
    rb.Discounted(rb.NPTS.anchor_free(), half_life=20),
    rb.Discounted(rb.NPTS(), half_life=20),
    rb.SwitchingAware(rb.Discounted(rb.NGTS(), half_life=20)),
    rb.Restarting(),
    rb.Restarting.bernoulli(),
    rb.Restarting(rb.NPTS.anchor_free(), alarm=1.0, every=30),
]
ALSO = [pytest.param(policy, marks=pytest.mark.full) for policy in POLICIES[1:]]


@pytest.mark.parametrize("policy", [POLICIES[0], *ALSO], ids=naming.label)
def test_they_keep_the_contract_of_policies(policy):
    """Python, compiled and learner alike; cells of the run left alone."""
    if isinstance(policy.policy, rb.NPTS) and policy.policy.use_anchor:
        check_policy(policy, rb.Problem(rb.BernoulliArms([0.2, 0.9]), rb.MeanVariance(1.0)), horizon=120)
    else:
        check_policy(policy, horizon=120)


def test_they_say_what_they_are():
    assert naming.label(rb.Discounted()) == "Discounted"
    assert naming.label(rb.Discounted(rb.NGTS(), half_life=300)) == "Discounted(NGTS, half_life=300)"
    assert naming.label(rb.Discounted.bernoulli(half_life=300)) == "Discounted(SwitchingAware:bernoulli, half_life=300)"
    assert naming.label(rb.Restarting.bernoulli()) == "Restarting:bernoulli"
    assert parsing.parse("discounted:bernoulli") == rb.Discounted.bernoulli()
    for policy in (rb.Discounted(rb.MVLCB(), 90), rb.Restarting(rb.MVLCB()), rb.Discounted(), rb.Restarting()):
        assert resolve_method(policy, "auto", rb.MeanVariance(1.0)) == "plain"  # no shortcut holds while scores fall


WRONG = [
    (rb.Discounted(rb.NGTS(), half_life=0), "'half_life' parameter of Discounted must be a number > 0"),
    (rb.Discounted(rb.NGTS(), half_life=-3), "'half_life' parameter of Discounted must be a number > 0"),
    (rb.Discounted(rb.NGTS(), half_life=math.inf), "'half_life' parameter of Discounted must be a number > 0"),
    (rb.Discounted(3), "'policy' parameter of Discounted must be a policy such as"),
    (rb.Discounted(rb.NGTS), "'policy' parameter of Discounted must be a policy such as"),
    (rb.Discounted(rb.ExpExp()), "Discounted needs a policy that can forget, and ExpExp has no method 'fade'"),
    (rb.Discounted(rb.SwitchingAware(rb.MVDSEE())), "Discounted needs a policy that can forget"),
    (rb.Discounted(rb.UniformRandom()), "Discounted needs a policy that can forget, and UniformRandom"),
    (rb.Discounted(rb.Discounted()), "must be a policy that does not forget by itself"),
    (rb.Restarting(rb.Discounted()), "must be a policy that does not forget by itself"),
    (rb.Discounted(rb.SwitchingAware(rb.Restarting(rb.NGTS()))), "must be a policy that does not forget by itself"),
    (rb.Discounted(rb.NGTS(), half_life=4), "A half-life of 4 steps is too short for 3 arms"),
    (rb.Discounted.bernoulli(), "BMVTS needs arms whose rewards are 0 or 1"),
    (rb.Restarting(alarm=0), "'alarm' parameter of Restarting must be a number in"),
    (rb.Restarting(alarm=1.5), "'alarm' parameter of Restarting must be a number in"),
    (rb.Restarting(every=3), "leaves no step for the best"),
    (rb.Restarting(every=-1), "'every' parameter of Restarting must be a number >= 0"),
    (rb.Restarting(binary=True), "rewards are 0 or 1"),
]


@pytest.mark.parametrize(("policy", "words"), WRONG)
def test_what_cannot_forget_or_be_forgotten_is_refused(policy, words):
    with pytest.raises(RiskBanditsError, match=words):
        rb.simulate(problem_of("gaussian", 1.0), [policy], horizon=50, runs=1, progress=False)


def test_histories_fade():
    state, run = np.zeros((1, history.WIDTH)), np.zeros(history.FREE + 200)
    run[history.FREE] = history.FREE + 1
    for reward in (3.0, 1.0, 3.0, 2.0):
        history.add(state, 0, run, reward)
    history.discount(state, 0, run, 0.25)
    history.add(state, 0, run, 1.5)  # between the others: counts must move with the values
    assert history.values(state, 0, run).tolist() == [1.0, 1.5, 2.0, 3.0]
    assert history.counts(state, 0, run).tolist() == [0.25, 1.0, 0.25, 0.5]
    assert state[0, history.TOTAL] == 2.0
    history.discount(state, 0, run, 1 / 12)
    assert history.values(state, 0, run).tolist() == [1.5, 3.0]  # what counts for less than a 32nd is dropped
    history.weigh(state, 0, run, 9.0, 1.0)
    assert history.counts(state, 0, run).tolist() == [1 / 12, 1 / 24, 1.0]
    history.discount(state, 0, run, 0.0)
    assert state[0, history.SIZE] == state[0, history.TOTAL] == 0.0


def test_rewards_that_fade_all_alike_are_taken_together():
    """A hundred rewards, each of which would be dropped, are not nothing."""
    state, run = np.zeros((1, history.WIDTH)), np.zeros(history.FREE + 2000)
    run[history.FREE] = history.FREE + 1
    for reward in range(100):
        history.add(state, 0, run, float(reward))
    history.discount(state, 0, run, 0.02)
    assert history.counts(state, 0, run).tolist() == pytest.approx([0.04] * 50)
    assert history.values(state, 0, run).tolist() == [float(reward) for reward in range(0, 100, 2)]
    assert state[0, history.TOTAL] == pytest.approx(2.0)
    history.discount(state, 0, run, 0.01)
    assert state[0, history.SIZE] == state[0, history.TOTAL] == 0.0  # not even a 32nd in all


def test_an_arm_whose_history_is_gone_is_tried_again():
    """What fades step by step drops out reward by reward, and may be gone while its weight says that there is some."""
    policy = rb.Discounted(rb.NPTS.anchor_free(), half_life=100)
    state, run = contract.new_state(policy, 2), contract.new_run(1000.0, policy, 2, 10)
    risk, rng = rb.MeanVariance(1.0), np.random.default_rng(1)
    for step, reward in enumerate((0.5, 0.6, 0.7, 0.8, 0.9, 1.0), start=1):
        play.begin_step(run, step)
        policy.learn(state, step % 2, run, reward)
    policy.prepare(state, run, risk, rng)
    assert math.isfinite(policy.score(state, 0, run, risk, rng))
    history.discount(state, 0, run, 0.0)
    assert policy.score(state, 0, run, risk, rng) == math.inf
    policy.chosen(state, 0, run)
    assert policy.score(state, 0, run, risk, rng) == -math.inf  # until its reward arrives


def test_the_anchor_does_not_fade():
    policy = rb.NPTS()
    state, run = contract.new_state(policy, 1), contract.new_run(100.0, policy, 1, 10)
    for reward in (1.0, 0.5):
        policy.learn(state, 0, run, reward)
    policy.fade(state, 0, run, 0.5)
    assert history.values(state, 0, run).tolist() == [0.5, 1.0]
    assert history.counts(state, 0, run).tolist() == [0.5, 1.5]
    policy.fade(state, 0, run, 0.0)
    assert (history.values(state, 0, run).tolist(), history.counts(state, 0, run).tolist()) == ([1.0], [1.0])
    policy.fade(state, 0, run, 0.001)
    assert (history.values(state, 0, run).tolist(), history.counts(state, 0, run).tolist()) == ([1.0], [1.0])


def alarms(draw, rewards, binary, streams=200):
    """The share of streams with an alarm before so many rewards."""
    rng, found = np.random.default_rng(3), 0
    for _ in range(streams):
        state = np.zeros((1, change_points.WIDTH))
        for x in draw(rng, rewards):
            if change_points.add(state, 0, 0, x):
                best, n = change_points.evidence(state, 0, 0, binary)
                if best > math.log(3 / 0.05) + 1.5 * math.log(n):
                    found += 1
                    break
    return found / streams


def test_streams_that_do_not_change_seldom_alarm():
    """0.05 is the bound; 200 streams with more than 0.1 would be three standard errors above it."""
    assert alarms(lambda rng, n: rng.normal(5.0, 2.0, n), 400, False) <= 0.1
    assert alarms(lambda rng, n: (rng.random(n) < 0.1).astype(float), 400, True) <= 0.1
    assert alarms(lambda rng, n: np.full(n, 2.5), 100, False, 2) == 0.0
    assert alarms(lambda rng, n: np.ones(n), 100, True, 2) == 0.0
    large = 1e8 + np.random.default_rng(1).normal(size=400)
    assert alarms(lambda rng, n: large, 400, False, 1) == 0.0


def test_streams_that_change_alarm():
    def step(rng, n):
        return np.concatenate([rng.normal(0, 1, n // 2), rng.normal(1.5, 1, n // 2)])

    def calm(rng, n):
        return np.concatenate([rng.normal(0, 1, n // 2), rng.normal(0, 0.3, n // 2)])

    assert alarms(step, 120, False, 50) > 0.9
    assert alarms(calm, 120, False, 50) > 0.9
    flip = np.concatenate([np.zeros(60), np.ones(40)])
    assert alarms(lambda rng, n: flip, 100, True, 1) == 1.0


def test_a_long_stream_stays_in_its_columns():
    """More blocks than all levels hold singly: the last level takes the rest."""
    state = np.zeros((1, change_points.WIDTH + 5))
    state[0, -5:] = 7.0
    for level in range(change_points.LEVELS):
        state[0, change_points.SIZES + level] = 2.0
        state[0, change_points.BLOCKS + 6 * level : change_points.BLOCKS + 6 * level + 6] = [
            8.0,
            0.5,
            2.0,
            8.0,
            0.5,
            2.0,
        ]
    for x in np.tile([0.0, 1.0], 8):
        change_points.add(state, 0, 0, x)
    assert state[0, -5:].tolist() == [7.0] * 5
    assert change_points.evidence(state, 0, 0, False)[1] == 8 * (2 * change_points.LEVELS + 2)


@pytest.mark.full
def test_half_the_regret_where_arms_change_and_little_where_they_stay():
    """20 random problems with a change every 2000 steps, and 20 without; intervals over problems."""
    aware, fading, watching = rb.SwitchingAware(), rb.Discounted(half_life=333), rb.Restarting()

    def ratios(pieces, policy):
        found = []
        for number in range(20):
            rng = np.random.default_rng([5, number])
            sets = [rb.GaussianArms(rng.uniform(0, 1, 5), rng.uniform(0.05, 1, 5)) for _ in range(pieces)]
            arms = rb.PiecewiseArms([(1 + 2000 * place, one) for place, one in enumerate(sets)])
            problem = rb.Problem(arms, rb.MeanVariance(1.0))
            result = rb.simulate(
                problem,
                {"new": policy, "old": aware},
                horizon=10_000,
                runs=20,
                seed=1,
                checkpoints=[10_000],
                progress=False,
            )
            found.append([metrics.dynamic_regret(result.trace(label))[:, -1].mean() for label in ("new", "old")])
        new, old = np.array(found).T
        picks = np.random.default_rng(0).integers(0, 20, (2000, 20))
        return np.quantile(new[picks].mean(axis=1) / old[picks].mean(axis=1), 0.975)

    assert ratios(5, fading) < 0.5
    assert ratios(1, watching) < 1.5
