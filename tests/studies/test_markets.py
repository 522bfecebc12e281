"""Funds from recorded returns: descriptions, replays, shares and figures, on a made-up table."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import riskbandits as rb
from riskbandits import plotting
from studies import markets

DAYS = 400
CAUTIOUS = markets.Investor("CVaR at 5 %", rb.MeanVariance(1.0), rb.NGTS())
BOLD = markets.Investor("mean", rb.MeanVariance(1.0), rb.NGTS())


@pytest.fixture(scope="module")
def returns():
    rng = np.random.default_rng(2)
    dates = pd.date_range("2001-01-01", periods=DAYS, freq="B")
    return pd.DataFrame({"wild": rng.normal(0.1, 3.0, DAYS), "calm": rng.normal(0.05, 0.5, DAYS)}, index=dates)


def test_funds(returns):
    table = markets.funds(returns).set_index("name")
    for name in returns:
        daily = returns[name].to_numpy()
        worth = np.concatenate([[1.0], np.cumprod(1 + daily / 100)])
        deepest = min(worth[t] / worth[: t + 1].max() - 1 for t in range(len(worth)))
        assert table.loc[name, "cvar"] == pytest.approx(np.sort(daily)[: DAYS // 20].mean())
        assert table.loc[name, "growth"] == pytest.approx(worth[-1])
        assert table.loc[name, "drawdown"] == pytest.approx(100 * deepest)


def test_a_replay_earns_what_the_records_say_of_the_fund_that_was_chosen(returns):
    earned = markets.replayed(returns, CAUTIOUS, seed=1)
    table = returns.to_numpy()
    assert (np.isclose(earned[:, None], table).any(axis=1)).all()
    calm = np.isclose(earned, returns["calm"])
    assert calm[DAYS // 2 :].mean() > 0.9
    np.testing.assert_array_equal(earned, markets.replayed(returns, CAUTIOUS, seed=1))


def test_shares_and_figures(returns):
    found = markets.shares(returns, runs=4, investors=(CAUTIOUS,), workers=1, progress=False)
    assert found["share"].sum() == pytest.approx(1.0)
    assert found.set_index("fund")["best"].to_dict() == {"wild": False, "calm": True}
    assert found.set_index("fund")["share"]["calm"] > 0.8
    lives = markets.replays(returns, 2, (BOLD, CAUTIOUS), progress=False)
    assert markets.ends_of(lives).loc["mean", "growth"] == pytest.approx(
        np.median([np.prod(1 + life / 100) for life in lives["mean"]])
    )
    with plotting.style():
        page = markets.draw_shares(returns, found)
        page.draw_without_rendering()
        share = found.set_index("fund")["share"]
        wanted = {f"{name}, {100 * share[name]:.0f} %" for name in ("wild", "calm")}
        assert {text.get_text() for text in page.axes[0].texts} == wanted
        page = markets.draw_lives(returns, lives)
        page.draw_without_rendering()
    above, below = page.axes
    assert [line.get_label() for line in above.lines[:2]] == list(markets.SHOWN)
    assert max(below.lines[0].get_ydata()) <= 0.0
