"""Lines over time and against a parameter, their looks, and the numbers on their axes."""

from __future__ import annotations

import itertools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import riskbandits as rb
from riskbandits.core.errors import UnknownNameError
from riskbandits.plotting import plot_against, plot_over_time
from riskbandits.plotting.axes import plain_numbers
from riskbandits.plotting.colours import KNOWN, looks
from riskbandits.policies.support import naming


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def sweep(values, metric="exact_pseudo_regret", parameter="rho"):
    """A table with two steps per value, of which the last is to be drawn: mean 10 (k + 1), standard error 1."""
    rows = [
        {parameter: value, "policy": label, "step": step, "runs": 9, f"{metric}_mean": mean, f"{metric}_se": 1.0}
        for k, value in enumerate(values)
        for label in ("MVTS", "MVLCB:sani")
        for step, mean in ((50, 1.0), (100, 10.0 * (k + 1)))
    ]
    return pd.DataFrame(rows)


def test_against_a_parameter():
    ax = plot_against(sweep([0.01, 1.0, 100.0]))
    assert [line.get_label() for line in ax.lines] == ["MVTS", "MVLCB:sani"]
    assert ax.get_legend().get_title().get_text() == ""
    assert ax.lines[0].get_ydata().tolist() == [10.0, 20.0, 30.0]
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    assert ax.get_ylabel() == "pseudo-regret at step 100"
    band = ax.collections[0].get_paths()[0].vertices
    assert band[:, 1].max() == pytest.approx(30 + 1.959964)


@pytest.mark.parametrize(
    ("values", "scale"), [([0.0, 0.5, 1.0], "linear"), ([1.0, 2.0, 3.0], "linear"), ([-1.0, 10.0, 100.0], "linear")]
)
def test_a_linear_axis_where_a_logarithm_would_not_do(values, scale):
    assert plot_against(sweep(values)).get_xscale() == scale


@pytest.mark.parametrize("steps", [[100], [50, 100], [1, 10, 50, 100]])
def test_negative_regrets_and_few_steps_are_drawn(steps):
    rows = [(label, step, sign * step, 0.0) for label, sign in (("MVTS", 1.0), ("Mine", -1.0)) for step in steps]
    table = pd.DataFrame(rows, columns=["policy", "step", "regret_mean", "regret_se"])
    for shown, scale in ((table, "linear"), (table[table["policy"] == "MVTS"], "log")):
        ax = plot_over_time(shown, "regret")
        assert ax.get_yscale() == scale
        for line in ax.lines:
            assert line.get_ydata().min() >= ax.get_ylim()[0]
            assert line.get_markevery()[0] < len(steps)


def test_the_band_of_a_share_is_a_share():
    ax = plot_over_time(
        pd.DataFrame({"policy": ["A"], "step": [1], "best_arm_share_mean": [0.9], "best_arm_share_se": [0.2]}),
        "best_arm_share",
    )
    assert ax.collections[0].get_paths()[0].vertices[:, 1].max() == 1.0


def test_words_and_other_metrics():
    ax = plot_against(sweep(["few", "many"], "best_arm_share", "arms"), "arms", "best_arm_share")
    assert (ax.get_xlabel(), ax.get_yscale()) == ("arms", "linear")
    with pytest.raises(UnknownNameError, match="Did you mean 'regret'"):
        plot_against(sweep([1.0]), metric="regrett")
    with pytest.raises(UnknownNameError, match="There is no column 'arms'"):
        plot_against(sweep([1.0]), "arms")


def test_a_sweep_plots_itself():
    result = rb.sweep(rb.problems.zhu_tan_gaussian, [0.1, 10], [rb.UniformRandom()], horizon=20, runs=2, progress=False)
    _, given = plt.subplots()
    ax = result.plot("regret", ax=given)
    assert ax is given
    last = result.table().query("step == 20")["regret_mean"]
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), last)


