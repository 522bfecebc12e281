"""What people do with the package, step by step: a doctoral student with her own policy, and a quant with funds."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import riskbandits as rb
from riskbandits.cli.parsing import read_policies
from riskbandits.plotting.colours import looks

MINE = """
from typing import NamedTuple

from riskbandits.numerics import moments


class Mine(NamedTuple):
    bonus: float = 0.3

    def score(self, state, k, run, risk, rng):
        width = self.bonus / (1.0 + state[k, moments.COUNT]) ** 0.5
        return moments.sample_value(state, k, risk) + width * rng.standard_normal()

    def learn(self, state, k, run, reward):
        moments.add(state, k, reward)
"""


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    """Her policy beside one of the paper's."""
    file = tmp_path_factory.mktemp("student") / "mine.py"
    file.write_text(MINE, encoding="utf-8")
    policies = [rb.MVTS(), rb.UniformRandom(), *read_policies(f"{file}:Mine")]
    return rb.simulate(rb.problems.zhu_tan_gaussian(1.0), policies, horizon=1e3, runs=20, seed=7, progress=False)


def legend_box(ax):
    """The legend of a figure, wherever it stands, in pixels."""
    ax.figure.draw_without_rendering()
    found = [*ax.figure.legends, *([ax.get_legend()] if ax.get_legend() else [])]
    assert len(found) == 1
    return found[0].get_window_extent()


@pytest.mark.parametrize("metric", [None, "runs", "fan", "best_arm_share"])
def test_a_student_draws_her_policy_in_a_column_and_nothing_covers_it(compared, metric, tmp_path):
    ax = compared.plot(metric, style="article", width=3.3)
    assert ax.figure.get_figwidth() == 3.3
    assert not legend_box(ax).overlaps(ax.get_window_extent())
    ax.figure.savefig(tmp_path / "regret.pdf")
    small = rb.plotting.page(3.3, 2.6)
    ax = compared.plot(metric, ax=small.subplots())
    assert not legend_box(ax).overlaps(ax.get_window_extent())


def test_her_policy_looks_like_no_other(compared):
    found = looks(compared.labels)
    assert len({look.marker for look in found.values()}) == len(compared.labels)
    assert len({look[:2] for look in found.values()}) == len(compared.labels)


def test_she_prints_the_result_and_takes_its_table_into_her_article(compared):
    text = str(compared)
    assert max(map(len, text.splitlines())) <= 80
    assert all(label in text for label in compared.labels)
    latex = compared.to_latex("Regret.", "tab:regret")
    assert latex.count(r"\\") == 1 + len(compared.labels)
    assert latex.count("&") == 4 * (1 + len(compared.labels))
    assert latex.count("{") == latex.count("}")
    assert r"$\pm$" in latex
    assert "±" not in latex
    with pytest.raises(rb.RiskBanditsError, match="no style of figures 'articel'. Did you mean 'article'"):
        compared.plot(style="articel")
    with pytest.raises(rb.RiskBanditsError, match="width must be a number of inches"):
        compared.plot(style="article", width=-1)


@pytest.fixture
def funds(tmp_path):
    """Three years of daily returns of four funds, the youngest of which came later."""
    rng = np.random.default_rng(3)
    days = pd.bdate_range("2021-01-04", periods=756)
    drawn = rng.normal([1e-4, 2e-4, 4e-4, 5e-4], [0.002, 0.007, 0.010, 0.015], (756, 4))
    table = pd.DataFrame(drawn, columns=["bond", "dividend", "world", "tech"])
    table.loc[:199, "tech"] = np.nan
    table.insert(0, "date", days.strftime("%d.%m.%Y"))
    path = tmp_path / "funds.csv"
    table.to_csv(path, index=False, sep=";", decimal=",", float_format="%.6f")
    return path


def test_a_quant_asks_which_fund_and_how_sure_that_is(command, funds):
    code, out, err = command("frontier", funds, "--gamma", "8")
    assert code == 0
    assert "compared over different rows" in err
    assert "--common" in err
    words = " ".join(out.split())
    assert "% of resamples" in words
    assert "never best" in words
    assert "For rho = 0.25 (gamma = 8):" in words
    assert "volatility per year" in words
    assert "inf" not in words
    assert max(map(len, out.splitlines())) <= 80
    data = json.loads(command("frontier", funds, "--gamma", "8", "--json")[1])
    assert {"table", "never", "rho", "best"} <= data.keys()
    assert data["rho"] == 0.25
    moments = {row["arm"]: row for row in data["moments"]}
    best = max(moments, key=lambda arm: moments[arm]["mean"] - 0.5 * 8 * moments[arm]["volatility"] ** 2)
    assert data["best"] == best


def test_a_quant_replays_and_is_told_that_nothing_was_learned(command, funds):
    code, out, _ = command("replay", funds, "--gamma", "10", "--policies", "ngts,uniform-random", "--runs", "3")
    assert code == 0
    words = " ".join(out.split())
    assert "Nothing was learned" in words
    assert "you need no bandit: `frontier`" in words
    code, _, err = command("replay", funds, "--risk", "cvar:0.05")
    assert code == 2
    assert "Policies that serve this problem: NGTS" in err
