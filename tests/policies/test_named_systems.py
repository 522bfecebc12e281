"""The named systems against textbook versions: the same choices on the same rewards, or the same distribution."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import riskbandits as rb
from riskbandits.core.errors import RefusalError
from riskbandits.policies.support import contract, play

STEPS = 400


def choices(policy, problem, steps=STEPS, seed=0):
    """The policy in plain Python, on rewards drawn beforehand; what it chose and what it was paid."""
    rng = np.random.default_rng(seed)
    arms = problem.arms
    rewards = [[arms.draw(k, rng) for _ in range(steps)] for k in range(problem.size)]
    state = contract.new_state(policy, problem.size)
    run = contract.new_run(steps, policy, problem.size, steps)
    outstanding = np.zeros(problem.size, dtype=np.int64)
    chosen, told = [], [[] for _ in range(problem.size)]
    forced = contract.first_pulls(policy) * problem.size
    for t in range(1, steps + 1):
        play.begin_step(run, t)
        k = t - 1 if t <= forced else play.choose(policy, state, run, problem.risk, rng, outstanding)
        play.note_choice(policy, state, k, run)
        reward = rewards[k][len(told[k])]
        told[k].append(reward)
        play.note_reward(policy, state, k, run, reward)
        chosen.append(k)
    return chosen, rewards


def textbook_choices(index, rewards, steps=STEPS):
    """Once each arm, then the largest index of the rewards so far: everything recomputed at every step."""
    size = len(rewards)
    pulls = [0] * size
    chosen = []
    for t in range(1, steps + 1):
        scores = [index(rewards[k][: pulls[k]], t, steps) for k in range(size)] if t > size else None
        k = t - 1 if scores is None else int(np.argmax(scores))
        pulls[k] += 1
        chosen.append(k)
    return chosen


def cvar(x, level):
    """sup_y {y - E[(y - X)^+]/a}, by its definition: the supremum is at a reward."""
    return max(y - np.maximum(y - np.array(x), 0.0).mean() / level for y in x)


def semideviation(x, weight):
    return np.mean(x) - weight * np.maximum(np.mean(x) - np.array(x), 0.0).mean()


def coherent_bonus(x, t, constant, width=1.0):
    return constant * width * math.sqrt(2 * math.log(t) / len(x))


def cvar_ucb(x, level, highest, n):
    ordered = [*sorted(x), highest]
    band = math.sqrt(math.log(2 * n**2) / (2 * len(x)))
    lost = [(ordered[i] - ordered[i - 1]) * min(max(i / len(x) - band, 0.0), level) for i in range(1, len(x) + 1)]
    return highest - sum(lost) / level


def entropic_bound(x, aversion, t):
    y = (np.exp(-aversion * np.array(x)) - math.exp(-aversion)) / (1 - math.exp(-aversion))
    budget = max(0.0, math.log(t) + 3 * math.log(math.log(t))) / len(x)
    p, low, high = float(y.mean()), 0.0, float(y.mean())
    for _ in range(200):  # the smallest q with d(p, q) <= budget
        q = 0.5 * (low + high)
        d = p * math.log(p / q) + ((1 - p) * math.log((1 - p) / (1 - q)) if p < 1 else 0.0)
        low, high = (low, q) if d <= budget else (q, high)
    return -math.log(high * (1 - math.exp(-aversion)) + math.exp(-aversion)) / aversion


def truncated(x, t, u, e):
    kept = [
        one if abs(one) <= (u * i / (2 * math.log(t))) ** (1 / (1 + e)) else 0.0 for i, one in enumerate(x, start=1)
    ]
    return sum(kept) / len(x) + 4 * u ** (1 / (1 + e)) * (2 * math.log(t) / len(x)) ** (e / (1 + e))


def median_of_means(x, t, u, e):
    log = math.log(math.exp(1 / 8) * t**2)
    blocks = max(1, math.floor(min(8 * log, len(x) / 2)))
    length = len(x) // blocks
    means = np.array(x[: blocks * length]).reshape(blocks, length).mean(axis=1)
    return float(np.median(means)) + (12 * u) ** (1 / (1 + e)) * (16 * log / len(x)) ** (e / (1 + e))


def rssr_bound(x, t, n, least):
    """Term by term as in the authors' scripts, with the exploration that comes first."""
    if len(x) < math.ceil(8 * math.log(n) / least**2):
        return math.inf
    second, mean = np.mean(np.square(x)), np.mean(x)
    v = second - mean**2
    e = math.sqrt(2 * math.log(t) / len(x))
    below = (v + least) * (v + least - 3 * e)
    return mean**2 / (least + v) + (second + v + 2 * e + least) * e / below if below > 0 else math.inf


