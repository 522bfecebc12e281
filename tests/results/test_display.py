"""What results show of themselves: in a terminal, in a notebook, from the command line, and as pictures."""

from __future__ import annotations

import math
import re
import sys
import types
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import riskbandits as rb
from riskbandits.api import simulate
from riskbandits.core import progress
from riskbandits.core.display import Grid, format_with_error
from riskbandits.simulation.runner import run_in_plain_python

PROBLEM = rb.Problem(rb.GaussianArms([0.1, 0.5, 0.9], [0.05, 0.2, 1.5]), rb.MeanVariance(1.0))
POLICIES = [rb.UniformRandom(), rb.MVTS()]


def simulated(problem, policies=(rb.MVTS(),), horizon=50, runs=3):
    """A result without anything compiled."""
    jobs = simulate.plan(problem, policies, simulate.RunOptions(horizon, runs, 1))
    return rb.Result([run_in_plain_python(job) for job in jobs], {"horizon": horizon, "runs": runs}, {})


@pytest.fixture(scope="module")
def result():
    return simulated(PROBLEM, POLICIES, 200, 20)


def test_a_result_prints_the_ranked_table_in_eighty_columns(result):
    text, final = str(result), result.final()
    lines = text.splitlines()
    rows = [line for line in lines if line[:2] in ("1 ", "2 ")]
    assert [row.split()[1] for row in rows] == final["policy"].tolist() == ["MVTS", "UniformRandom"]
    for row, mean, error in zip(rows, final["exact_pseudo_regret_mean"], final["exact_pseudo_regret_se"], strict=True):
        assert format_with_error(mean, error) in row
    assert "pseudo-regret ± s.e." in text
    assert "settled" in text
    assert max(map(len, lines)) <= 80


def test_a_notebook_shows_it_as_a_table(result):
    page = result._repr_html_()
    assert page.count("<tr>") == 3
    assert "MVTS" in page


def test_a_notebook_breaks_no_interval_and_scrolls_what_is_too_wide(result):
    page = result._repr_html_()
    assert page.count("white-space: nowrap") == page.count("<td") > 0
    assert '<div style="overflow-x: auto"><table>' in page


RECORDS = pd.DataFrame({"bond": [0.1, 0.3, 0.2, 0.1] * 5, "stock <x>": [1.0, -0.9, 0.8, -0.5] * 5})


def test_a_replay_shows_how_it_went_and_not_its_arrays():
    found = rb.replay(rb.UniformRandom(), RECORDS, rb.MeanVariance(1.0), runs=3)
    assert repr(found) == "<Replay: UniformRandom, 3 runs of 20 steps on 2 arms>"
    for shown in (str(found), found._repr_html_()):
        assert "Best in hindsight: bond" in shown
        assert "UniformRandom" in shown
        assert "array(" not in shown


def test_a_frontier_in_a_notebook_has_heads_that_people_read():
    page = rb.frontier(RECORDS, resamples=100)._repr_html_()
    assert "95 % interval" in page
    assert "stock &lt;x&gt;" in page
    assert "rho_from_low" not in page
    exact = rb.frontier(PROBLEM)._repr_html_()
    assert "interval" not in exact
    assert "nan" not in exact


def test_one_regret_is_shown_and_its_sign_is_explained():
    for risk in (rb.CVaR(0.2), rb.MeanVariance(1.0)):
        table = simulated(PROBLEM.with_risk(risk)).ranking()
        assert [head for head in table.heads if "regret" in head] == ["pseudo-regret ± s.e."]
        assert "standard error" in table.notes[0]
        assert sum("±" in cell for cell in table.rows[0]) == 1


def test_texts_fit_a_terminal_whatever_they_hold():
    labels = [f"A policy whose name goes on and on, number {k}" for k in range(3)]
    columns = [f"column {k} of many" for k in range(12)]
    grid = Grid("word " * 50, ["", *columns], [[label, *["1,234.5 ± 0.1"] * 12] for label in labels], ["note " * 40])
    lines = grid.text().splitlines()
    assert max(map(len, lines)) <= 80
    together = " ".join(grid.text().split())
    assert all(together.count(name) == 1 for name in columns)
    assert together.count("1,234.5 ± 0.1") == 36
    wide = Grid("", ["a"], [["x" * 200]]).text()
    assert wide.count("x") == 200


