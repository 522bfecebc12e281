"""`evaluate` against slow twins: values, influence functions, intervals, refusals, and the ways a log is read."""

from __future__ import annotations

import functools
import json
import math
import warnings
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

import riskbandits as rb
from riskbandits.inference import sum_interval
from riskbandits.risk.contract import sample_value

pytestmark = pytest.mark.filterwarnings("ignore::riskbandits.errors.IntervalWarning")

MEASURES = [
    rb.Mean(),
    rb.Variance(),
    rb.LargestVariance(),
    rb.MeanVariance(0.0),
    rb.MeanVariance(3.0),
    rb.Sharpe(),
    rb.Sharpe.squared(),
    rb.CVaR(0.05),
    rb.CVaR(0.2),
    rb.CVaR(1.0),
    rb.MeanCVaR(1.0, 2.0, 0.1),
    rb.Semivariance(0.5),
    rb.MeanSemideviation(0.7),
    rb.Entropic(2.0),
    rb.Expectile(0.2),
]


def skewed(seed: int, size: int = 301) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return np.sort(rng.gamma(2.0, 1.0, size) - 1.0), rng.random(size) + 0.1


@pytest.mark.parametrize("risk", MEASURES, ids=repr)
def test_influence_functions_are_derivatives_by_the_weights(risk):
    values, weights = skewed(1)
    found = risk.influence(values, weights)
    step = 1e-7 * weights.sum()
    for i in range(0, len(values), 13):
        moved = weights.copy()
        moved[i] += step
        slope = (sample_value(risk, values, moved) - sample_value(risk, values, weights)) / (step / weights.sum())
        assert slope == pytest.approx(found[i], rel=1e-4, abs=1e-4)
    assert np.average(found, weights=weights) == pytest.approx(0.0, abs=1e-12)


def log_of(seed: int = 0, rows: int = 600, features: bool = False) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    x = rng.random(rows)
    chance_b = np.where(x < 0.5, 0.8, 0.3) if features else np.full(rows, 0.4)
    is_b = rng.random(rows) < chance_b
    rewards = np.where(is_b, 1.0 + x, 0.5 - x) + rng.gamma(2.0, 1.0, rows)
    chosen = np.where(is_b, chance_b, 1.0 - chance_b)
    table = pd.DataFrame({"arm": np.where(is_b, "b", "a"), "reward": rewards, "probability": chosen})
    return table.assign(x=x) if features else table


def twin_by_arm(table: pd.DataFrame, shares: dict[str, float], value) -> tuple[float, float]:
    """The value of a mixture, and its standard error by leaving out each reward in turn, arm by arm."""

    def estimate(part: pd.DataFrame) -> float:
        counts = part.groupby("arm").size()
        rows = [(r, shares.get(a, 0.0) / counts[a]) for a, r in zip(part["arm"], part["reward"], strict=True)]
        return value(sorted(row for row in rows if row[1] > 0.0))

    variance = 0.0
    for arm, share in shares.items():
        own = table.index[table["arm"] == arm]
        left = np.array([estimate(table.drop(index=i)) for i in own]) if share else np.zeros(2)
        variance += (len(own) - 1) / len(own) * float(((left - left.mean()) ** 2).sum())
    return estimate(table), math.sqrt(variance)


def plain_mean(rows):
    return sum(r * w for r, w in rows) / sum(w for _, w in rows)


def plain_mean_variance(rows):
    mean = plain_mean(rows)
    return 2.0 * mean - sum(w * (r - mean) ** 2 for r, w in rows) / sum(w for _, w in rows)


def plain_cvar(rows, level=0.2):
    left = level * sum(w for _, w in rows)
    total, target = 0.0, left
    for reward, weight in rows:
        total += reward * min(weight, left)
        left -= min(weight, left)
    return total / target


PLAIN = {rb.Mean(): plain_mean, rb.MeanVariance(2.0): plain_mean_variance, rb.CVaR(0.2): plain_cvar}