def gra_choices(rewards, steps, least, error):
    """As in the authors' scripts: every arm in its turn, then the index of the arm just played alone is renewed."""
    quota = math.ceil(8 * math.log(steps) / least**2)

    def index(x, t):
        spread = np.var(x) * (len(x) - 1) / stats.chi2.ppf(1 - error, len(x) - 1)
        return (np.mean(x) ** 2 + math.sqrt(math.log(t) / len(x))) / (least + spread)

    pulls = [quota] * len(rewards)
    indices = [index(one[:quota], quota) for one in rewards]
    chosen = [k for k in range(len(rewards)) for _ in range(quota)]
    for t in range(len(chosen) + 1, steps + 1):
        k = int(np.argmax(indices))
        pulls[k] += 1
        indices[k] = index(rewards[k][: pulls[k]], t)
        chosen.append(k)
    return chosen


def sharpe_bound(x, t, b):
    radius = b * math.sqrt(math.log(t) / len(x))
    m, v = np.mean(x), np.var(x)
    grid = [(m + a * radius, max(0.0, v + c * b * radius)) for a in (-1, 1) for c in (-1, 1)]
    return max(mean**2 / (1 + variance) for mean, variance in grid)


UNIFORM = rb.UniformArms([0.0, 0.3, 0.1], [1.0, 0.7, 0.8])
ROUNDED = rb.BernoulliArms([0.3, 0.5, 0.6])  # ties all over
HEAVY = rb.StudentTArms([0.0, 0.5, 0.4], [1.0, 1.0, 1.0], [2.5, 2.5, 2.5])
WIDE = rb.UniformArms([-1.0, -0.4, -0.8], [2.0, 0.8, 1.5])
MEAN, TAIL, SHARPE = rb.Mean(), rb.CVaR(0.3), rb.Sharpe.squared()