def test_every_policy_has_a_look_of_its_own():
    labels = ["MTS:printed"]
    for cls in naming.public_policies():
        presets = [f"{cls.__name__}:{preset}" for preset in naming.presets(cls)]
        labels += [cls.__name__, *(label for label in presets if label in KNOWN)]
    assert {"MVLCB:sani", "MVLCB:vakili", "BernoulliLCB:sani", "BernoulliLCB:tight"} <= set(KNOWN)
    assert len(set(KNOWN.values())) == len(KNOWN)
    papers = [look for label, look in KNOWN.items() if label.split(":")[0] in ("MTS", "VTS", "MVTS", "MVLCB")]
    assert len({look.marker for look in papers}) == len(papers) == 7  # told apart in grey print, where lines are dense
    assert looks([*labels, "Mine"])["MVTS"] == looks(["MVTS"])["MVTS"] == KNOWN["MVTS"]


def test_lines_that_coincide_have_their_markers_apart():
    steps = np.arange(1, 41)
    parts = [
        pd.DataFrame({"policy": label, "step": steps, "regret_mean": steps * 1.0, "regret_se": 0.1})
        for label in ("MTS", "VTS", "MVTS")
    ]
    ax = plot_over_time(pd.concat(parts), "regret")
    assert len({line.get_markevery() for line in ax.lines}) == 3


@pytest.mark.parametrize(("low", "high"), [(1.0, 1e6), (3.0, 40.0), (1200.0, 1900.0), (0.0011, 0.0012)])
def test_an_axis_always_has_numbers(low, high):
    _, ax = plt.subplots()
    ax.plot([1, 2], [low, high])
    ax.set_yscale("log")
    plain_numbers(ax.yaxis)
    ax.figure.draw_without_rendering()
    bottom, top = ax.get_ylim()
    shown = [
        text.get_text()
        for text, place in zip(ax.get_yticklabels(), ax.get_yticks(), strict=True)
        if bottom <= place <= top
    ]
    assert len([text for text in shown if text]) >= 2
    assert len(set(shown)) == len(shown)


LONG = "A very long name of a fund that nobody can read, accumulating, EUR hedged"


@pytest.mark.parametrize("kind", ["pulls", "runs", "fan", "regret"])
def test_long_names_leave_room_for_the_data(kind):
    arms = rb.GaussianArms([0.0, 1.0], [1.0, 2.0], names=[LONG, "50 $ or 60 $"])
    problem = rb.Problem(arms, rb.MeanVariance(1.0))
    policies = {LONG: rb.UniformRandom(), "mine": rb.UniformRandom()}
    ax = rb.simulate(problem, policies, horizon=20, runs=4, progress=False).plot(kind)
    ax.figure.canvas.draw()
    assert ax.get_position().width > 0.35
    within = ax.figure.bbox
    texts = [*ax.get_legend().get_texts(), *ax.get_yticklabels()]
    assert all(within.x0 - 1 <= edge <= within.x1 + 1 for text in texts for edge in text.get_window_extent().intervalx)


def test_names_of_arms_beside_each_other_do_not_overlap():
    names = [LONG, "50 $ or 60 $", "a_b^c", "100 %"]
    arms = rb.GaussianArms([0.0, 1.0, 0.5, 0.2], [1.0, 2.0, 1.0, 1.0], names=names)
    found = rb.identify(rb.Problem(arms, rb.MeanVariance(1.0)), budget=40, runs=4, progress=False)
    ax = found.plot()
    ax.figure.canvas.draw()
    boxes = [label.get_window_extent() for label in ax.get_xticklabels()]
    assert not any(one.overlaps(other) for one, other in itertools.pairwise(boxes))


def test_many_arms_of_a_frontier_share_an_area():
    rng = np.random.default_rng(1)
    table = pd.DataFrame({f"Fund {k} hedged": rng.normal(0.05 * k**0.5, 0.1 + 0.05 * k, 60) for k in range(40)})
    ax = rb.frontier(table, resamples=100).plot()
    ax.figure.canvas.draw()
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert len(texts) == 13
    assert "other arms" in texts[-1]
    legend = ax.get_legend().get_window_extent()
    assert legend.x1 <= ax.figure.bbox.x1 + 1
    assert legend.y0 >= 0