@pytest.mark.parametrize("risk", PLAIN, ids=repr)
@pytest.mark.parametrize("shares", [{"b": 1.0}, {"a": 0.7, "b": 0.3}], ids=str)
def test_without_features_it_is_each_arms_own_rewards(risk, shares):
    table = log_of(rows=150)
    value, error = twin_by_arm(table, shares, PLAIN[risk])
    row = rb.evaluate(table, [shares], risk).table().iloc[0]
    assert row["value"] == pytest.approx(value, rel=1e-10)
    # The hull of Student's interval and Hall's: never shorter than the former, and one end of it stands.
    half = 1.976 * error
    assert row["low"] <= row["value"] - 0.93 * half
    assert row["high"] >= row["value"] + 0.93 * half
    assert min(row["value"] - row["low"], row["high"] - row["value"]) == pytest.approx(half, rel=0.1)
    counts = table.groupby("arm").size()
    assert row["effective_size"] == pytest.approx(1.0 / sum(s * s / counts[a] for a, s in shares.items()))


def test_probabilities_change_nothing_without_features():
    table = log_of()
    for targets in (["b"], {"a": 0.5, "b": 0.5}):
        one = rb.evaluate(table, targets, rb.CVaR(0.3)).table()
        other = rb.evaluate(table.drop(columns="probability"), targets, rb.CVaR(0.3)).table()
        pd.testing.assert_frame_equal(one, other)


@pytest.mark.parametrize("risk", PLAIN, ids=repr)
def test_with_features_rewards_are_weighted_by_probabilities(risk):
    table = log_of(features=True)

    def small(features):
        return "b" if features["x"] < 0.3 else {"a": 0.25, "b": 0.75}

    rows = []
    for arm, reward, chance, x in table.itertuples(index=False):
        share = (arm == "b") if x < 0.3 else (0.75 if arm == "b" else 0.25)
        rows.append((reward, share / chance))
    found = rb.evaluate(table, small, risk).table().iloc[0]
    assert found["target"] == "small"
    assert found["value"] == pytest.approx(PLAIN[risk](sorted(row for row in rows if row[1])), rel=1e-10)
    weights = np.array([w for _, w in rows])
    assert found["effective_size"] == pytest.approx(weights.sum() ** 2 / (weights**2).sum())


def test_the_weighted_mean_is_the_self_normalised_estimator_and_its_error():
    table = log_of(features=True)
    weights = (table["arm"] == "b") / table["probability"]
    snips = float((weights * table["reward"]).sum() / weights.sum())
    error = math.sqrt(float((weights**2 * (table["reward"] - snips) ** 2).sum())) / float(weights.sum())
    row = rb.evaluate(table, "b", rb.Mean()).table().iloc[0]
    assert row["value"] == row["mean"] == pytest.approx(snips, rel=1e-12)
    assert min(row["value"] - row["low"], row["high"] - row["value"]) == pytest.approx(1.96 * error, rel=0.03)


def test_features_that_decided_choices_would_mislead_without_weights():
    rng = np.random.default_rng(5)
    x = rng.random(20_000) < 0.5
    chance = np.where(x, 0.9, 0.1)
    is_b = rng.random(20_000) < chance
    rewards = np.where(x, 1.0, 0.0) + 0.1 * rng.standard_normal(20_000)  # the arms are alike; the customers are not
    table = pd.DataFrame({"arm": np.where(is_b, "b", "a"), "reward": rewards, "x": x.astype(int)})
    table["probability"] = np.where(is_b, chance, 1.0 - chance)
    weighted = rb.evaluate(table, "b", rb.Mean()).table().iloc[0]
    assert weighted["low"] < 0.5 < weighted["high"]
    assert rb.evaluate(table, "b", rb.Mean(), features=[]).table().iloc[0]["value"] > 0.85


def test_risk_apart():
    table = log_of()
    own = table.loc[table["arm"] == "b", "reward"].to_numpy()
    row = rb.evaluate(table, "b", rb.MeanVariance(3.0)).table().iloc[0]
    assert (row["mean"], row["risk"]) == (pytest.approx(own.mean()), pytest.approx(own.var()))
    assert row["value"] == pytest.approx(3.0 * row["mean"] - row["risk"])
    row = rb.evaluate(table, "b", rb.CVaR(0.2)).table().iloc[0]
    assert row["risk"] == pytest.approx(row["mean"] - row["value"])
    assert rb.evaluate(table, ["a", "b"], rb.Mean()).table()["risk"].tolist() == [0.0, 0.0]


class Reached(NamedTuple):
    """The share of rewards above a level: a measure of one's own, without influence function."""

    level: float = 1.0

    def value(self, mean: float, variance: float) -> float:
        return 0.5 * math.erfc((self.level - mean) / math.sqrt(2.0 * variance)) if variance > 0.0 else 0.0

    def sample_value(self, values, weights):
        above = 0.0
        total = 0.0
        for i in range(values.shape[0]):
            total += weights[i]
            if values[i] > self.level:
                above += weights[i]
        return above / total