@pytest.mark.parametrize(
    ("mean", "error", "shown"),
    [
        (36156764.0, 2712345.0, "3.62e+07 ± 0.27e+07"),
        (5879.3, 163.2, "5,880 ± 160"),
        (9.96, 0.0996, "9.96 ± 0.10"),
        (-4.27556e-5, 3e-7, "-4.276e-05 ± 0.030e-05"),
        (0.0, 1e-9, "0.0e-09 ± 1.0e-09"),
        (3.0, 5e9, "0.0e+09 ± 5.0e+09"),
        (1.0, 0.0, "1 ± 0"),
        (0.0, 0.0, "0 ± 0"),
        (1e300, math.inf, "1.0000e+300"),
    ],
)
def test_a_number_and_its_error_are_written_alike(mean, error, shown):
    assert format_with_error(mean, error) == shown


@pytest.mark.parametrize("kind", ["runs", "fan", "pulls", "best_arm_share"])
def test_pictures(result, kind):
    ax = result.plot(kind)
    ax.figure.canvas.draw()
    assert ax.get_legend() is not None


def test_dots_of_runs_are_where_the_runs_are(result):
    from matplotlib.figure import Figure

    ax = result.plot("runs", ax=Figure().subplots())
    dots = np.concatenate([line.get_xdata() for line in ax.lines if line.get_marker() == "." and len(line.get_xdata())])
    assert sorted(dots) == pytest.approx(sorted(result.runs()["exact_pseudo_regret"]))


def test_sweeps_and_comparisons_and_identifications_show_themselves():
    swept = rb.SweepResult(
        "rho", [0.1, 5.0], [simulated(PROBLEM.with_risk(rb.MeanVariance(rho))) for rho in (0.1, 5.0)]
    )
    assert "best arm" in str(swept)
    assert len(swept.final()) == 2
    swept.plot("fan").figure.canvas.draw()
    compared = rb.Comparison.load(Path(__file__).parents[1] / "files" / "v0.2" / "comparison.parquet")
    assert "settled" in str(compared)
    assert compared.final().equals(compared.leaderboard())
    for kind in ("runs", "fan"):
        compared.plot(kind).figure.canvas.draw()
    found = rb.identify(PROBLEM, rb.SuccessiveRejects(), budget=30, runs=5, progress=False)
    assert "wrong arm [95 %]" in str(found)
    found.plot().figure.canvas.draw()
    assert found.final().equals(found.table())
    assert found.by_run()["rewards"].tolist() == found.cost.tolist()
    found.plot("runs").figure.canvas.draw()
    with pytest.raises(rb.RiskBanditsError, match="kind of plot 'run'. Did you mean 'runs'"):
        found.plot("run")
    for one in (swept, compared, found):
        assert "<table>" in one._repr_html_()


def test_comparisons_and_identifications_are_drawn_for_a_column():
    problems = [rb.problems.zhu_tan_gaussian(rho) for rho in (0.1, 1.0)]
    policies = [rb.MVLCB(), rb.UniformRandom()]
    compared = rb.compare(rb.Suite.of(problems), policies, horizon=60, runs=4, workers=1, progress=False)
    found = rb.identify(problems[0], rb.SuccessiveRejects(), budget=60, runs=4, workers=1, progress=False)
    drawn = [compared.plot(kind, style="article", width=3.3) for kind in ("families", "profile", "runs", "fan")]
    for ax in (*drawn, *(found.plot(kind, style="article", width=3.3) for kind in ("arms", "runs"))):
        ax.figure.draw_without_rendering()
        name, page = ax.xaxis.label.get_window_extent(), ax.figure.bbox
        assert page.x0 <= name.x0 < name.x1 <= page.x1
        assert ax.get_legend() is None
        assert len(ax.figure.legends) == 1