CASES = [
    (rb.UCB1(), MEAN, UNIFORM, lambda x, t, n: np.mean(x) + math.sqrt(2 * math.log(t) / len(x))),
    (
        rb.UCBV(),
        MEAN,
        UNIFORM,
        lambda x, t, n: np.mean(x) + math.sqrt(2.4 * np.var(x) * math.log(t) / len(x)) + 3.6 * math.log(t) / len(x),
    ),
    (
        rb.MaRaB(caution=0.02),
        rb.CVaR(0.9),
        UNIFORM,
        lambda x, t, n: cvar(x, 0.9) - 0.02 * math.sqrt(math.log(math.ceil(0.9 * t)) / math.ceil(0.9 * len(x))),
    ),
    (rb.UUCB(), TAIL, UNIFORM, lambda x, t, n: cvar(x, 0.3) + 1 / 0.3 * math.sqrt(math.log(t) / len(x))),
    (rb.UUCB(), TAIL, ROUNDED, lambda x, t, n: cvar(x, 0.3) + 1 / 0.3 * math.sqrt(math.log(t) / len(x))),
    (rb.CoherentUCB(), TAIL, UNIFORM, lambda x, t, n: cvar(x, 0.3) + coherent_bonus(x, t, 1 / 0.3)),
    (
        rb.CoherentUCB(),
        rb.MeanSemideviation(0.8),
        ROUNDED,
        lambda x, t, n: semideviation(x, 0.8) + coherent_bonus(x, t, 1.8),
    ),
    (
        rb.CoherentUCB(-1.0, 2.0),
        rb.Expectile(0.4),
        WIDE,
        lambda x, t, n: stats.expectile(x, alpha=0.4) + coherent_bonus(x, t, 0.6 / 0.4, 3.0),
    ),
    (rb.CVaRUCB(), TAIL, UNIFORM, lambda x, t, n: cvar_ucb(x, 0.3, 1.0, n)),
    (rb.CVaRUCB(), TAIL, ROUNDED, lambda x, t, n: cvar_ucb(x, 0.3, 1.0, n)),
    (rb.RAUCB(), rb.Entropic(3.0), UNIFORM, lambda x, t, n: entropic_bound(x, 3.0, t)),
    (rb.RobustUCB(moment=4.0), MEAN, HEAVY, lambda x, t, n: truncated(x, t, 4.0, 1.0)),
    (rb.RobustUCB(moment=0.3, order=0.7), MEAN, HEAVY, lambda x, t, n: truncated(x, t, 0.3, 0.7)),
    (rb.RobustUCB(0.5, 1.0, True), MEAN, HEAVY, lambda x, t, n: median_of_means(x, t, 0.5, 1.0)),
    (rb.SharpeUCB(), SHARPE, UNIFORM, lambda x, t, n: sharpe_bound(x, t, 1.0)),
    (rb.UCBRSSR(), SHARPE, UNIFORM, lambda x, t, n: rssr_bound(x, t, n, 1.0)),
    (rb.UCBRSSR(), rb.Sharpe(2.5, squares_mean=True), HEAVY, lambda x, t, n: rssr_bound(x, t, n, 2.5)),
    (rb.HorizonUCB(0.5), MEAN, UNIFORM, lambda x, t, n: np.mean(x) + 0.5 * math.sqrt(2 * math.log(n) / len(x))),
]


@pytest.mark.parametrize(("policy", "risk", "arms", "index"), CASES, ids=lambda one: type(one).__name__)
def test_the_same_choices_as_the_textbook(policy, risk, arms, index):
    ours, rewards = choices(policy, rb.Problem(arms, risk))
    assert len(set(ours[10:])) > 1  # a test in which something happens
    theirs = textbook_choices(index, rewards)
    first = next((t for t in range(STEPS) if ours[t] != theirs[t]), STEPS)
    if first < STEPS:  # equal up to a tie that rounding broke
        told = [rewards[k][: ours[:first].count(k)] for k in range(len(rewards))]
        scores = [index(told[k], first + 1, STEPS) for k in range(len(rewards))]
        assert scores[ours[first]] == pytest.approx(scores[theirs[first]], rel=1e-12)


@pytest.mark.parametrize(("least", "error", "arms"), [(1.0, 0.05, UNIFORM), (1.7, 0.3, HEAVY)])
def test_modified_gra_ucb_chooses_as_in_the_scripts(least, error, arms):
    ours, rewards = choices(rb.ModifiedGRAUCB(error), rb.Problem(arms, rb.Sharpe(least, squares_mean=True)))
    theirs = gra_choices(rewards, STEPS, least, error)
    quota = math.ceil(8 * math.log(STEPS) / least**2)
    assert sorted(ours[: 3 * quota]) == sorted(theirs[: 3 * quota])
    assert ours[3 * quota :] == theirs[3 * quota :]
    assert len(set(ours[3 * quota :])) > 1


