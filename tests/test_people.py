"""What people do with the package, step by step: a doctoral student with her own policy, and a quant with funds."""

from __future__ import annotations

import json
import re

import matplotlib
import matplotlib.figure
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


@pytest.mark.parametrize("metric", [None, "runs", "fan", "pulls", "best_arm_share"])
def test_a_student_draws_her_policy_in_a_column_and_nothing_covers_it(compared, metric, tmp_path):
    for width in (3.3, 7.2):
        ax = compared.plot(metric, style="article", width=width)
        assert ax.figure.get_figwidth() == width
        assert_readable(ax)
    ax.figure.savefig(tmp_path / "regret.pdf")
    small = rb.plotting.page(3.3, 2.6)
    assert_readable(compared.plot(metric, ax=small.subplots()))


def assert_readable(ax):
    """The legend covers no data, ends within the figure, and leaves at least a quarter of its height to the data."""
    legend, data, page = legend_box(ax), ax.get_window_extent(), ax.figure.bbox
    assert not legend.overlaps(data)
    assert not legend.overlaps(ax.xaxis.get_tightbbox())
    assert page.x0 - 1 <= legend.x0
    assert legend.x1 <= page.x1 + 1
    assert page.y0 - 1 <= legend.y0
    assert data.height >= 0.25 * page.height


MANY = ["MVTS", "MTS", "VTS", "MVLCB", "MVLCB:sani", "SwitchingAware", "NGTS", "Discounted", "Mine", "Mine(bonus=0.1)"]
MANY += ["A very long label of a policy that nobody can read", "my 50 $ policy"]


@pytest.mark.parametrize("number", [2, 5, 12])
@pytest.mark.parametrize("width", [3.3, 7.2])
def test_any_number_of_policies_leaves_room_for_the_data_and_each_has_a_marker(number, width):
    steps = np.array([1, 10, 100, 1000])
    parts = [
        pd.DataFrame({"policy": label, "step": steps, "regret_mean": (k + 1.0) * steps, "regret_se": 0.1 * steps})
        for k, label in enumerate(MANY[:number])
    ]
    table = pd.concat(parts)
    plain = matplotlib.figure.Figure(figsize=(width, 2.6))  # with no layout of its own
    styled = rb.plotting.in_style(lambda ax: rb.plotting.plot_over_time(table, "regret", ax), "article", width)
    for ax in (rb.plotting.plot_over_time(table, "regret", plain.subplots()), styled):
        assert_readable(ax)
        lines = ax.get_lines()
        assert len({line.get_marker() for line in lines}) == number
        assert len({(line.get_color(), line.get_linestyle(), line.get_marker()) for line in lines}) == number
    colours = [line.get_color() for line in styled.get_lines()]
    assert len(set(colours)) == min(number, 8)  # one's own has a colour that no other has, while there are some
    sizes = {line.get_markersize() for line in styled.get_lines()}
    assert sizes == {3.5}


def test_two_panels_in_a_row_have_their_legends_below_their_names(compared):
    page = rb.plotting.page(7.2, 2.6)
    left, right = page.subplots(1, 2)
    compared.plot(ax=left)
    compared.plot("runs", ax=right)
    page.draw_without_rendering()
    for ax in (left, right):
        legend = ax.get_legend().get_window_extent()
        assert legend.y1 <= ax.xaxis.get_tightbbox().y0
        assert not any(legend.overlaps(other.get_window_extent()) for other in (left, right))


def test_her_policy_looks_like_no_other(compared):
    found = looks(compared.labels)
    assert len({look.marker for look in found.values()}) == len(compared.labels)
    assert len({look.colour for look in found.values()}) == len(compared.labels)


def test_a_style_holds_in_a_block_or_from_then_on():
    with matplotlib.rc_context():
        with rb.plotting.style("article"):
            assert matplotlib.rcParams["lines.markersize"] == 3.5
        assert matplotlib.rcParams["lines.markersize"] != 3.5
        rb.plotting.style("article")
        assert matplotlib.rcParams["lines.markersize"] == 3.5
    assert matplotlib.rcParams["lines.markersize"] != 3.5


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
    assert re.search(r"For rho = 0.25 \(gamma = 8\): \w+, which leads in (over )?\d+ % of resamples", words)
    assert "volatility p.a." in words
    assert "inf" not in words
    assert max(map(len, out.splitlines())) <= 80
    data = json.loads(command("frontier", funds, "--gamma", "8", "--json")[1])
    assert {"table", "never", "rho", "best"} <= data.keys()
    assert data["rho"] == 0.25
    moments = {row["arm"]: row for row in data["moments"]}
    best = max(moments, key=lambda arm: moments[arm]["mean"] - 0.5 * 8 * moments[arm]["volatility"] ** 2)
    assert data["best"] == best
    assert 0.2 < data["sure"] <= 1.0
    assert_readable(rb.frontier(funds, resamples=100).plot(style="article", width=3.3))
    _, out, err = command("frontier", funds, "--common", "--gamma", "8")
    assert "from 2021-10-11 to 2023-11-27" in " ".join(err.split())
    assert "p.a.: per year, which has 261 rows" in out


def test_a_quant_replays_and_is_told_that_nothing_was_learned(command, funds):
    code, out, _ = command("replay", funds, "--gamma", "10", "--policies", "ngts,uniform-random", "--runs", "3")
    assert code == 0
    words = " ".join(out.split())
    assert "Nothing was learned" in words
    assert "you need no bandit: `frontier`" in words
    code, _, err = command("replay", funds, "--risk", "cvar:0.05")
    assert code == 2
    assert "Policies that serve this problem: NGTS" in err
