"""What a learner believes: intervals and probabilities that hold, although the policy chose what was seen."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from scipy import stats

import riskbandits as rb
from riskbandits.compiling import jit
from riskbandits.core.errors import ParameterError, RefusalError, ScaleWarning
from riskbandits.learner import posterior
from riskbandits.numerics import reward_sums

LEVELS = (0.5, 0.8, 0.95)


@pytest.fixture
def plain_python(monkeypatch):
    monkeypatch.setattr(jit, "entry", lambda function, classes, checked=False: function)


def spread(rng):
    return rng.normal(size=5), np.exp(rng.normal(scale=0.5, size=5)), 150


def returns(rng):
    """Small numbers, whose means differ little beside their spread."""
    return rng.normal(scale=0.001, size=5), 0.02 * np.exp(rng.normal(scale=0.5, size=5)), 300


def many_arms(rng):
    return rng.random(15), np.sqrt(rng.random(15) + 0.01), 300


def two_arms(rng):
    return rng.normal(scale=0.5, size=2), np.exp(rng.normal(scale=0.5, size=2)), 60


def coins(rng):
    return rng.random(6), None, 150


def after_a_run(policy, problem, seed):
    """A learner that chose for itself on a random problem, and what its arms are truly worth."""
    rng = np.random.default_rng((seed, 7))
    means, deviations, steps = problem(rng)
    learner = rb.Learner(policy, len(means), rb.MeanVariance(1.0), horizon=steps, seed=seed)
    for _ in range(steps):
        arm = learner.ask()
        if deviations is None:
            learner.tell(arm, float(rng.random() < means[arm]))
        else:
            learner.tell(arm, means[arm] + deviations[arm] * rng.standard_normal())
    return learner, means - (means * (1 - means) if deviations is None else deviations**2)


def held(policy, problem, runs):
    """Per run: whether the intervals held the value of the arm named, its probability, and whether it was the best."""
    rows = []
    for seed in range(runs):
        learner, values = after_a_run(policy, problem, seed)
        found = [learner.best(level) for level in LEVELS]
        arm = found[0].arm
        inside = [one.low <= values[arm] <= one.high for one in found]
        rows.append([*inside, found[0].probability, values.argmax() == arm])
    return np.array(rows, dtype=float)


def check(policy, problem, runs, slack):
    """Within three standard errors, and a slack for what no prior can know beforehand.

    The hull of three intervals is wider than each, most so in the middle of the distribution, and so the probability
    that an arm is the best is rather too small.
    """
    rows = held(policy, problem, runs)
    for level, share in zip(LEVELS, rows[:, :3].mean(axis=0), strict=True):
        error = 3.0 * math.sqrt(level * (1 - level) / runs) + slack
        assert level - error <= share <= level + error + 0.2 * (1.0 - level), (level, share)
    error = 3.0 * math.sqrt(max(rows[:, 3].mean() * (1.0 - rows[:, 3].mean()), 0.05) / runs)
    said, right = rows[:, 3:].mean(axis=0)
    assert -error - slack - 0.1 <= said - right <= error + slack, (said, right)


def test_intervals_and_probabilities_hold():
    check(rb.MVTS(), spread, runs=40, slack=0.03)


def test_intervals_hold_where_evidence_fades():
    rows = held(rb.Discounted(rb.MVTS(), half_life=100), spread, runs=40)
    for level, share in zip(LEVELS, rows[:, :3].mean(axis=0), strict=True):
        assert share >= level - 3.0 * math.sqrt(level * (1 - level) / 40), (level, share)


@pytest.mark.full
@pytest.mark.parametrize("problem", [spread, returns, many_arms, two_arms], ids=lambda one: one.__name__)
@pytest.mark.parametrize("policy", [rb.NGTS(), rb.SwitchingAware(), rb.MVTS()], ids=lambda one: type(one).__name__)
def test_intervals_and_probabilities_hold_under_each_policy(policy, problem):
    check(policy, problem, runs=400, slack=0.05)


@pytest.mark.full
def test_intervals_and_probabilities_hold_for_coins():
    check(rb.BMVTS(), coins, runs=400, slack=0.05)


def test_the_best_arm(plain_python):
    learner = rb.Learner(rb.NGTS(), ["a", "b", "c"], rb.MeanVariance(1.0))
    assert learner.best() is None
    learner.tell("a", 1.0)
    assert learner.best() is None
    assert learner.summary().low.isna().all()
    rng = np.random.default_rng(0)
    learner.tell(["a"] * 30 + ["b"] * 30, [*rng.normal(0.5, 0.3, size=30), *rng.normal(0.0, 0.3, size=30)])
    found = learner.best()
    assert found.arm == "a"
    assert repr(found).startswith(f"Best(arm='a', value={found.value:.4g}, low={found.low:.4g}, ")
    assert found.low < found.value < found.high
    assert 0.3 < found.probability < 0.95  # of the third nothing is known
    narrow = learner.best(level=0.5)
    assert found.low < narrow.low < narrow.high < found.high
    assert narrow.probability == found.probability
    learner.retire("c")
    assert learner.best().probability > 0.99
    learner.retire("a")
    assert learner.best().arm == "b"
    assert learner.best().probability == 1.0
    for wrong in (0, 1, 95, None, "0.9", math.nan, True):
        with pytest.raises(ParameterError, match="level must be a number between 0 and 1"):
            learner.best(wrong)


def test_asking_what_it_believes_changes_nothing(plain_python):
    one = rb.Learner(rb.NGTS(), ["a", "b"], rb.MeanVariance(1.0))
    one.tell(["a", "b"] * 3, [0.0, 1.0, 0.1, 0.9, 0.2, 0.5])
    before = one.to_json()
    found = [(one.best(), one.summary(), one.probabilities(), one.with_risk(rb.Mean())) for _ in range(2)]
    assert one.to_json() == before
    assert found[0][0] == found[1][0]
    assert found[0][1].equals(found[1][1])
    assert found[0][2].equals(found[1][2])


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e100])
def test_beliefs_do_not_depend_on_the_unit(scale):
    arms = [
        posterior.ArmSample([n, m * scale, s * scale * scale]) for n, m, s in [(5, 1.0, 2.0), (9, 0.5, 1.0), (0, 0, 0)]
    ]
    plain = [posterior.ArmSample([n, m, s]) for n, m, s in [(5, 1.0, 2.0), (9, 0.5, 1.0), (0, 0, 0)]]
    np.testing.assert_allclose(
        posterior.beliefs(rb.Mean(), arms).drawn,
        posterior.beliefs(rb.Mean(), plain).drawn * scale,
        rtol=1e-6,
        atol=1e-6 * scale,
    )


@pytest.mark.parametrize("rewards", [[3.0, 3.0], [0.0, 0.0], [1e140, -1e140], [1e8, 1e8 + 1], [5.0, 5.0 + 1e-13]])
def test_odd_rewards_are_believed_too(rewards, plain_python):
    learner = rb.Learner(rb.NGTS(), ["a", "b"], rb.MeanVariance(1.0))
    learner.tell(["a", "a", "b", "b"], [*rewards, *rewards])
    assert not math.isnan(learner.best().probability)
    summary = learner.summary()
    assert (summary.low <= summary.value).all()
    assert (summary.value <= summary.high).all()


def sums_of(rewards):
    """A row of `reward_sums`, from the rewards at once."""
    x = np.asarray(rewards, dtype=float)
    paid, d = x[x != 0.0], x - x.mean()
    amounts = [len(paid), paid.mean(), paid.var() * len(paid)] if len(paid) else [0.0] * 3
    return [len(x), x.mean(), *((d**j).sum() for j in range(2, 7)), *amounts]


@pytest.mark.parametrize(("shift", "scale"), [(0.0, 1.0), (1e3, 1.0), (-5.0, 1e-3), (2.0, 1e3)])
def test_sums_are_those_of_the_rewards(shift, scale):
    rng = np.random.default_rng(3)
    rewards = shift + scale * np.where(rng.random(400) < 0.3, 0.0, np.exp(rng.standard_normal(400)))
    rewards[::7] = 0.0
    state = np.zeros((1, reward_sums.WIDTH))
    for reward in rewards:
        reward_sums.add(state, 0, reward)
    np.testing.assert_allclose(state[0], sums_of(rewards), rtol=1e-7)


def ends_of(rewards, rho, level=0.95):
    """The hull of Student's and Hall's intervals for rho mean - variance, from the rewards and the formulas."""
    d = np.asarray(rewards) - np.mean(rewards)
    psi = rho * d - (d**2 - (d**2).mean())
    error, a = psi.std() / math.sqrt(len(d)), stats.skew(psi) / math.sqrt(len(d))
    t = stats.t.ppf(0.5 + level / 2.0, len(d) - 1)
    value = rho * np.mean(rewards) - np.var(rewards)
    hall = [value - error * 3.0 / a * (np.cbrt(1.0 + a * (side - a / 6.0)) - 1.0) for side in (t, -t)]
    return min(value - t * error, hall[0]), max(value + t * error, hall[1])


@pytest.mark.parametrize("rho", [0.0, 1.0, 50.0])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_skewed_rewards_widen_the_interval(rho, sign):
    rng = np.random.default_rng(4)
    skewed, normal = sign * np.exp(0.9 * rng.standard_normal((2, 300))), rng.standard_normal(300)
    arms = [posterior.ArmSample(sums_of(one)) for one in (*skewed, normal)]
    found, plain = (
        posterior.beliefs(rb.MeanVariance(rho), some).widened
        for some in (arms, [posterior.ArmSample(one.sums[:3]) for one in arms])
    )
    for k, rewards in enumerate((*skewed, normal)):
        low, high = np.quantile(found[:, k], [0.025, 0.975])
        inner = np.quantile(plain[:, k], [0.025, 0.975])
        by_hand = ends_of(rewards, rho)
        assert low == pytest.approx(min(by_hand[0], inner[0]), rel=0.02)
        assert high == pytest.approx(max(by_hand[1], inner[1]), rel=0.02)
    assert (np.argsort(found, axis=0) == np.argsort(plain, axis=0)).all()  # wider, and as they were in every draw


def test_what_is_assured():
    rng = np.random.default_rng(5)

    def share(draw, size, measure=rb.MeanVariance(1.0)):
        arms = [posterior.ArmSample(sums_of(draw(size))) for _ in range(120)]
        return posterior.beliefs(measure, arms).is_assured.mean()

    assert share(rng.standard_normal, 99) == 0.0
    for measure in (rb.MeanVariance(0.0), rb.MeanVariance(1.0), rb.Mean()):
        assert share(rng.standard_normal, 100, measure) > 0.95
    assert share(lambda size: -rng.lognormal(sigma=0.9, size=size), 200) < 0.3
    assert share(rng.standard_normal, 500, rb.CVaR(0.1)) == 0.0  # the value is that of a Gaussian
    assert share(lambda size: 5.0 * (rng.random(size) < 0.02), 150) < 0.01  # two or three sales
    assert share(lambda size: 5.0 * (rng.random(size) < 0.3), 150) > 0.95


def test_a_row_of_zeros_is_not_certain(plain_python):
    """As an arm with 14 zeros is worth what an arm that sells now and then may be."""
    learner = rb.Learner(rb.NGTS(), ["a", "b"], rb.MeanVariance(1000.0))
    learner.tell(["b"] * 14, [0.0] * 14)
    assert learner.summary()[["low", "high"]].abs().min().min() == math.inf  # nobody knows what a sale pays
    assert json.loads(learner.to_json())
    learner.tell(["a"] * 20, [10.0, 0.0, 0.0, 0.0] * 5)
    low, high = learner.summary().set_index("arm").loc["b", ["low", "high"]]
    assert low <= 0.0
    assert high > 1000.0  # as from 1 of 10 visitors paying 10
    assert learner.best().arm == "a"
    assert not learner.best().assured


@pytest.mark.parametrize("policy", [rb.NGTS(), rb.HurdleTS(), rb.HurdleTS(amounts=[10.0, 100.0])], ids=str)
def test_beliefs_in_sales_hold(policy, plain_python):
    """Over random prices, told the same number of visitors: 95 % intervals of both arms."""
    rng, held = np.random.default_rng(6), []
    for _ in range(60):
        p = np.exp(rng.uniform(np.log(0.03), np.log(0.5), 2))
        learner = rb.Learner(policy, ["a", "b"], rb.MeanVariance(1000.0))
        for k, amount in enumerate((10.0, 100.0)):
            learner.tell(["ab"[k]] * 60, amount * (rng.random(60) < p[k]))
        table = learner.summary()
        values = 1000.0 * p * (10.0, 100.0) - p * (1.0 - p) * np.square((10.0, 100.0))
        held += [*((table["low"] <= values) & (values <= table["high"]))]
    assert np.mean(held) > 0.95 - 3.0 * math.sqrt(0.05 * 0.95 / len(held))


def test_refunds_that_cancel_do_not_make_an_unpaid_arm_certain(plain_python):
    learner = rb.Learner(rb.HurdleTS(), ["a", "b"], rb.MeanVariance(10.0))
    learner.tell(["a"] * 36 + ["b"] * 20, [0.0] * 30 + [5.0, -5.0] * 3 + [0.0] * 20)
    low = learner.summary().low[1]
    assert -200.0 < low < -1.0  # as where 1 of 100 to 1 of 10 visitors move 5 to 40 either way


def test_an_amount_that_is_not_what_sales_pay_is_not_believed(plain_python):
    """The policy goes on with it; what is believed follows the sales."""
    learner = rb.Learner(rb.HurdleTS(), ["a", "b"], rb.MeanVariance(1000.0), amounts={"a": 10.0, "b": 20.0})
    with pytest.warns(ScaleWarning, match="paid 50, not the known amount 10"):
        learner.tell(["a", "b"] * 60, [50.0, 20.0, *[0.0] * 8] * 12)
    value = 1000.0 * 0.2 * 50.0 - 0.16 * 50.0**2
    found = learner.best()
    assert found.arm == "a"
    assert found.probability > 0.95
    assert 0.4 * value < found.low < value < found.high


def test_known_amounts_make_intervals_narrow(plain_python):
    told = [10.0] + [0.0] * 59
    known, unknown = (rb.Learner(rb.HurdleTS(), ["a", "b"], rb.Mean(), amounts=one) for one in ({"a": 10.0}, None))
    widths = []
    for learner in (known, unknown):
        learner.tell(["a"] * 60, told)
        learner.tell(["b"] * 60, [3.0, 4.0, 5.0] + [0.0] * 57)
        table = learner.summary().set_index("arm")
        widths.append(table.high["a"] - table.low["a"])
    exact = 10.0 * np.diff(stats.beta(2, 60).ppf([0.025, 0.975]))[0]
    assert widths[0] == pytest.approx(exact, rel=0.1)
    assert widths[1] > 1.1 * exact


def test_sums_that_are_not_known_or_too_large(plain_python):
    learner = rb.Learner(rb.NGTS(), ["a", "b"], rb.MeanVariance(1.0))
    learner.tell(["a"] * 3 + ["b"] * 30, [1e100, -1e100, 1e120, *np.random.default_rng(0).standard_normal(30)])
    again = rb.Learner.from_json(learner.to_json())
    assert again.summary().equals(learner.summary())
    assert again.to_json().split("content")[1] == learner.to_json().split("content")[1]


def test_measures_of_the_rewards_themselves(plain_python):
    learner = rb.Learner(rb.NPTS(), ["a", "b"], rb.CVaR(0.2))
    rng = np.random.default_rng(1)
    learner.tell(["a"] * 40 + ["b"] * 40, [*rng.uniform(0.3, 0.5, size=40), *rng.uniform(0.0, 1.0, size=40)])
    found = learner.best()
    assert found.arm == "a"
    assert found.probability > 0.95
    assert found.low < 0.32 < found.high  # the mean of the lowest fifth of a uniform distribution
    assert found.high - found.low < 0.1


def test_many_rewards_are_merge_neighbours():
    rng = np.random.default_rng(0)
    rewards = np.sort(rng.normal(size=5000))
    points, counts = posterior._merge_neighbours(rewards, np.ones(5000))
    assert len(points) <= posterior.MOST_POINTS
    assert counts.sum() == 5000
    assert np.average(points, weights=counts) == pytest.approx(rewards.mean())


def test_which_rewards_are_binary():
    def sums(*arms):
        return np.array([[len(one), np.mean(one), len(one) * np.var(one)] if len(one) else [0.0] * 3 for one in arms])

    assert posterior.are_binary(sums([0, 1, 1], [0, 0], []))
    small = np.random.default_rng(0).random(20) * 1e-12
    for other in ([[0.5, 1.0]], [[0, 0], [0]], [[1, 1]], [[0, 1], [2, 0]], [[-1, 1]], [[0.0, 1.0], [1e-3]], [small]):
        assert not posterior.are_binary(sums(*other))


def test_probabilities_of_being_chosen(plain_python):
    learner = rb.Learner(rb.UniformRandom(), ["a", "b", "c", "d"], rb.Mean())
    found = learner.probabilities(trials=4000).set_index("arm")
    assert found.probability.sum() == pytest.approx(1.0)
    assert (abs(found.probability - 0.25) < 4 * found.se).all()
    assert found.se["a"] == pytest.approx(math.sqrt(0.25 * 0.75 / 4000), rel=0.1)
    some = learner.probabilities(available=["b", "d"]).set_index("arm").probability
    assert some[["a", "c"]].tolist() == [0.0, 0.0]
    due = rb.Learner(rb.NGTS(), ["a", "b"], rb.MeanVariance(1.0)).probabilities()
    assert due.probability.tolist() == [1.0, 0.0]
    for wrong in (0, -1, 1.5, "10"):
        with pytest.raises(ParameterError, match="trials must be a whole number"):
            learner.probabilities(trials=wrong)


def test_probabilities_are_those_of_the_choices():
    """Twins that differ in nothing but their random numbers choose as often as is said."""
    learner = rb.Learner(rb.MVTS(), ["a", "b", "c"], rb.MeanVariance(1.0), seed=1)
    learner.tell(["a", "b", "c"] * 4, [0.1, 0.5, 0.4, 0.9, 0.2, 0.3, 0.0, 0.4, 0.5, 0.7, 0.1, 0.2])
    said = learner.probabilities(trials=4000).set_index("arm").probability
    twin = rb.Learner.from_json(learner.to_json())
    chosen = []
    for _ in range(4000):
        book = twin._state.copy()
        chosen.append(twin.ask())
        book.rng = twin._state.rng
        twin._state = book
    for arm in "abc":
        share = chosen.count(arm) / 4000
        assert abs(share - said[arm]) < 4.5 * math.sqrt(2 * max(share * (1 - share), 0.001) / 4000)


def test_another_goal_with_the_same_evidence(plain_python):
    rng = np.random.default_rng(0)
    one = rb.Learner(rb.NGTS(), ["calm", "wild"], rb.MeanVariance(0.0), seed=3)
    one.tell(["calm"] * 40 + ["wild"] * 40, [*rng.normal(0.0, 0.1, size=40), *rng.normal(1.0, 1.0, size=40)])
    decision = one.decide()
    one.add("third")
    one.retire("third")
    other = one.with_risk(rb.MeanVariance(100.0))
    assert (one.best().arm, other.best().arm) == ("calm", "wild")
    assert other.risk == rb.MeanVariance(100.0)
    assert other.open_decisions() == [decision]
    columns = ["arm", "told", "outstanding", "mean", "variance", "share", "retired"]
    assert other.summary()[columns].equals(one.summary()[columns])
    other.answer(decision.id, 0.3)
    assert one.open_decisions() == [decision]  # they are two
    with pytest.raises(RefusalError):
        rb.Learner(rb.SwitchingAware(), 2, rb.MeanVariance(1.0)).with_risk(rb.CVaR(0.1))
    with pytest.raises(ParameterError):
        one.with_risk(3)