def test_indices_by_hand():
    """Two arms, rewards 0.2, 0.4, 0.9 and 0.5, before step 5 of 10, at level 1/2."""
    x = [0.2, 0.4, 0.9]
    assert cvar(x, 0.5) == pytest.approx((0.2 + 0.5 * 0.4) / 1.5)
    band = math.sqrt(math.log(200) / 6)  # 0.94: all but the last clip is 0, and that is 1 - 0.94
    assert cvar_ucb(x, 0.5, 1.0, 10) == pytest.approx(1 - (1.0 - 0.9) * (1 - band) / 0.5)
    # With ln 2 the borders are 0.85 and 1.2.
    assert truncated([1.0, -3.0], 2, 1.0, 1.0) == pytest.approx(4 * math.sqrt(math.log(2)))
    assert truncated([0.5, -3.0], 2, 1.0, 1.0) == pytest.approx(0.25 + 4 * math.sqrt(math.log(2)))


def score_of(policy, risk, rewards=(0.2, 0.4, 0.9), step=5, horizon=10.0):
    """The index of an arm with these rewards."""
    state, run = contract.new_state(policy, 1), contract.new_run(horizon, policy, 1, len(rewards))
    for reward in rewards:
        play.note_reward(policy, state, 0, run, reward)
    play.begin_step(run, step)
    contract.prepare(policy, state, run, risk, None)
    return policy.score(state, 0, run, risk, None)


# Rewards 0.2, 0.4, 0.9 before step 5 of 10: m = 0.5, v = 0.086667, ln 5 = 1.609438, CVaR at 1/2 = 0.266667.
BY_HAND = [
    (rb.UCB1(), MEAN, 0.5 + 1.035837),
    (rb.UCBV(), MEAN, 0.5 + 0.334047 + 1.931326),
    (rb.MaRaB(), rb.CVaR(0.5), 0.266667 - 0.741152),  # sqrt(ln 3 / 2)
    (rb.UUCB(), rb.CVaR(0.5), 0.266667 + 2 * 0.732448),
    (rb.CoherentUCB(), rb.CVaR(0.5), 0.266667 + 2 * 1.035837),  # sqrt(2) times the bonus of UUCB
    (rb.CoherentUCB(-1.0, 2.0), rb.MeanSemideviation(0.5), 0.5 - 0.5 * 0.4 / 3 + 1.5 * 3 * 1.035837),
    (rb.CoherentUCB(), rb.Expectile(0.25), 0.38 + 3 * 1.035837),  # 0.25 (0.9 - m + 0.4 - m) = 0.75 (m - 0.2)
    (rb.CVaRUCB(), rb.CVaR(0.5), 0.987942),  # 1 - 2 (0.1)(1 - 0.939709)
    (rb.RobustUCB(), MEAN, 0.5 + 4 * 1.035837),  # the borders are 0.557, 0.788 and 0.965: nothing is cut
    (rb.RobustUCB.median_of_means(), MEAN, 0.5 + 3.464102 * 4.223033),  # one block
    (rb.SharpeUCB(), SHARPE, 1.232448**2),  # the variance may be 0
    (rb.UCBRSSR(), SHARPE, math.inf),  # 8 ln 10 = 18.4 pulls come first
    # e = 1.035837, x = 0.336667, L + v = 5.086667: 0.049148 + e (0.336667 + 5.086667 + 2 e)/(5.086667 (1.979156))
    (rb.UCBRSSR(), rb.Sharpe(5.0, squares_mean=True), 0.049148 + 0.771176),
    # Told before the first step, as recorded rewards are: no bonus yet. Chi-square with 2 degrees: 5.991465.
    (rb.ModifiedGRAUCB(), rb.Sharpe(10.0, squares_mean=True), 0.25 / (10.0 + 0.086667 * 2 / 5.991465)),
    (rb.HorizonUCB(), MEAN, 0.5 + 1.238974),  # sqrt(2 ln 10 / 3)
]


@pytest.mark.parametrize(("policy", "risk", "index"), BY_HAND, ids=lambda one: type(one).__name__)
def test_scores_by_hand(policy, risk, index):
    assert score_of(policy, risk) == pytest.approx(index, abs=2e-5)