def test_runs_of_a_comparison():
    other = PROBLEM.with_risk(rb.MeanVariance(5.0))
    policies = [rb.UniformRandom(), rb.MVTS()]
    found = rb.compare([PROBLEM, other], policies, horizon=30, runs=4, progress=False)
    table = found.runs()
    assert len(table) == 2 * 2 * 4
    means = table.groupby(["problem", "policy"])["exact_pseudo_regret"].mean()
    by_problem = found.by_problem().set_index(["problem", "policy"])["regret"]
    assert means.to_dict() == pytest.approx(by_problem.to_dict())
    assert table.groupby(["problem", "policy"])["relative"].mean().groupby("problem").min().tolist() == pytest.approx(
        [1, 1]
    )
    dots = [line for line in found.plot("runs").lines if line.get_marker() in (".", "x")]
    drawn = np.concatenate([line.get_xdata() for line in dots])
    assert sorted(drawn) == pytest.approx(sorted(table["relative"]))


def test_bounds_show_themselves():
    problem = rb.problems.zhu_tan_gaussian(1.0)
    bound = rb.theory.theorem_3(problem)
    lines = str(bound).splitlines()
    assert lines[0] == "Theorem 3 (MVTS)"
    assert re.search(r"^total +26,542 +no$", str(bound), re.MULTILINE)
    assert "as this fails: mu_i < mu_best" in " ".join(lines)
    assert "<table>" in bound._repr_html_()
    several = str(rb.theory.lower_bound(problem, rho=[0.1, 1.0, 10.0]))
    assert re.findall(r"^(\S+) +(\S+) +yes$", several, re.MULTILINE) == [("0.1", "11.3"), ("1", "92.8"), ("10", "624")]


def test_what_cannot_be_plotted_is_said_with_what_can(result):
    with pytest.raises(rb.RiskBanditsError, match="'run'. Did you mean 'runs'"):
        result.plot("run")
    with pytest.raises(rb.RiskBanditsError, match="Known: runs, fan, pulls, regret"):
        result.plot("bars")


def test_markup_in_names_is_escaped():
    grid = Grid("<b>", ["<i>"], [["<script>"]])
    assert "<script>" not in grid.html()


def test_figures_from_the_command_line(command, tmp_path):
    common = ("--horizon", "30", "--runs", "3")
    calls = (
        ("simulate", "--policies", "mvts", *common, "--plot", "fan"),
        ("sweep", "--policies", "mvts", "--rhos", "0.1,1,10", *common),
        ("identify", "--budget", "60", "--runs", "3"),
    )
    for number, call in enumerate(calls):
        path = tmp_path / f"{number}.png"
        code, _, err = command(*call, "--figure", path)
        assert code == 0, err
        assert path.stat().st_size > 5000
        code, _, err = command(*call, "--figure", tmp_path / "x.jpeg")
        assert code == 2
        assert err.startswith("Error: --figure must be a file that ends in")


def test_only_public_names_are_offered():
    import riskbandits.cli  # noqa: F401  (a room that nobody is offered)

    offered = {name for name in dir(rb) if not name.startswith("__")}
    assert offered == {*rb.__all__, "errors", "metrics", "plotting", "testing"} - {"__version__"}


