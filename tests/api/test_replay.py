"""Recorded rewards through a learner: what it would have made of them."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest

import riskbandits as rb
from riskbandits.api.replay import Replay
from riskbandits.compiling import jit
from riskbandits.core import progress, seeds
from riskbandits.core.errors import RiskBanditsError

RISK = rb.MeanVariance(1.0)


@pytest.fixture(autouse=True)
def plain_python(monkeypatch):
    monkeypatch.setattr(jit, "entry", lambda function, classes, checked=False: function)


def recorded(rows=60):
    rng = np.random.default_rng(0)
    days = pd.date_range("2020-01-01", periods=rows).astype(str)
    return pd.DataFrame(
        {"day": days, "calm": rng.normal(0.1, 0.1, rows), "wild": rng.normal(0.3, 1.0, rows), "7": rng.random(rows)}
    )


def test_by_hand():
    """Every choice is told what the row says, and the regret is that of the definition."""
    table = recorded()
    found = rb.replay(rb.NGTS(), table, RISK, runs=2, seed=5)
    assert found.arms == ["calm", "wild", "7"]
    values = {name: table[name].mean() - table[name].var(ddof=0) for name in found.arms}
    assert found.values.to_dict() == pytest.approx(values)
    assert found.best_arm == max(values, key=values.get)
    for run in range(2):
        choices = found.choices(run)
        assert choices.reward.tolist() == [table[arm][row] for row, arm in enumerate(choices.arm)]
        collected = choices.reward.mean() - choices.reward.var(ddof=0)
        assert found.regret[run] == pytest.approx(60 * (max(values.values()) - collected))
    last = found.table().iloc[-1]
    assert last.step == 60
    assert last.regret_mean == pytest.approx(found.regret.mean())
    assert last.regret_se == pytest.approx(found.regret.std(ddof=1) / math.sqrt(2))
    assert last.best_arm_share_mean == pytest.approx((found.chosen == found.arms.index(found.best_arm)).mean())
    assert found.learner.decisions == 60
    again = rb.replay(rb.NGTS(), table, RISK, runs=1, seed=5)
    assert np.array_equal(again.chosen[0], found.chosen[0])  # whatever the number of runs


def test_a_learner_that_is_asked_and_told_makes_the_same_choices():
    table = recorded()
    found = rb.replay(rb.UniformRandom(), table, RISK, seed=3)
    learner = rb.Learner(rb.UniformRandom(), found.arms, RISK, horizon=60, seed=seeds.generator(3, 0))
    for row, arm in enumerate(found.choices().arm):
        assert learner.ask() == arm
        learner.tell(arm, table[arm][row])


def test_missing_entries_are_arms_that_are_not_there():
    table = pd.DataFrame({"a": [1.0, None, 3.0, None, 1.0], "b": [None, 2.0, None, None, 5.0]})
    found = rb.replay(rb.UniformRandom(), table, rb.Mean())
    assert found.chosen.shape == (1, 4)  # a row without any entry is no step
    assert found.choices().arm.tolist()[:3] == ["a", "b", "a"]
    assert found.values.to_dict() == {"a": pytest.approx(5 / 3), "b": 3.5}


FEATURES = [{"name": "basket", "scale": 10}, {"name": "size", "levels": ["1", "2"]}]


def with_features(rows=40):
    rng = np.random.default_rng(1)
    table = recorded(rows).drop(columns="7")
    return table.assign(basket=rng.normal(20.0, 10.0, rows), size=rng.choice(["1", "2"], rows))


def test_columns_of_features_are_those_of_each_choice(tmp_path):
    """As a learner that is asked and told by hand; and the same from files, and from the latest row to the first."""
    table = with_features()
    found = rb.replay(rb.LinearNGTS(), table, RISK, seed=3, features=FEATURES)
    assert found.arms == ["calm", "wild"]
    learner = rb.Learner(rb.LinearNGTS(), found.arms, RISK, horizon=40, seed=seeds.generator(3, 0), features=FEATURES)
    for row, arm in enumerate(found.choices().arm):
        given = {"basket": table["basket"][row], "size": table["size"][row]}
        assert learner.ask(features=given) == arm
        learner.tell(arm, table[arm][row], given)
    table.to_csv(tmp_path / "there.csv", index=False)
    table[::-1].to_csv(tmp_path / "back.csv", index=False)
    table.to_parquet(tmp_path / "there.parquet")
    for other in (table[::-1], *(tmp_path / name for name in ("there.csv", "back.csv", "there.parquet"))):
        again = rb.replay(rb.LinearNGTS(), other, RISK, seed=3, features=FEATURES)
        assert np.array_equal(again.chosen, found.chosen), other
    without = rb.replay(rb.NGTS(), table, RISK, seed=3, features=FEATURES)
    plain = rb.replay(rb.NGTS(), table[["calm", "wild"]], RISK, seed=3)
    assert np.array_equal(without.chosen, plain.chosen)


def test_features_follow_the_rows_that_are_left():
    table = with_features(6).assign(
        wild=[1.0, math.nan, 2.0, 1.0, math.nan, 1.0], calm=[math.nan, math.nan, *[1.0] * 4]
    )
    table.loc[1, "basket"] = math.nan  # of a row that is skipped
    found = rb.replay(rb.LinearNGTS(), table, RISK, features=FEATURES)
    assert (found.chosen.shape, found.policy) == ((1, 5), "LinearNGTS")
    rest = table.drop(index=1).reset_index(drop=True)
    again = rb.replay(rb.LinearNGTS(), rest, RISK, features=FEATURES)
    assert np.array_equal(again.learner.state, found.learner.state)
    both = rb.replay(rb.LinearNGTS(), table, RISK, features=FEATURES, common=True)
    rest = table.dropna().reset_index(drop=True)
    assert np.array_equal(both.learner.state, rb.replay(rb.LinearNGTS(), rest, RISK, features=FEATURES).learner.state)


@pytest.mark.parametrize(
    ("change", "features", "words"),
    [
        ({}, ["baskt"], "There is no column 'baskt'. Did you mean 'basket'?"),
        ({}, ["basket", {"name": "size", "levels": ["1", "3"]}], "Row 1 of the table: There is no level"),
        ({"basket": [1.0] * 39 + [math.nan]}, FEATURES, "Row 40 of the table: The feature 'basket' must be a finite"),
        ({}, ["day", "calm", "wild", "basket", "size"], "one with columns beside the features"),
        ({"arm": ["a", "b"] * 20, "reward": 1.0}, ["basket", "size", "day", "calm", "wild"], "a column per arm"),
    ],
)
def test_wrong_features_of_a_table_are_refused_in_a_sentence(change, features, words):
    with pytest.raises(RiskBanditsError, match=words):
        rb.replay(rb.LinearNGTS(), with_features().assign(**change), RISK, features=features)


def test_other_measures_and_files(tmp_path):
    table = recorded()
    table.to_csv(tmp_path / "returns.csv", index=False)
    table.to_parquet(tmp_path / "returns.parquet")
    from_table = rb.replay(rb.NPTS.anchor_free(), table, rb.CVaR(0.1))
    for name in ("returns.csv", "returns.parquet"):
        found = rb.replay(rb.NPTS.anchor_free(), tmp_path / name, rb.CVaR(0.1))
        assert np.array_equal(found.chosen, from_table.chosen)
    lowest = np.sort(table["calm"])[:6].mean()
    assert from_table.values["calm"] == pytest.approx(lowest)


@pytest.mark.parametrize(
    "wrong",
    [
        {"table": 3},
        {"table": "none.csv"},
        {"table": [[1.0]]},
        {"table": pd.DataFrame()},
        {"table": pd.DataFrame({"a": ["x"]})},
        {"table": pd.DataFrame({"a": [math.inf]})},
        {"runs": 0},
        {"runs": 1.5},
        {"seed": -1},
        {"risk": 3},
        {"risk": rb.CVaR(0.1), "policy": rb.SwitchingAware()},
        {"policy": rb.BMVTS()},
    ],
    ids=str,
)
def test_what_cannot_be_replayed(wrong):
    right = {"policy": rb.NGTS(), "table": recorded(), "risk": RISK}
    with pytest.raises(RiskBanditsError) as caught:
        rb.replay(**right | wrong)
    assert "\n" not in str(caught.value)


def test_the_command(command, tmp_path):
    path = tmp_path / "returns.csv"
    recorded().to_csv(path, index=False)
    arguments = ("replay", path, "--rho", "1", "--policies", "mine=ngts,uniform-random", "--runs", "2", "--seed", "5")
    code, out, _ = command(*arguments)
    assert code == 0
    assert "mine" in out
    assert "Best in hindsight" in out
    _, out, _ = command(*arguments, "--json")
    found = json.loads(out)["replays"]
    direct = rb.replay(rb.NGTS(), path, RISK, runs=2, seed=5)
    assert [one["settings"]["label"] for one in found] == ["mine", "UniformRandom"]
    assert found[0]["best_arm"] == direct.best_arm
    assert found[0]["table"][-1]["regret_mean"] == direct.table().regret_mean.iloc[-1]
    with_features().to_csv(path, index=False)
    more = ("--policies", "linear-ngts,ngts", "--features", "basket:10,size:1/2", "--json")
    code, out, _ = command("replay", path, *more)
    assert code == 0
    assert [one["settings"]["label"] for one in json.loads(out)["replays"]] == ["LinearNGTS", "NGTS"]
    for wrong in (
        ("replay", path, "--features", "basket:x"),
        ("replay", tmp_path / "none.csv"),
        ("replay", path, "--rho", "1", "--risk", "cvar"),
        ("replay",),
    ):
        assert command(*wrong)[0] == 2


def test_it_says_when_nothing_was_learned():
    rng = np.random.default_rng(4)
    alike = pd.DataFrame(rng.normal(0.0, 0.01, (400, 4)), columns=list("abcd"))
    apart = pd.DataFrame(rng.normal([0.0, 0.0, 0.0, 1.0], 0.1, (400, 4)), columns=list("abcd"))
    for table, learned in ((alike, False), (apart, True)):
        found = rb.replay(rb.UniformRandom() if not learned else rb.NGTS(), table, rb.MeanVariance(1.0), runs=3)
        assert found.learned is learned
        assert ("Nothing was learned" in str(found)) is not learned
        assert "`frontier` compares the arms" in str(found).replace("\n", " ")


def replayed(kind, records, runs, rng):
    """What choices would have collected: at random, one arm for good in each run, or mostly the best one later on."""
    rows, arms = records.shape
    chosen = rng.integers(arms, size=(runs, rows))
    if kind == "one arm":
        chosen[:] = rng.integers(arms, size=(runs, 1))
    if kind == "learning":
        best = records.mean(axis=0).argmax()
        chosen[:, rows // 4 :] = np.where(rng.random((runs, rows - rows // 4)) < 0.9, best, chosen[:, rows // 4 :])
    rewards = np.take_along_axis(records, chosen.T, axis=1).T
    return Replay(kind, RISK, list("abcd"), chosen, rewards, records, None)


@pytest.mark.full
@pytest.mark.parametrize(
    ("kind", "means", "most", "least"),
    [
        ("at random", [0.0, 0.0, 0.0, 1.0], 3, 0),
        ("one arm", [0.0, 0.0, 0.0, 0.3], 3, 0),
        ("at random", [0.0, 0.0, 0.0, 0.0], 3, 0),
        ("learning", [0.0, 0.0, 0.0, 1.0], 20, 20),
        ("learning", [0.0, 0.0, 0.3, 0.5], 20, 18),
    ],
)
def test_nothing_learned_is_said_where_it_is_true_and_only_there(kind, means, most, least):
    """In 20 tables each: at most 2.5 % of those from which nothing was learned may look otherwise."""
    rng = np.random.default_rng(7)
    found = [replayed(kind, rng.normal(means, 0.5, (200, 4)), 10, rng).learned for _ in range(20)]
    assert least <= sum(found) <= most


def test_a_long_replay_says_how_far_it_is(monkeypatch, capsys):
    monkeypatch.setattr(progress, "QUIET_SECONDS", 0.0)
    rb.replay(rb.UniformRandom(), recorded(400), RISK, runs=2)
    assert "Replaying: 12 % done" in capsys.readouterr().err
    rb.replay(rb.UniformRandom(), recorded(400), RISK, runs=2, progress=False)
    assert capsys.readouterr().err == ""