def test_a_truncated_reward_counts_as_nothing():
    assert score_of(rb.RobustUCB(), MEAN, (0.2, 0.9, 0.4)) == pytest.approx(0.2 + 4 * 1.035837, abs=1e-5)


def test_ra_ucb_by_hand():
    """The bound on the transformed reward is where 3 d(mean, q) = ln 5 + 3 ln ln 5 = 3.037093."""
    index = score_of(rb.RAUCB(), rb.Entropic(1.0))
    y = (np.exp([-0.2, -0.4, -0.9]) - math.exp(-1)) / (1 - math.exp(-1))
    p, q = y.mean(), (math.exp(-index) - math.exp(-1)) / (1 - math.exp(-1))
    assert 0 < q < p
    assert 3 * (p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))) == pytest.approx(3.037093, abs=1e-5)


@pytest.mark.parametrize("weight", [0.5, 3.0])
def test_dsee_explores_as_often_as_it_should_and_then_plays_the_best_mean(weight):
    problem = rb.Problem(UNIFORM, MEAN)
    ours, rewards = choices(rb.DSEE(weight), problem)
    explored, told = 0, [[] for _ in range(3)]
    for t, k in enumerate(ours, start=1):
        if explored < 3 * math.ceil(weight * math.log(t)) or t <= 3:
            assert k == explored % 3
            explored += 1
        else:
            assert k == int(np.argmax([np.mean(x) for x in told]))
        told[k].append(rewards[k][len(told[k])])


def pulls_of(policy, problem, runs=1500, horizon=150):
    return (
        rb.simulate(problem, [policy], horizon=horizon, runs=runs, seed=3, progress=False, method="plain")
        .traces[0]
        .pulls
    )


def textbook_pulls(draw_scores, problem, runs=1500, horizon=150, once=True):
    """Thompson sampling, vectorised over runs with NumPy's variates."""
    rng = np.random.default_rng(8)
    size = problem.size
    count, total, squares = (np.zeros((runs, size)) for _ in range(3))
    rows = np.arange(runs)
    for t in range(horizon):
        forced = once and t < size
        k = np.full(runs, t) if forced else np.argmax(draw_scores(rng, count, total, squares), axis=1)
        if isinstance(problem.arms, rb.BernoulliArms):
            reward = (rng.random(runs) < problem.means[k]).astype(float)
        else:
            reward = rng.normal(problem.means[k], np.sqrt(problem.variances[k]))
        count[rows, k] += 1
        total[rows, k] += reward
        squares[rows, k] += reward**2
    return count


def gaussian_draws(rng, count, total, squares):
    mean = total / count
    theta = rng.normal(mean, 1 / np.sqrt(count))
    rest = np.maximum(squares - count * mean**2, 0.0)
    return theta, (0.5 + 0.5 * rest) / rng.gamma(0.5 + 0.5 * count)


def constrained(threshold, level):
    def scores(rng, *sums):
        theta, variance = gaussian_draws(rng, *sums)
        tail = theta - np.sqrt(variance) * stats.norm.pdf(stats.norm.ppf(level)) / level
        feasible = tail >= threshold
        return np.where(feasible.any(axis=1, keepdims=True), np.where(feasible, theta, -np.inf), tail)

    return scores


def ratio(rng, *sums):
    theta, variance = gaussian_draws(rng, *sums)
    return theta / (0.5 + 2.0 * variance)


def beta_draw(rng, count, total, squares):
    return rng.beta(1 + total, 1 + count - total)


GAUSSIAN = rb.GaussianArms([0.1, 0.6, 0.9], [0.05, 0.3, 1.5])
LAWS = [
    (rb.GaussianTS(), MEAN, GAUSSIAN, lambda rng, c, x, s: rng.normal(x / c, 1 / np.sqrt(c)), True),
    pytest.param(rb.BernoulliTS(), MEAN, ROUNDED, beta_draw, False, marks=pytest.mark.full),
    pytest.param(rb.SRTS(), rb.Sharpe(0.5, 2.0), GAUSSIAN, ratio, True, marks=pytest.mark.full),
    (rb.CVaRTS(threshold=-0.4, level=0.2), MEAN, GAUSSIAN, constrained(-0.4, 0.2), True),
]