def test_measures_of_ones_own_are_resampled():
    table = log_of(rows=2000)
    own = table.loc[table["arm"] == "b", "reward"]
    share = float((own > 1.0).mean())
    row = rb.evaluate(table, "b", Reached()).table().iloc[0]
    half = 1.96 * math.sqrt(share * (1.0 - share) / len(own))
    assert row["value"] == pytest.approx(share)
    assert row["low"] == pytest.approx(share - half, abs=0.3 * half)
    assert row["high"] == pytest.approx(share + half, abs=0.3 * half)


def test_value_at_risk_is_resampled_within_each_arm():
    table = log_of(rows=2000)
    own = np.sort(table.loc[table["arm"] == "b", "reward"].to_numpy())
    row = rb.evaluate(table, "b", rb.ValueAtRisk(0.2)).table().iloc[0]
    place, spread = 0.2 * len(own), 1.96 * math.sqrt(0.16 * len(own))  # the interval by order statistics
    assert own[int(place - 1.4 * spread)] < row["low"] < own[int(place - 0.6 * spread)]
    assert own[int(place + 0.6 * spread)] < row["high"] < own[int(place + 1.4 * spread)]
    again = rb.evaluate(table, "b", rb.ValueAtRisk(0.2)).table().iloc[0]
    assert (again["low"], again["high"]) == (row["low"], row["high"])


@pytest.mark.parametrize("risk", [rb.Mean(), rb.MeanVariance(1.0), rb.CVaR(0.2), rb.ValueAtRisk(0.3)], ids=repr)
@pytest.mark.parametrize("features", [False, True])
def test_equal_rewards_have_an_interval_without_width(risk, features):
    table = log_of(features=features).assign(reward=2.0)
    row = rb.evaluate(table, "b", risk).table().iloc[0]
    assert row["low"] == row["value"] == row["high"]


@pytest.mark.parametrize("risk", [rb.CVaR(0.2), rb.ValueAtRisk(0.2)], ids=repr)
@pytest.mark.parametrize("scale", [1e-120, 1e-8, 1e8, 1e139])
def test_intervals_follow_the_scale_of_rewards(scale, risk):
    table = log_of()
    plain = rb.evaluate(table, ["b"], risk, resamples=100).table()[["value", "low", "high", "mean"]].iloc[0]
    table = table.assign(reward=scale * table["reward"])
    scaled = rb.evaluate(table, ["b"], risk, resamples=100).table().iloc[0]
    for name, value in plain.items():
        assert scaled[name] == pytest.approx(scale * value, rel=1e-9)


