"""Thompson sampling with features: its posterior, its law, what does not change it, and arms whose rewards need it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import naive
import riskbandits as rb
from comparing import complaints
from riskbandits import metrics
from riskbandits.compiling import jit
from riskbandits.numerics import moments, regression
from riskbandits.numerics.regression import RESIDUAL
from riskbandits.policies.cells import FEATURES
from riskbandits.policies.linear_ngts import UNIT
from riskbandits.policies.support import contract, play
from riskbandits.simulation.job import Job
from riskbandits.simulation.replications import compiled_kernel, no_signals, play_range
from riskbandits.testing import check_arms, check_policy

RISK = rb.MeanVariance(1.0)
COEFFICIENTS = [[0.5, -0.2, 0.1], [-0.4, 0.3, 0.6], [0.1, 0.8, -0.5]]
PROBLEM = rb.Problem(rb.LinearArms(COEFFICIENTS, [0.1, 0.5, 1.5], intercepts=[0.2, 0.0, 0.4]), RISK)
ARMS = PROBLEM.arms


def told(policy, rows, rewards, fades=None):
    """The state and run of one arm after these rewards, in plain Python."""
    state, run = contract.new_state(policy, 1), contract.new_run(math.inf, policy)
    for number, (row, reward) in enumerate(zip(rows, rewards, strict=True)):
        if fades is not None:
            policy.fade(state, 0, run, fades[number])
        run[FEATURES : FEATURES + policy.features] = row
        play.note_reward(policy, state, 0, run, reward)
    return state, run


def closed_form(rows, rewards, ridge, x, weights=None):
    """Mean and variance (in units of that of the noise) at x, and the minimum, from the normal equations."""
    design = np.column_stack([np.ones(len(rows)), rows])
    weights = np.ones(len(rows)) if weights is None else weights
    penalty = ridge * np.diag([0.0] + [1.0] * rows.shape[1])
    precision = design.T @ (weights[:, None] * design) + penalty
    theta = np.linalg.solve(precision, design.T @ (weights * rewards))
    at = np.concatenate([[1.0], x])
    least = weights @ (rewards - design @ theta) ** 2 + theta @ penalty @ theta
    return at @ theta, at @ np.linalg.solve(precision, at), least


@pytest.mark.parametrize("features", [0, 1, 4])
@pytest.mark.parametrize("fading", [False, True])
def test_the_posterior_is_that_of_a_closed_form_regression(features, fading):
    rng = np.random.default_rng(features)
    policy = rb.LinearNGTS(features=features, ridge=0.3)
    rows = rng.normal(size=(30, features))
    rewards = 5.0 + rows.sum(axis=1) + rng.normal(size=30)
    fades = rng.uniform(0.7, 1.0, 30) if fading else None
    for count in (1, 2, features + 1, 30):
        state, run = told(policy, rows[:count], rewards[:count], None if fades is None else fades[:count])
        run[FEATURES : FEATURES + features] = x = rng.normal(size=features)
        mean, spread = regression.predict(state, 0, features, run)
        used = None
        if fading:
            used = np.append(np.cumprod(fades[:count][:0:-1])[::-1], 1.0)
        expected = closed_form(rows[:count], rewards[:count], 0.3, x, used)
        np.testing.assert_allclose([mean, spread, state[0, RESIDUAL]], expected, rtol=1e-8, atol=1e-9)
    assert state[0, moments.COUNT] == pytest.approx(used.sum() if fading else 30)


def test_a_prior_that_is_forgotten_is_the_prior_again():
    policy = rb.LinearNGTS(features=2)
    rng = np.random.default_rng(0)
    state, run = told(policy, rng.normal(size=(20, 2)), rng.normal(size=20))
    policy.fade(state, 0, run, 0.0)
    assert policy.score(state, 0, run, RISK, rng) == math.inf
    once, _ = told(policy, [[1.0, 2.0]], [3.0])
    run[FEATURES : FEATURES + 2] = 1.0, 2.0
    play.note_reward(policy, state, 0, run, 3.0)
    np.testing.assert_allclose(state, once, atol=1e-12)


@pytest.mark.full
def test_a_million_updates_stay_with_a_fresh_solve():
    """At a condition number of 1e6, within 1e-8."""
    policy, rng = rb.LinearNGTS(features=4), np.random.default_rng(3)
    rows = rng.normal(size=(1_000_000, 4)) * [1.0, 30.0, 0.03, 1000.0**0.5]
    rewards = 100.0 + rows @ [1.0, -0.02, 0.3, 0.01] + rng.normal(size=len(rows))

    def tell(policy, state, run, rows, rewards):
        for place in range(rows.shape[0]):
            for j in range(rows.shape[1]):
                run[FEATURES + j] = rows[place, j]
            play.note_reward(policy, state, 0, run, rewards[place])

    state, run = contract.new_state(policy, 1), contract.new_run(math.inf, policy)
    jit.entry(tell, (rb.LinearNGTS,))(policy, state, run, rows, rewards)
    design = np.column_stack([np.ones(len(rows)), rows])
    precision = design.T @ design + 0.01 * np.diag([0.0, 1.0, 1.0, 1.0, 1.0])
    assert np.linalg.cond(precision) > 1e6
    theta = np.linalg.solve(precision, design.T @ rewards)
    for x in rng.normal(size=(5, 4)):
        run[FEATURES : FEATURES + 4] = x
        mean, spread = regression.predict(state, 0, 4, run)
        at = np.concatenate([[1.0], x])
        assert mean == pytest.approx(at @ theta, rel=1e-8)
        assert spread == pytest.approx(at @ np.linalg.solve(precision, at), rel=1e-8)


def choices(arms, rho, policy=None, horizon=300):
    """The pulls of some runs, whose random streams depend neither on the arms nor on the risk measure."""
    problem = rb.Problem(arms, rb.MeanVariance(rho))
    policy = contract.with_features(policy or rb.LinearNGTS(), 3)
    job = Job("one", policy, problem, np.array([horizon // 2, horizon]), 20, 5, "plain")
    object.__setattr__(job, "key", (1, 2, 3, 4))
    return play_range(job, compiled_kernel(job), 0, 20, *no_signals()).pulls


def test_offset_and_scale_change_no_choice():
    usual = choices(ARMS, 1.0)
    assert (usual.min(axis=1) < 100).all()
    np.testing.assert_array_equal(choices(ARMS._replace(intercepts=ARMS.intercepts + 100.0), 1.0), usual)
    scaled = rb.LinearArms(np.multiply(COEFFICIENTS, 1000.0), ARMS.variances * 1e6, intercepts=ARMS.intercepts * 1000.0)
    np.testing.assert_array_equal(choices(scaled, 1000.0), usual)
    assert (choices(ARMS._replace(intercepts=ARMS.intercepts * 2.0), 1.0) != usual).any()


def constant_alone(runs):
    """Final pulls of the two policies that have one law where the constant is the only feature."""
    problem = rb.Problem(rb.GaussianArms([0.1, 0.5, 0.3], [0.05, 0.5, 0.2]), RISK)
    one = rb.LinearNGTS(pooled=False)
    other = rb.NGTS(shape=0.0, rate=0.5, plays_first=1, pooled=False, optimism=0.0)
    options = {"horizon": 120, "runs": runs, "progress": False, "method": "plain"}
    return [
        rb.simulate(problem, [policy], seed=seed, **options).traces[0].pulls for policy, seed in ((one, 1), (other, 2))
    ]


@pytest.mark.parametrize("runs", [2000, pytest.param(20_000, marks=pytest.mark.full)])
def test_the_constant_alone_gives_the_law_of_ngts(runs):
    one, other = constant_alone(runs)
    for k in range(3):
        assert stats.ks_2samp(one[:, k], other[:, k]).pvalue > 1e-4, k


def test_the_constant_alone_draws_what_ngts_draws():
    problem = rb.Problem(rb.GaussianArms([0.1, 0.5, 0.3], [0.05, 0.5, 0.2]), RISK)
    found = []
    for policy in (rb.LinearNGTS(pooled=False), rb.NGTS(0.0, 0.5, 1, False, 0.0)):
        job = Job("one", policy, problem, np.array([500]), 10, 5, "plain")
        object.__setattr__(job, "key", (1, 2, 3, 4))
        found.append(play_range(job, compiled_kernel(job), 0, 10, *no_signals()).pulls)
    np.testing.assert_array_equal(*found)


@pytest.mark.parametrize("rho", [0.01, 1.0, 50.0])
def test_runs_have_the_law_of_a_textbook_twin(rho):
    arms, problem = ARMS, rb.Problem(ARMS, rb.MeanVariance(rho))
    steps = [40, 150]
    result = rb.simulate(problem, [rb.LinearNGTS()], horizon=150, runs=400, seed=3, checkpoints=steps, progress=False)
    trace = result.traces[0]
    twin = naive.LinearTwin(arms.coefficients, arms.variances, arms.intercepts, rho, 150, 400, seed=9).play()
    measured = [(f"regret at {t}", metrics.contextual_regret(trace)[:, c], twin.regret(t)) for c, t in enumerate(steps)]
    measured += [(f"pulls of {k}", trace.pulls[:, k], twin.pulls[:, k]) for k in range(3)]
    best = metrics.best_arm_share(trace)[:, -1] * 150
    measured.append(("best", best, twin.best.sum(axis=1)))
    assert [line for name, ours, theirs in measured for line in complaints(name, ours, theirs)] == []


def test_no_arm_looks_too_risky_for_ever():
    """Features move the means far beyond the noise: an arm with few rewards must not carry that as its variance."""
    arms = rb.LinearArms([[5.0, -3.0], [-4.0, 6.0]], [0.1, 1.0], intercepts=[0.0, 3.0])
    options = {"horizon": 1000, "runs": 40, "seed": 1, "progress": False}
    [trace] = rb.simulate(rb.Problem(arms, rb.MeanVariance(0.1)), [rb.LinearNGTS()], **options).traces
    assert (
        metrics.contextual_regret(trace)[:, -1].max() < 100.0
    )  # 900 in a third of the runs if two arms are waited for


def test_features_pay_and_delays_keep_the_features_of_the_decision():
    options = {"horizon": 1500, "runs": 40, "seed": 2, "progress": False}
    with_them, without = rb.simulate(PROBLEM, [rb.LinearNGTS(), rb.NGTS()], **options).traces
    late = rb.simulate(PROBLEM, [rb.LinearNGTS()], delay=rb.Delay.fixed(50), **options).traces[0]
    faded = rb.simulate(PROBLEM, [rb.Discounted(rb.LinearNGTS(), half_life=500)], **options).traces[0]
    regrets = [metrics.contextual_regret(trace)[:, -1].mean() for trace in (with_them, late, faded, without)]
    assert regrets[0] < 0.15 * regrets[3]
    assert regrets[1] < 0.3 * regrets[3]  # a policy told the features of another decision learns nothing
    assert regrets[2] < 0.4 * regrets[3]


@pytest.mark.full
def test_a_delay_of_nothing_changes_nothing():
    policy = contract.with_features(rb.LinearNGTS(), 3)
    now = Job("one", policy, PROBLEM, np.array([300]), 3, 5, "plain")
    late = now.replace(method="delayed", delay=rb.Delay.fixed(0))
    for job in (now, late):
        object.__setattr__(job, "key", (1, 2, 3, 4))
    pulls = [play_range(job, compiled_kernel(job), 0, 3, *no_signals()).pulls for job in (now, late)]
    np.testing.assert_array_equal(*pulls)


def test_every_way_to_run_gives_one_table():
    options = {"horizon": 60, "runs": 4, "seed": 3, "progress": False}
    policies = [rb.Discounted(rb.LinearNGTS(), half_life=50)]
    tables = [
        rb.simulate(PROBLEM, policies, method=method, engine=engine, check=check, **options).table()
        for method, engine, check in (
            ("plain", "threads", False),
            ("auto", "processes", False),
            ("python", "threads", False),
            ("plain", "threads", True),
        )
    ]
    for other in tables[1:]:
        assert tables[0].equals(other)


def test_tables_files_sweeps_and_comparisons(tmp_path):
    options = {"horizon": 80, "runs": 4, "seed": 3, "progress": False}
    result = rb.simulate(PROBLEM, [rb.LinearNGTS(), rb.NGTS()], **options)
    assert result.labels == ["LinearNGTS", "NGTS"]
    assert [name for name in result.table() if name.endswith("_mean")] == [
        "contextual_regret_mean", "best_arm_share_mean",
    ]  # fmt: skip
    assert "contextual regret" in str(result)
    result.save(tmp_path / "one.parquet")
    assert rb.load(tmp_path / "one.parquet").problem == PROBLEM
    swept = rb.sweep(lambda rho: PROBLEM.with_risk(rb.MeanVariance(rho)), [0.1, 10.0], [rb.LinearNGTS()], **options)
    assert "Contextual regret" in str(swept)
    compared = rb.compare([PROBLEM], [rb.LinearNGTS(), rb.UniformRandom()], **options)
    assert compared.leaderboard()["policy"].tolist() == ["LinearNGTS", "UniformRandom"]


def test_common_rewards_bring_the_same_features():
    """Of policies that play one arm alone: regrets agree run by run, since decisions and their gaps are the same."""
    from riskbandits.simulation.runner import run_jobs

    made = [
        Job(name, policy, PROBLEM, np.array([200]), 5, 1, "plain", common_rewards=True)
        for name, policy in (("a", rb.UCB1()), ("b", rb.UniformRandom()))
    ]
    one_arm = rb.Problem(rb.LinearArms(COEFFICIENTS[:1], [1.0]), RISK)
    first, second = run_jobs([job.replace(problem=one_arm) for job in made], workers=1)
    np.testing.assert_array_equal(first.reward_sums, second.reward_sums)
    assert np.ptp(first.reward_sums) > 0.0


@pytest.mark.parametrize(
    ("features", "means"),
    [
        (rb.NormalFeatures([1.0, -2.0], [0.5, 2.0]), [1.0, -2.0]),
        (rb.UniformFeatures([0.0, -1.0], [1.0, 3.0]), [0.5, 1.0]),
        (rb.GroupFeatures([0.25, 0.75]), [0.25, 0.75]),
        (rb.RecordedFeatures([[1.0, 2.0], [3.0, 4.0], [5.0, 9.0]]), [3.0, 5.0]),
    ],
)
def test_features_have_the_means_that_they_say(features, means):
    problem = rb.Problem(rb.LinearArms([[1.0, 0.5], [0.0, 2.0]], [1.0, 1.0], features), RISK)
    check_arms(problem.arms)
    features, rng, cells = problem.arms.features, np.random.default_rng(1), np.zeros((4000, 2))
    for row in range(4000):
        features.write(rng, cells, row, 0)
    assert [features.mean(j) for j in range(2)] == pytest.approx(means)
    error = cells.std(axis=0) / math.sqrt(4000)
    assert (np.abs(cells.mean(axis=0) - means) < 4.5 * error).all()
    check_policy(rb.LinearNGTS(), problem)


def test_hard_rewards_leave_numbers():
    """Rewards that are all equal, or huge; one arm; features that never vary; an extreme rho."""
    options = {"horizon": 200, "runs": 2, "seed": 1, "progress": False}
    still = rb.RecordedFeatures([[0.0, 1.0]])
    for arms, rho in (
        (rb.LinearArms([[0.0, 0.0]] * 2, [0.0, 0.0], intercepts=[3.0, 3.0]), 1.0),
        (rb.LinearArms([[1e6, 0.0], [0.0, 1e6]], [1e12, 1.0], intercepts=[1e9, 1e9]), 1e-6),
        (rb.LinearArms([[1.0, 2.0]], [1.0]), 1.0),
        (rb.LinearArms([[1.0, 2.0], [0.0, 1.0]], [1.0, 0.0], still), 1e6),
    ):
        result = rb.simulate(rb.Problem(arms, rb.MeanVariance(rho)), [rb.LinearNGTS()], **options)
        assert np.isfinite(result.table().select_dtypes("number").to_numpy()).all()


def test_a_price_that_nobody_has_paid_yet_is_not_shut_out():
    """Two prices, 10 with probability 0.2 and 100 with 0.05, and features that say nothing; the second is better."""

    def play_sales(policy, risk, rng, state, run, rows, rewards, nothing_outstanding):
        late = 0
        for step in range(rows.shape[0]):
            play.begin_step(run, step + 1)
            for j in range(rows.shape[1]):
                run[FEATURES + j] = rows[step, j]
            k = step if step < 2 else play.choose(policy, state, run, risk, rng, nothing_outstanding)
            late += k == 1 and 2 * step >= rows.shape[0]
            play.note_reward(policy, state, k, run, rewards[step, k])
        return late

    risk, policy, shares = rb.MeanVariance(1000.0), rb.LinearNGTS(features=2), []
    entry = jit.entry(play_sales, (rb.LinearNGTS, rb.MeanVariance))
    for number in range(40):
        rng = np.random.default_rng([3, number])
        rewards = (rng.random((3000, 2)) < [0.2, 0.05]) * [10.0, 100.0]
        state, run = contract.new_state(policy, 2), contract.new_run(math.inf, policy)
        rows, none = rng.normal(size=(3000, 2)), np.zeros(2, dtype=np.int64)
        shares.append(entry(policy, risk, rng, state, run, rows, rewards, none) / 1500)
    assert np.mean(np.array(shares) < 0.05) < 0.1  # 0.3 where equal rewards count as evidence on the variance


def test_arms_that_pay_the_same_every_time():
    """Such an arm is played if it is best, and left if it is not; without a pooled unit only the prior counts."""
    for paid, least, most in ((0.6, 0.9, 1.0), (-2.0, 0.0, 0.1)):
        arms = rb.LinearArms([[0.0], [0.0], [0.0]], [0.0, 0.5, 1.0], intercepts=[paid, 0.5, 0.5])
        result = rb.simulate(rb.Problem(arms, RISK), [rb.LinearNGTS()], horizon=1000, runs=20, progress=False)
        assert least < result.pulls("LinearNGTS")[:, 0].mean() / 1000 < most
    state, _ = told(rb.LinearNGTS(), np.zeros((3, 0)), [2.0, 2.0, 2.0])
    assert rb.LinearNGTS().all_equal(state, 0)
    assert not rb.LinearNGTS(pooled=False).all_equal(state, 0)
    assert not rb.LinearNGTS().all_equal(told(rb.LinearNGTS(), np.zeros((1, 0)), [2.0])[0], 0)
    one = rb.LinearNGTS(features=1)
    for fades in (None, [0.5] * 4):
        assert one.all_equal(told(one, [[1.0], [2.0], [3.0], [0.1]], [2.3] * 4, fades)[0], 0) == (fades is None)


def test_more_features_than_rewards():
    rng = np.random.default_rng(0)
    arms = rb.LinearArms(rng.normal(size=(3, 60)), [1.0] * 3)
    result = rb.simulate(rb.Problem(arms, RISK), [rb.LinearNGTS()], horizon=100, runs=2, progress=False)
    assert np.isfinite(result.table()["contextual_regret_mean"]).all()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: run_of(rb.LinearNGTS(features=2)), "LinearNGTS(features=2) was given decisions with 3 features"),
        (lambda: run_of(rb.LinearNGTS(), method="lazy"), "scores every arm at every step, since features change"),
        (lambda: run_of(rb.LinearNGTS(), method="leap"), "scores every arm at every step, since features change"),
        (lambda: run_of(rb.LinearNGTS(), engine="cuda"), "LinearNGTS has features of decisions, which a GPU"),
        (lambda: run_of(rb.NGTS(), engine="cuda"), "LinearArms has features of decisions, which a GPU"),
        (lambda: run_of(rb.SwitchingAware(rb.LinearNGTS())), "SwitchingAware charges for changing the mean"),
        (lambda: run_of(rb.Restarting(rb.LinearNGTS())), "Restarting takes other features for a change of the arms"),
        (lambda: run_of(rb.LinearNGTS(features=-1)), "from 0 to 500"),
        (lambda: run_of(rb.LinearNGTS(shape=-0.5)), "greater than -1/2"),
        (lambda: metrics.regret(run_of(rb.LinearNGTS()).traces[0]), "is for arms without features"),
        (lambda: rb.identify(PROBLEM, rb.SequentialHalving(), budget=100), "is for arms without features"),
        (lambda: rb.Problem(rb.LinearArms([[1.0]], [1.0, 2.0]), RISK), "as many variances as rows of coefficients (1)"),
        (lambda: rb.Problem(rb.LinearArms([[1.0]], [1.0], rb.GroupFeatures([0.5, 0.5])), RISK), "as many features as"),
        (lambda: rb.Problem(rb.LinearArms([[1.0]], [1.0], rb.GroupFeatures([0.5])), RISK), "numbers that add up to 1"),
        (lambda: rb.Problem(rb.LinearArms([[1.0]], [1.0], "normal"), RISK), "distribution of features"),
        (lambda: rb.Problem(rb.LinearArms(3, [1.0]), RISK), "'coefficients' parameter of LinearArms"),
    ],
)
def test_refusals_are_sentences(call, words):
    with pytest.raises(rb.RiskBanditsError) as caught:
        call()
    assert words in str(caught.value)


def run_of(policy, **options):
    return rb.simulate(PROBLEM, [policy], horizon=20, runs=1, progress=False, **options)


def test_the_unit_is_that_of_the_residuals():
    policy, rng = rb.LinearNGTS(features=1), np.random.default_rng(2)
    state, run = contract.new_state(policy, 2), contract.new_run(math.inf, policy)
    for step in range(400):
        run[FEATURES] = rng.normal()
        k = step % 2
        play.note_reward(policy, state, k, run, 50.0 * run[FEATURES] + (1.0, 4.0)[k] * rng.normal())
    assert run[UNIT] == pytest.approx(4.0, rel=0.25)  # the geometric mean of 1 and 16, not 2500