@pytest.mark.parametrize(("policy", "risk", "arms", "scores", "once"), LAWS, ids=lambda one: type(one).__name__)
def test_the_same_law_as_the_textbook(policy, risk, arms, scores, once):
    problem = rb.Problem(arms, risk)
    ours, theirs = pulls_of(policy, problem), textbook_pulls(scores, problem, once=once)
    for k in range(problem.size):
        assert stats.ks_2samp(ours[:, k], theirs[:, k]).pvalue > 1e-3
        error = math.hypot(ours[:, k].std(), theirs[:, k].std()) / math.sqrt(len(ours))
        assert abs(ours[:, k].mean() - theirs[:, k].mean()) < 4 * error


def test_another_threshold_is_another_law():
    """The test above would notice: the constraint decides which arm is played."""
    problem = rb.Problem(GAUSSIAN, MEAN)
    ours = pulls_of(rb.CVaRTS(threshold=-0.4, level=0.2), problem)
    theirs = textbook_pulls(constrained(-0.5, 0.2), problem)
    assert min(stats.ks_2samp(ours[:, k], theirs[:, k]).pvalue for k in range(3)) < 1e-4


def test_the_feasibility_flag():
    policy = rb.CVaRTS(threshold=0.0, level=0.1)
    state = contract.new_state(policy, 2)
    assert not policy.feasible(state)  # nothing is known
    for reward in (0.9, 1.0, 1.1):
        policy.learn(state, 0, None, reward)
    for reward in (-3.0, 5.0):
        policy.learn(state, 1, None, reward)
    assert policy.feasible(state)
    assert not rb.CVaRTS(threshold=2.0, level=0.1).feasible(state)


REFUSALS = [
    (rb.UCB1(), rb.MeanVariance(1), "UCB1 is defined for Mean only"),
    (rb.UCBV(), TAIL, "Mean only"),
    (rb.GaussianTS(), TAIL, "Mean only"),
    (rb.DSEE(), TAIL, "Mean only"),
    (rb.RobustUCB(), TAIL, "Mean only"),
    (rb.BernoulliTS(), MEAN, "rewards are 0 or 1"),
    (rb.MaRaB(), MEAN, "CVaR only"),
    (rb.UUCB(), MEAN, "CVaR only"),
    (rb.CVaRUCB(), MEAN, "CVaR only"),
    (rb.CoherentUCB(), MEAN, "measures that state their Lipschitz constant, .* Got Mean instead"),
    (rb.CoherentUCB(), rb.Expectile(), "CoherentUCB needs arms whose rewards lie between 0 and 1"),
    (rb.RAUCB(), MEAN, "Entropic only"),
    (rb.SRTS(), MEAN, "Sharpe only"),
    (rb.SharpeUCB(), MEAN, "Sharpe only"),
    (rb.UCBRSSR(), MEAN, "Sharpe only"),
    (rb.UCBRSSR(), rb.Sharpe(), r"Sharpe.squared\(\) with weight 1 only"),
    (rb.ModifiedGRAUCB(), MEAN, "Sharpe only"),
    (rb.ModifiedGRAUCB(), rb.Sharpe(weight=2.0, squares_mean=True), "ModifiedGRAUCB is defined for Sharpe.squared"),
    (rb.HorizonUCB(), TAIL, "Mean only"),
]


@pytest.mark.parametrize(("policy", "risk", "words"), REFUSALS, ids=lambda one: type(one).__name__)
def test_refusals(policy, risk, words):
    with pytest.raises(RefusalError, match=words):
        rb.simulate(rb.Problem(GAUSSIAN, risk), [policy], horizon=10, runs=1, progress=False)