@pytest.mark.parametrize(
    ("risk", "rewards"),
    [
        (rb.Mean(), "normal"),
        (rb.CVaR(0.2), "normal"),
        (rb.MeanVariance(1.0), "normal"),
        (rb.Mean(), "lognormal"),
        (rb.CVaR(0.2), "lognormal"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("features", [False, True])
def test_intervals_hold_the_truth(risk, rewards, features):
    rng = np.random.default_rng([7, features])
    draw = rng.standard_normal if rewards == "normal" else lambda size: -rng.lognormal(0.0, 0.9, size)
    big = np.sort(draw(400_000))
    truth = sample_value(risk, big, np.ones(len(big))) if not isinstance(risk, rb.Mean) else big.mean()
    held, runs = 0, 120
    for _ in range(runs):
        x = rng.random(400)
        chance = np.where(x < 0.5, 0.7, 0.3)
        is_b = rng.random(400) < chance
        table = pd.DataFrame({"arm": np.where(is_b, "b", "a"), "reward": draw(400)})
        table["probability"] = np.where(is_b, chance, 1.0 - chance)
        row = rb.evaluate(table.assign(x=x) if features else table, "b", risk).table().iloc[0]
        held += row["low"] <= truth <= row["high"]
    assert held / runs >= 0.93 - 3.0 * math.sqrt(0.93 * 0.07 / runs)


def test_hulls_are_never_shorter_than_students_interval():
    rng = np.random.default_rng(3)
    for _ in range(50):
        parts = rng.exponential(size=80) - 1.0
        low, high, skewness = sum_interval(0.0, parts, 79.0)
        reach = 1.99 * math.sqrt(float((parts**2).sum()))
        assert low <= -0.999 * reach
        assert high >= 0.999 * reach
        assert skewness == pytest.approx((parts**3).sum() / (parts**2).sum() ** 1.5)


def test_the_distribution_on_request():
    table = log_of()
    found = rb.evaluate(table, ["b", {"a": 0.5, "b": 0.5}], rb.Mean())
    assert found.targets == ["b", "0.5 a + 0.5 b"]
    cdf = found.distribution({"a": 0.5, "b": 0.5})
    pd.testing.assert_frame_equal(found.distribution("0.5 a + 0.5 b"), cdf)
    for level in (1.0, 2.5, 4.0):
        shares = [(table.loc[table["arm"] == arm, "reward"] <= level).mean() for arm in "ab"]
        assert cdf.loc[cdf["reward"] <= level, "cdf"].max() == pytest.approx(np.mean(shares))
    with pytest.raises(rb.RiskBanditsError, match="target called"):
        found.distribution("c")


def test_a_learners_preferences_are_a_target(tmp_path):
    table = log_of()
    learner = rb.Learner(rb.NGTS(), arms=["a", "b"], risk=rb.MeanVariance(1.0), data=table[["arm", "reward"]][:60])
    shares = learner.probabilities(trials=10_000).set_index("arm")["probability"].to_dict()
    shares = {arm: share for arm, share in shares.items() if share}
    path = learner.save(tmp_path / "careful.json")
    value = rb.evaluate(table, [shares], rb.Mean()).table()["value"].iloc[0]
    for target in (learner, {"now": learner}, tmp_path / "careful.json"):
        assert rb.evaluate(table, target, rb.Mean()).table()["value"].iloc[0] == pytest.approx(value, abs=0.03)
    assert path


REFUSALS = {
    "never tried": (lambda: rb.evaluate(log_of(), ["a", "c"], rb.Mean()), "the arm 'c' has no reward in the log"),
    "never tried, by a function": (
        lambda: rb.evaluate(log_of(features=True), lambda x: "c", rb.Mean()),
        "the arm 'c' has no reward in the log",
    ),
    "seldom tried": (
        lambda: rb.evaluate(log_of(rows=60), "b", rb.Mean()),
        "the arm 'b' must have an effective size of at least 30",
    ),
    "seldom tried, of shares": (
        lambda: rb.evaluate(log_of(rows=60), {"a": 0.999, "b": 0.001}, rb.Mean()),
        "the arm 'b' must have an effective size of at least 30",
    ),
    "no features": (
        lambda: rb.evaluate(log_of(), lambda x: "a", rb.Mean()),
        "decides by features, and the log has none",
    ),
    "no probabilities": (
        lambda: rb.evaluate(log_of(features=True).drop(columns="probability"), "a", rb.Mean()),
        "must have the probability of each choice",
    ),
    "probability 0": (
        lambda: rb.evaluate(log_of().assign(probability=0.0), "a", rb.Mean()),
        r"must be in \(0, 1\]",
    ),
    "a probability whose weight has no square": (
        lambda: rb.evaluate(log_of(features=True).assign(probability=1e-300), "a", rb.Mean()),
        "no less than 1e-100",
    ),
    "a missing probability": (
        lambda: rb.evaluate(log_of(features=True).assign(probability=[math.nan, *[0.5] * 599]), "a", rb.Mean()),
        "known in every row. Got '1 missing'",
    ),
    "no arm of a name": (lambda: rb.evaluate(log_of(), [None], rb.Mean()), "an arm, shares of arms, a learner"),
    "shares": (lambda: rb.evaluate(log_of(), {"a": 0.5, "b": 0.4}, rb.Mean()), "must be 1 in sum"),
    "infinite rewards": (lambda: rb.evaluate(log_of().assign(reward=math.inf), "a", rb.Mean()), "must be between"),
    "words": (lambda: rb.evaluate(log_of().assign(reward="x"), "a", rb.Mean()), "must be numbers"),
    "no rewards": (lambda: rb.evaluate(log_of().drop(columns="reward"), "a", rb.Mean()), "'reward' is not clear"),
    "all missing": (lambda: rb.evaluate(log_of().assign(reward=math.nan), "a", rb.Mean()), "at least one decision"),
    "a log that is none": (lambda: rb.evaluate(7, "a", rb.Mean()), "The log must be"),
    "a policy": (lambda: rb.evaluate(log_of(), rb.NGTS(), rb.Mean()), "must be an arm, shares of arms, a learner"),
    "a text among numbers": (
        lambda: rb.evaluate(log_of().assign(reward=[0.5, None, "x"] * 200), "a", rb.Mean()),
        "must be numbers. Got 'x'",
    ),
    "no measure": (lambda: rb.evaluate(log_of(), "a", 7), "risk measure"),
    "a broken function": (
        lambda: rb.evaluate(log_of(features=True), lambda x: x["y"], rb.Mean()),
        "The target '<lambda>' failed: KeyError: 'y'",
    ),
    "an odd answer": (lambda: rb.evaluate(log_of(features=True), lambda x: None, rb.Mean()), "an arm or shares"),
    "two targets of one name": (lambda: rb.evaluate(log_of(), ["a", "a"], rb.Mean()), "different from each other"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_refusals_are_sentences(case):
    call, words = REFUSALS[case]
    with pytest.raises(rb.RiskBanditsError, match=words):
        call()


def test_warnings_where_they_are_due_and_nowhere_else():
    rng = np.random.default_rng(2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        good = rb.evaluate(log_of(rows=2000), ["a", "b"], rb.Mean())
        assert not good.warnings
        assert not rb.evaluate(log_of(rows=2000, features=True), ["a", "b"], rb.CVaR(0.2)).warnings
        normal = log_of(rows=2000).assign(reward=rng.normal(size=2000))
        assert not rb.evaluate(normal, "b", rb.MeanVariance(1.0)).warnings
    few = log_of(rows=200)
    with pytest.warns(rb.errors.IntervalWarning, match="b: the arm 'b' has an effective size of"):
        assert rb.evaluate(few, "b", rb.Mean()).warnings
    wrong = log_of(rows=2000, features=True)
    with pytest.warns(rb.errors.IntervalWarning, match="mean weight is"):
        rb.evaluate(wrong.assign(probability=0.6 * wrong["probability"]), "b", rb.Mean())
    heavy = log_of(rows=1000).assign(reward=rng.lognormal(0.0, 1.5, 1000))
    with pytest.warns(rb.errors.IntervalWarning, match="b: skewed rewards"):
        rb.evaluate(heavy, "b", rb.MeanVariance(1.0))


class Odd(NamedTuple):
    """A measure of which one method does not keep its contract."""

    method: int

    def value(self, mean, variance):
        return math.nan if self.method == 0 else mean

    def influence(self, values, weights):
        return values * math.nan if self.method == 1 else values[1:]


@pytest.mark.parametrize(("method", "words"), [(0, "value of a sample"), (1, "influence"), (2, "influence")])
def test_what_a_measure_of_ones_own_gives_must_be_finite(method, words):
    with pytest.raises(rb.errors.ContractError, match=f"{words}.* must return a finite number"):
        rb.evaluate(log_of(), "b", Odd(method))


@pytest.mark.parametrize("risk", [rb.Expectile(1e-6), rb.Entropic(100.0)], ids=repr)
def test_values_that_rest_on_one_reward_are_warned_of(risk):
    assert any("skewed rewards" in one for one in rb.evaluate(log_of(), "b", risk).warnings)


@pytest.mark.parametrize("measure", [rb.CVaR, rb.ValueAtRisk])
def test_tails_of_a_few_rewards_are_warned_of(measure):
    table = pd.DataFrame({"arm": "b", "reward": np.random.default_rng(1).normal(size=320)})
    with pytest.warns(rb.errors.IntervalWarning, match=r"the lowest 0.01 .* have an effective size of 4.0"):
        rb.evaluate(table, "b", measure(0.01))
    assert not rb.evaluate(table, "b", measure(0.02)).warnings


@pytest.mark.parametrize(("losses", "warned"), [(50, False), (90, False), (110, True), (200, False)])
def test_a_tail_of_equal_rewards_is_warned_of_where_others_may_belong_to_it(losses, warned):
    table = pd.DataFrame({"arm": "b", "reward": np.where(np.arange(1000) < losses, -8.0, -0.1)})
    found = rb.evaluate(table, "b", rb.CVaR(0.1))
    row = found.table().iloc[0]
    assert (row["low"] == row["high"]) == (losses > 100)
    assert any("all rewards that decide are equal" in one for one in found.warnings) == warned


def test_rewards_that_are_all_equal_are_warned_of():
    table = log_of(rows=2000).assign(reward=0.0)
    with pytest.warns(rb.errors.IntervalWarning, match="b: all rewards that decide are equal"):
        assert rb.evaluate(table, "b", rb.Mean()).table()["high"].iloc[0] == 0.0


def given_up(late: float, rows: int = 2000) -> pd.DataFrame:
    """A log whose policy chose b with probability 1/2, and after a tenth of the rows with another one."""
    rng = np.random.default_rng(4)
    chance = np.where(np.arange(rows) < rows // 10, 0.5, late)
    is_b = rng.random(rows) < chance
    table = pd.DataFrame({"arm": np.where(is_b, "b", "a"), "reward": rng.normal(size=rows), "x": rng.random(rows)})
    return table.assign(probability=np.where(is_b, chance, 1.0 - chance))


def test_what_a_log_could_hardly_choose_is_warned_of_and_what_it_could_not_is_refused():
    with warnings.catch_warnings():
        warnings.simplefilter("error", rb.errors.IntervalWarning)
        rb.evaluate(given_up(0.1), ["a", "b"], rb.Mean())
        rb.evaluate(given_up(0.001), "a", rb.Mean())  # what it went on choosing
    # The effective size to be expected of b is the square of the rows over the sum of 1 / probability.
    expected = 2000.0**2 / (200 / 0.5 + 1800 / 0.0001)
    with pytest.warns(rb.errors.IntervalWarning, match=f"effective size should be {expected:.2g}, not"):
        rb.evaluate(given_up(0.0001), "b", rb.Mean())
    never = "in 90.0% of the log's decisions another arm was chosen with probability 1 where .* the arm 'b'"
    for target in ("b", {"b": 1.0}, lambda x: "b"):
        with pytest.raises(rb.errors.ParameterError, match=never):
            rb.evaluate(given_up(0.0), target, rb.Mean())
    first = given_up(0.4).assign(probability=lambda table: table["probability"].where(table.index >= 60, 1.0))
    for target in ("a", lambda x: "a"):
        with pytest.warns(rb.errors.IntervalWarning, match="chosen with probability 1 where it would choose 'a'"):
            rb.evaluate(first, target, rb.Mean())


def test_a_learner_that_decides_by_features_is_a_target(tmp_path):
    table = log_of(features=True).assign(x=lambda found: found["x"].round(1))
    learner = rb.Learner(rb.LinearNGTS(), ["a", "b"], rb.MeanVariance(1.0), features=["x"], seed=1)
    learner.tell(
        table["arm"][:80].tolist(), table["reward"][:80].tolist(), features=table[["x"]][:80].to_dict("records")
    )
    learner.save(tmp_path / "by-x.json")

    @functools.cache
    def preferences(x):
        found = learner.probabilities(trials=10_000, features={"x": x}).set_index("arm")["probability"]
        return {arm: share for arm, share in found.items() if share}

    def asked(features):
        return preferences(features["x"])

    expected = rb.evaluate(table, asked, rb.Mean()).table()["value"].iloc[0]
    assert abs(expected - rb.evaluate(table, "a", rb.Mean()).table()["value"].iloc[0]) > 0.2
    for target in (learner, tmp_path / "by-x.json"):
        assert rb.evaluate(table, target, rb.Mean()).table()["value"].iloc[0] == pytest.approx(expected, abs=0.05)
    with pytest.raises(rb.RiskBanditsError, match="decides by features, and the log has none"):
        rb.evaluate(log_of(), learner, rb.Mean())
    with pytest.raises(rb.RiskBanditsError, match="decides by 'x', which is no feature of the log"):
        rb.evaluate(table.rename(columns={"x": "y"}), learner, rb.Mean())


def test_one_arm_and_a_thousand():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"arm": "only", "reward": rng.random(200)})
    assert rb.evaluate(table, "only", rb.Mean()).table()["value"].iloc[0] == pytest.approx(table["reward"].mean())
    table = pd.DataFrame({"arm": np.repeat(np.arange(1000), 40), "reward": rng.random(40_000)})
    shares = dict.fromkeys(range(1000), 0.001)
    row = rb.evaluate(table, {"all": shares, "last": 999}, rb.Mean()).table()
    assert row["value"].iloc[0] == pytest.approx(table["reward"].mean())
    assert row["effective_size"].tolist() == pytest.approx([40_000, 40])
    found = rb.evaluate(table, [shares, 999], rb.Mean())
    assert [len(name) for name in found.targets] == [60, 3]
    assert len(found.distribution(999)) == 40


def events(table: pd.DataFrame, features: bool) -> list[dict]:
    found = []
    for number, row in enumerate(table.to_dict(orient="records")):
        data = {"probability": row["probability"]} | ({"features": {"x": row["x"]}} if features else {})
        common = {"sequence": number, "id": f"1-{number}-ab", "at": "2026-01-01T00:00:00Z", "arm": row["arm"]}
        found.append({**common, "kind": "decision", "reward": None, "data": data})
        if not math.isnan(row["reward"]):
            found.insert(max(0, len(found) - number % 3), {**common, "kind": "reward", "reward": row["reward"]})
    found.append({"sequence": 9999, "kind": "arm-added", "id": None, "arm": "c", "reward": None, "at": "2026"})
    # Rewards come after their decisions, in any order.
    return sorted(found, key=lambda event: (event["kind"] != "decision", event["sequence"] * 7919 % 1009))


@pytest.mark.parametrize("features", [False, True])
@pytest.mark.parametrize("kind", ["csv", "semicolons", "parquet", "ndjson", "events"])
def test_logs_from_everywhere_say_the_same(kind, features, tmp_path):
    table = log_of(features=features)
    table.loc[::50, "reward"] = math.nan
    expected = rb.evaluate(table, ["a", "b"], rb.CVaR(0.2))
    assert any("12 of 600 rows have no reward" in note for note in expected.notes)
    path = tmp_path / f"log.{'csv' if kind == 'semicolons' else kind}"
    source: object = path
    if kind == "csv":
        table.assign(shown=pd.date_range("2026-01-01", periods=600)).to_csv(path, index=False)
    elif kind == "semicolons":
        table.to_csv(path, index=False, sep=";", decimal=",")
    elif kind == "parquet":
        table.to_parquet(path)
    elif kind == "ndjson":
        path.write_text("".join(json.dumps(event) + "\n" for event in events(table, features)))
    else:
        source = events(table, features)
    found = rb.evaluate(source, ["a", "b"], rb.CVaR(0.2))
    pd.testing.assert_frame_equal(found.table(), expected.table(), rtol=1e-10)
    assert ("Features: 'x'." in found.notes) == features


def test_what_a_log_has_twice_counts_once():
    table = log_of(rows=200)
    once = events(table, features=False)
    overlapping = once[:250] + once[150:]
    found = rb.evaluate(overlapping, ["a", "b"], rb.Mean())
    pd.testing.assert_frame_equal(found.table(), rb.evaluate(table, ["a", "b"], rb.Mean()).table())
    assert found.notes == ["Counted once: 100 lines that the log repeats."]
    unknown = [event for event in once if event["id"] != "1-0-ab" or event["kind"] != "decision"]
    assert "Left out: 1 reward of decisions that are not in the log." in rb.evaluate(unknown, "a", rb.Mean()).notes


@pytest.mark.parametrize(("kind", "change"), [("decision", {"arm": "c"}), ("reward", {"reward": 9.0})])
def test_lines_that_contradict_each_other_are_refused(kind, change):
    found = events(log_of(rows=100), features=False)
    first = next(event for event in found if event["kind"] == kind)
    with pytest.raises(rb.errors.ParameterError, match="as already said of this decision. Got"):
        rb.evaluate([*found, first | change], "a", rb.Mean())


@pytest.mark.parametrize("reward", ["x", [1.0], 10**400], ids=["text", "list", "huge"])
def test_rewards_in_events_that_are_no_numbers_are_named(reward):
    found = events(log_of(rows=100), features=False)
    found[-2] = {**found[-2], "reward": reward}
    with pytest.raises(rb.errors.ParameterError, match=f"must be numbers. Got .{str(reward)[1:2]}"):
        rb.evaluate(found, "a", rb.Mean())


def test_columns_that_number_the_rows_are_no_features():
    dates = pd.date_range("2026-01-01", periods=600)
    table = log_of().assign(step=range(600), counter=range(5, 605), at=dates, shown=dates, told=dates.astype(str))
    found = rb.evaluate(table, "b", rb.Mean())
    assert len(found.notes) == 5
    assert not any("Features" in note for note in found.notes)
    pd.testing.assert_frame_equal(found.table(), rb.evaluate(log_of(), "b", rb.Mean()).table())


def test_repeated_ids_in_a_table_are_noted():
    table = log_of().assign(decision_id=[f"d{row // 2}" for row in range(600)])
    notes = rb.evaluate(table, "b", rb.Mean()).notes
    assert "Column 'decision_id' repeats 300 entries: if it names decisions, some count twice." in notes
    assert len(rb.evaluate(table[::2], "b", rb.Mean()).notes) == 1


def test_a_log_that_is_not_json_names_the_line(tmp_path):
    path = tmp_path / "log.ndjson"
    for cut in ('{"kind": "rew', "[" * 100_000):
        path.write_text('{"kind": "decision", "id": "1", "arm": "a"}\n' + cut)
        with pytest.raises(rb.errors.FileError, match="line 2 is not JSON"):
            rb.evaluate(path, "a", rb.Mean())


@pytest.mark.parametrize(
    "event",
    [
        {"kind": "decision", "id": "1"},
        {"kind": "decision", "id": ["1"], "arm": "a"},
        {"kind": "decision", "id": "1", "arm": "a", "data": {"features": [1]}},
        {"kind": "reward", "id": "1"},
        {"id": "1"},
        [1],
    ],
    ids=str,
)
def test_lines_that_are_no_events_are_refused(event, tmp_path):
    path = tmp_path / "log.ndjson"
    path.write_text('{"kind": "arm-added", "id": null, "arm": "a"}\n' + json.dumps(event))
    with pytest.raises(rb.errors.ParameterError, match="Line 2 of a log must be an event"):
        rb.evaluate(path, "a", rb.Mean())


def test_true_and_false_in_a_file_are_no_texts(tmp_path):
    table = log_of(features=True).assign(x=lambda found: found["x"] < 0.5)
    table.to_csv(tmp_path / "log.csv", index=False)

    def target(features):
        return "a" if features["x"] else "b"

    expected = rb.evaluate(table, target, rb.Mean()).table()
    pd.testing.assert_frame_equal(rb.evaluate(tmp_path / "log.csv", target, rb.Mean()).table(), expected, rtol=1e-10)


def test_on_the_command_line(tmp_path, command):
    table = log_of()
    table.to_csv(tmp_path / "log.csv", index=False)
    rb.Learner(rb.NGTS(), ["a", "b"], rb.Mean(), data=table[["arm", "reward"]]).save(tmp_path / "now.json")
    expected = rb.evaluate(table, ["b", {"a": 0.7, "b": 0.3}], rb.CVaR(0.2)).table()
    file, out = str(tmp_path / "log.csv"), str(tmp_path / "t.csv")
    code, text, _ = command("evaluate", file, "--targets", "b, a=0.7+b=0.3", "--risk", "cvar:0.2", "--out", out)
    assert code == 0
    assert "a=0.7+b=0.3" in text
    assert "effective size" in text
    np.testing.assert_allclose(rb.load(out).iloc[:, 1:], expected.iloc[:, 1:], rtol=1e-9)
    code, text, _ = command("evaluate", file, "--targets", f"b,{tmp_path / 'now.json'}", "--rho", "1", "--json")
    data = json.loads(text)
    assert code == 0
    assert len(data["table"]) == 2
    assert data["risk"] == "MeanVariance(rho=1.0)"
    (tmp_path / "rules.py").write_text("def small(features):\n    return 'b' if features['x'] < 0.3 else 'a'\n")
    log_of(features=True).to_csv(tmp_path / "by-x.csv", index=False)
    named = f"{tmp_path / 'rules.py'}:small"
    code, text, _ = command("evaluate", str(tmp_path / "by-x.csv"), "--targets", named, "--json")
    wanted = rb.evaluate(log_of(features=True), lambda f: "b" if f["x"] < 0.3 else "a", rb.MeanVariance(1.0)).table()
    assert json.loads(text)["table"][0]["value"] == pytest.approx(wanted["value"].iloc[0])
    code, _, err = command("evaluate", str(tmp_path / "by-x.csv"), "--targets", named + "er")
    assert code == 2
    assert "Did you mean 'small'" in err
    code, _, err = command("evaluate", file, "--targets", "c")
    assert code == 2
    assert "the arm 'c' has no reward in the log" in err
    code, _, err = command("evaluate", file, "--targets", "a=x")
    assert code == 2
    assert "as in a=0.7+b=0.3" in err


def test_it_can_be_shown_and_drawn():
    found = rb.evaluate(log_of(rows=100), ["a", "b"], rb.MeanVariance(1.0))
    assert "Warning: b: the arm 'b' has an effective size of" in repr(found)
    assert "95 % interval" in found._repr_html_()
    ax = found.plot()
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b"]