def test_a_bar_in_a_notebook(monkeypatch):
    shown = []

    class Handle:
        def update(self, thing):
            shown.append(thing)

    def display(thing, display_id):
        shown.append(thing)
        return Handle()

    module = types.ModuleType("IPython")
    module.get_ipython = lambda: types.SimpleNamespace(kernel=object())
    module.display = types.ModuleType("IPython.display")
    module.display.HTML, module.display.display = str, display
    monkeypatch.setitem(sys.modules, "IPython", module)
    monkeypatch.setitem(sys.modules, "IPython.display", module.display)
    monkeypatch.setattr(progress, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_BARS", 0.0)
    with progress.reporting("Simulating <x>", 10.0, True) as report:
        for done in range(10):
            report(float(done))
    assert '<progress value="5" max="10"' in shown[5]
    assert "Simulating &lt;x&gt;" in shown[5]
    assert shown[-1] == ""


def test_numbers_of_runs_over_time(result):
    table = rb.metrics.runs_over_time(result.traces)
    assert isinstance(table, pd.DataFrame)
    last = table[table["step"] == 200]
    assert sorted(last["exact_pseudo_regret"]) == pytest.approx(sorted(result.runs()["exact_pseudo_regret"]))


def test_the_best_of_arms_that_change_is_that_of_the_first_step():
    before, after = (rb.GaussianArms(means, [0.1, 0.1], names=["a", "b"]) for means in ([0.5, 0.0], [0.0, 0.5]))
    problem = rb.Problem(rb.PiecewiseArms([(1, before), (11, after)]), rb.MeanVariance(1.0))
    shown = str(rb.simulate(problem, [rb.UniformRandom()], horizon=20, runs=2, progress=False))
    assert "At the first step, best arm: a (value 0.4); then b (-0.1)." in shown


def test_of_several_best_arms_all_are_said():
    tied = rb.Problem(rb.GaussianArms([0.1, 0.5, 0.5], [1.0, 1.0, 1.0], names=["a", "b", "c"]), rb.Mean())
    found = rb.identify(tied, rb.SuccessiveRejects(), budget=30, runs=3, seed=1, progress=False)
    assert "Best arms: b, c. Named" in str(found)


@pytest.mark.parametrize(
    "function", [rb.simulate, rb.sweep, rb.compare, rb.replay, rb.Learner], ids=lambda function: function.__name__
)
def test_first_examples_use_the_recommended_default(function):
    assert "SwitchingAware()" in function.__doc__


@pytest.mark.parametrize(
    "page",
    [
        "README.md",
        "docs/index.md",
        "docs/tutorial.md",
        "docs/how-to/reproduce-the-paper.md",
        "examples/1-the-paper.ipynb",
    ],
)
def test_first_examples_of_pages_begin_with_it(page):
    text = (Path(__file__).parents[2] / page).read_text()
    named = re.findall(r"rb\.(SwitchingAware|[A-Z]{0,4}TS|MVLCB|UniformRandom)\(", text)
    assert named[0] == "SwitchingAware"


@pytest.mark.parametrize("command", ["simulate", "sweep", "compare", "replay"])
def test_first_examples_of_commands_do_too(command):
    from riskbandits.cli.app import app

    names = {one.name or one.callback.__name__: one.callback for one in app.registered_commands}
    assert "--policies switching-aware," in names[command].__doc__.split("**Example:**")[1]


def test_one_is_not_several():
    problem = rb.Problem(rb.GaussianArms([0.0], [1.0]), rb.MeanVariance(1.0))
    one = rb.simulate(problem, [rb.UniformRandom()], horizon=1, runs=1, progress=False)
    swept = rb.sweep(
        lambda rho: problem.with_risk(rb.MeanVariance(rho)), [1.0], [rb.UniformRandom()], horizon=1, runs=1
    )
    learner = rb.Learner(rb.UniformRandom(), arms=1, risk=rb.Mean())
    learner.tell(learner.ask(), 1.0)
    for shown in (
        repr(one),
        repr(swept),
        repr(rb.Suite.of([rb.problems.zhu_tan_gaussian()])),
        repr(learner),
        repr(rb.frontier(problem)),
    ):
        assert not re.search(r"\b1 (runs|steps|values|problems|arms|decisions)\b", shown), shown
    assert "; 1 run of 1 step on" in repr(one)


@pytest.mark.parametrize(("terminal", "widest"), [(60, 60), (200, 80), (0, 80), (20, 40)])
def test_text_fits_a_narrow_terminal(monkeypatch, terminal, widest):
    grid = Grid("A title of several words", ["name", *["a column"] * 9], [["a name", *["1,234.5"] * 9]], ["note " * 30])
    assert 60 < max(map(len, grid.text().splitlines())) <= 80
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", str(terminal))
    assert widest - 20 < max(map(len, grid.text().splitlines())) <= widest
