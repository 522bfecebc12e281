"""The frontier against a search over rho, its intervals against fresh samples, and the command."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest

import riskbandits as rb
from riskbandits.api.frontier import crossing, envelope
from riskbandits.core.errors import ParameterError, RiskBanditsError

MEANS, DEVIATIONS = np.array([0.02, 0.06, 0.1, 0.05]), np.array([0.1, 0.3, 0.8, 0.5])


@pytest.fixture(scope="module")
def returns():
    rng = np.random.default_rng(5)
    return pd.DataFrame(rng.normal(MEANS, DEVIATIONS, (2000, 4)), columns=["bond", "mixed", "stock", "coin"])


def test_it_is_what_a_search_over_rho_finds():
    rng = np.random.default_rng(1)
    for _ in range(30):
        means, variances = rng.normal(0, 1, 6), rng.exponential(1, 6)
        arms, switches = envelope(means, variances)
        assert switches == sorted(switches)
        for rho in rng.exponential(2.0, 50):
            best = int(np.argmax(rho * means - variances))
            assert arms[int(np.searchsorted(switches, rho, side="right"))] == best


def test_arms_and_problems():
    arms = rb.GaussianArms([0.0, 0.5, 1.0, 0.4], [0.0, 0.125, 1.0, 0.5], names=["cash", "bond", "stock", "coin"])
    for source in (arms, rb.Problem(arms, rb.CVaR(0.1))):
        found = rb.frontier(source)
        table = found.table()
        assert table["arm"].tolist() == ["cash", "bond", "stock"]
        assert table["rho_from"].tolist() == [0.0, 0.25, 1.75]
        assert table["rho_to"].tolist() == [0.25, 1.75, math.inf]
        assert table["rho_from_low"].isna().all()
        assert (found.best(0.1), found.best(1.0), found.best(99.0), found.never) == ("cash", "bond", "stock", ["coin"])
        assert [rb.Problem(arms, rb.MeanVariance(rho)).best_arm for rho in (0.1, 1.0, 99.0)] == [0, 1, 2]


def test_tables_have_intervals_that_hold_the_truth_and_rho_has_a_unit(returns):
    found = rb.frontier(returns, seed=3).table()
    assert found["arm"].tolist() == ["bond", "mixed", "stock"]
    true = [(0.09 - 0.01) / 0.04, (0.64 - 0.09) / 0.04]
    for row, rho in zip(found.iloc[1:].itertuples(), true, strict=True):
        assert row.rho_from_low < rho < row.rho_from_high
        assert row.rho_from_low < row.rho_from < row.rho_from_high
    percent = rb.frontier(100 * returns, seed=3).table()
    for column in ("rho_from", "rho_from_low", "rho_from_high"):
        assert percent[column].iloc[1:].tolist() == pytest.approx((100 * found[column].iloc[1:]).tolist())


def test_the_intervals_are_those_of_fresh_samples():
    rng = np.random.default_rng(2)
    fresh = []
    for _ in range(300):
        table = rng.normal(MEANS[:2], DEVIATIONS[:2], (2000, 2))
        (mean,), (variance,) = np.diff(table.mean(axis=0)), np.diff(table.var(axis=0))
        fresh.append(float(crossing(np.array(mean), np.array(variance))))
    widths = []
    for seed in range(5):
        table = pd.DataFrame(rng.normal(MEANS[:2], DEVIATIONS[:2], (2000, 2)), columns=["a", "b"])
        row = rb.frontier(table, seed=seed, resamples=400).table().iloc[1]
        widths.append(math.log(row["rho_from_high"] / row["rho_from_low"]))
    low, high = np.quantile(fresh, (0.025, 0.975))
    assert np.median(widths) == pytest.approx(math.log(high / low), rel=0.35)


def test_blocks_widen_intervals_of_rows_that_depend_on_each_other():
    rng = np.random.default_rng(4)
    walk = np.repeat(rng.normal(MEANS[:2], DEVIATIONS[:2], (100, 2)), 20, axis=0)
    table = pd.DataFrame(walk, columns=["a", "b"])
    alone, together = (rb.frontier(table, block=block).table().iloc[1] for block in (1.0, 40.0))
    assert together["rho_from_low"] < alone["rho_from_low"]


def test_recorded_arms_and_gaps(returns):
    gaps = returns.mask(np.arange(len(returns))[:, None] % 7 == np.arange(4))
    whole, missing = rb.frontier(returns), rb.frontier(gaps)
    assert whole.table()["arm"].tolist() == missing.table()["arm"].tolist()
    recorded = rb.frontier(rb.DataArms.from_table(returns))
    assert recorded.table()["rho_from"].tolist() == pytest.approx(whole.table()["rho_from"].tolist())
    assert recorded.is_estimated


def test_the_picture(returns):
    ax = rb.frontier(returns).plot()
    ax.figure.canvas.draw()
    assert {text.get_text() for text in ax.get_legend().get_texts()} >= {"bond", "mixed", "stock"}
    heights = np.array([area.get_paths()[0].vertices[:, 1].max() for area in ax.collections])
    assert heights.max() == pytest.approx(100.0)
    assert "rewards" in ax.get_xlabel()


def test_it_shows_itself(returns):
    found = rb.frontier(returns)
    assert "from rho = 0 to" in repr(found)
    assert "<table" in found._repr_html_()


@pytest.mark.parametrize(
    "bad",
    [
        lambda: rb.frontier(3),
        lambda: rb.frontier("no such file.csv"),
        lambda: rb.frontier(rb.MVTS()),
        lambda: rb.frontier(pd.DataFrame({"a": [1.5], "b": [2.5]})),
        lambda: rb.frontier(rb.GaussianArms([0, 1], [1, 2]), resamples=0),
        lambda: rb.frontier(rb.GaussianArms([0, 1], [1, 2]), block=0.5),
        lambda: rb.frontier(rb.GaussianArms([0, 1], [1, 2]), seed=-1),
        lambda: rb.frontier(rb.GaussianArms([0, 1], [1, 2])).best(-1),
        lambda: rb.frontier(rb.StudentTArms([0.0], [1.0], [1.5])),
    ],
)
def test_bad_calls(bad):
    with pytest.raises(RiskBanditsError):
        bad()


def test_arms_whose_means_are_not_one_number_are_refused():
    calm = rb.GaussianArms([0, 1], [1, 2])
    changing = rb.PiecewiseArms([(1, calm), (5, rb.GaussianArms([1, 0], [1, 2]))])
    for arms, words in (
        (rb.LinearArms([[1.0], [0.0]], [1.0, 2.0]), "frontier is for arms without features. Got LinearArms instead."),
        (changing, "frontier is for arms that do not change. Got PiecewiseArms instead."),
    ):
        with pytest.raises(RiskBanditsError) as caught:
            rb.frontier(arms)
        assert str(caught.value) == words
    with pytest.raises(RiskBanditsError, match="LinearArms have features of decisions, and cannot be a piece"):
        rb.PiecewiseArms([(1, rb.LinearArms([[1.0]], [1.0]))])


def test_the_command(command, returns, tmp_path):
    path = tmp_path / "returns.csv"
    returns.to_csv(path, sep=";", decimal=",")
    code, out, err = command(
        "frontier", path, "--figure", tmp_path / "f.png", "--rho", "1", "--out", tmp_path / "f.csv"
    )
    assert code == 0
    assert "from rho = 0 to" in out
    assert "For rho = 1 (gamma = 2): bond" in out
    assert "Read 4 arms (bond, mixed, stock, coin) and 2,000 rows" in err
    assert (tmp_path / "f.png").stat().st_size > 10_000
    assert pd.read_csv(tmp_path / "f.csv")["arm"].tolist() == ["bond", "mixed", "stock"]
    code, out, _ = command("frontier", path, "--json")
    assert [row["arm"] for row in json.loads(out)["table"]] == ["bond", "mixed", "stock"]
    (tmp_path / "arms.csv").write_text("name,mean,variance\nu,0,0\nv,1,1\n")
    code, out, _ = command("frontier", tmp_path / "arms.csv")
    assert "from rho = 1 on: v" in out


@pytest.mark.parametrize("arguments", [["none.csv"], ["zhu-tan-gaussian", "--figure", "f.jpeg"], ["x.json"], []])
def test_the_command_refuses(command, arguments, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    code, _, err = command("frontier", *arguments)
    assert code == 2
    assert "Traceback" not in err


def test_it_says_how_sure_it_is_and_never_infinity():
    rng = np.random.default_rng(8)
    table = pd.DataFrame(
        rng.normal([1e-4, 3e-4, 2e-4], [0.002, 0.01, 0.015], (300, 3)), columns=["bond", "fund", "hype"]
    )
    table.insert(0, "day", pd.bdate_range("2020-01-01", periods=300))
    found = rb.frontier(table)
    words = " ".join(found.sentences())
    shown = found.table()
    assert f"{shown['arm'][0]}, which leads in {100 * shown['sure'][0]:.0f} % of resamples" in words
    for text in (words, found.grid().text(), found.moments_grid().text()):
        assert "inf" not in text
        assert "nan" not in text
    if found.never:
        assert f"never best: {', '.join(found.never)}" in words
    assert found.per_year == pytest.approx(261, abs=2)
    moments = found.moments().set_index("arm")
    assert moments.loc["fund", "annual_volatility"] == pytest.approx(table["fund"].std(ddof=0) * 261**0.5, rel=0.01)
    assert moments.loc["fund", "annual_mean"] == pytest.approx(table["fund"].mean() * 261, rel=0.01)


def test_few_rows_long_blocks_and_many_arms_are_said():
    rewards = np.random.default_rng(2).normal(size=(40, 300))
    many = rb.frontier(rewards_table(rewards), resamples=100)
    assert f"never best: {len(many.never)} of the 300 arms" in many.sentences()[-1]
    assert "too few" not in many.how_sure()
    assert "too few" in rb.frontier(rewards_table(rewards[:12, :2]), resamples=100).how_sure()
    with pytest.raises(ParameterError, match="block must be at most half the number of rows, 40. Got 21"):
        rb.frontier(rewards_table(rewards), block=21, resamples=100)
    with pytest.raises(ParameterError, match="The number of rewards of 'a0' must be at least 2. Got 1 instead"):
        rb.frontier(rewards_table(rewards[:1, :2]))


def rewards_table(rewards):
    return pd.DataFrame(rewards, columns=[f"a{k}" for k in range(rewards.shape[1])])


@pytest.mark.parametrize(("gamma", "best"), [(20.0, "cash"), (8.1, "cash"), (7.9, "bond"), (1.1, "stock")])
def test_gamma_is_the_risk_aversion_of_half_the_variance(command, gamma, best):
    means, variances = np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.125, 1.0])
    assert ["cash", "bond", "stock"][int(np.argmax(means - 0.5 * gamma * variances))] == best
    arms = 'gaussian(means=[0, 0.5, 1], variances=[0, 0.125, 1], names=["cash", "bond", "stock"])'
    code, out, _ = command("frontier", arms, "--gamma", str(gamma), "--json")
    assert code == 0
    assert json.loads(out)["best"] == best
    assert command("frontier", arms, "--gamma", "0")[0] != 0
    assert "give only one" in command("frontier", arms, "--gamma", "1", "--rho", "1")[2]
    assert "--risk and --gamma both" in command("simulate", "--risk", "cvar", "--gamma", "1")[2]
