"""Every figure: settings are the paper's, and what is drawn is what its tables say."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest

from riskbandits import plotting
from riskbandits.paper.experiments import EXPERIMENTS
from riskbandits.paper.figures import FIGURES, needed
from riskbandits.policies.support import naming
from riskbandits.simulation.checkpoints import PAPER, default_checkpoints

SIMULATED = [name for name, figure in FIGURES.items() if figure.experiment]
OVER_TIME = [name for name in SIMULATED if len(FIGURES[name].rhos) == 1]
METRICS = ("regret", "pseudo_regret", "exact_pseudo_regret", "best_arm_share")
RUNS = 12


def labels_of(name: str) -> list[str]:
    return naming.labels(EXPERIMENTS[FIGURES[name].experiment].policies)


def tables_of(name: str) -> dict[str, pd.DataFrame]:
    """Tables as a simulation would give them, with numbers that are easy to find again."""
    figure = FIGURES[name]
    if figure.experiment is None:
        return dict(figure.tables(figure, {}))
    steps = default_checkpoints(30_000) if name in OVER_TIME else np.array([30_000])
    main, runs = [], []
    for rho in figure.rhos:
        for place, label in enumerate(labels_of(name)):
            mean = (place + 1.0) * steps**0.5 + rho
            columns = {"rho": rho, "policy": label, "step": steps, "runs": RUNS}
            columns |= {f"{metric}_mean": mean * (k + 1) for k, metric in enumerate(METRICS)}
            columns |= {f"{metric}_se": 0.01 * mean for metric in METRICS}
            main.append(pd.DataFrame(columns))
            values = mean[-1] * np.linspace(0.5, 2.0, RUNS)
            lost = np.arange(RUNS) < place
            runs.append(
                pd.DataFrame(
                    {"rho": rho, "policy": label, "run": range(RUNS), "exact_pseudo_regret": values, "settled": lost}
                )
            )
    return {"": pd.concat(main, ignore_index=True), "runs": pd.concat(runs, ignore_index=True)}


@pytest.fixture(autouse=True)
def printed() -> Iterator[None]:
    with plotting.style():
        yield


def drawn(name: str, view: str):
    """The axes of a figure, without those that are hidden."""
    return FIGURES[name].draw(view, tables_of(name)).get_axes()


def line(ax, label):
    return next(line for line in ax.lines if line.get_label() == label)


def test_all_ten_with_the_papers_settings():
    assert list(FIGURES) == [*(f"figure-{k}" for k in range(1, 8)), "figure-s1", "figure-s2", "figure-s3"]
    assert [FIGURES[name].number for name in ("figure-1", "figure-7", "figure-s3")] == [
        "Figure 1",
        "Figure 7",
        "Figure S-3",
    ]
    rhos = {name: FIGURES[name].rhos for name in SIMULATED}
    assert rhos["figure-3"] + rhos["figure-4"] + rhos["figure-5"] == (0.001, 1.0, 1000.0)
    assert rhos["figure-s1"] + rhos["figure-s2"] + rhos["figure-s3"] == (1 / 9, 4 / 9, 8 / 9)
    assert rhos["figure-6"] == (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000)
    assert rhos["figure-7"] == tuple(k / 9 for k in range(10))
    for name in ("figure-3", "figure-4", "figure-5", "figure-6"):
        assert (FIGURES[name].experiment, FIGURES[name].policies) == ("gaussian", ("MTS", "VTS", "MVTS", "MVLCB"))
    for name in ("figure-7", "figure-s1", "figure-s2", "figure-s3"):
        assert (FIGURES[name].experiment, FIGURES[name].policies) == ("bernoulli", ("BMVTS", "BernoulliLCB"))


@pytest.mark.parametrize("name", SIMULATED)
def test_a_figure_shows_a_part_of_its_experiment(name):
    figure = FIGURES[name]
    assert set(figure.policies) <= set(labels_of(name))
    assert set(figure.rhos) <= set(EXPERIMENTS[figure.experiment].rhos)
    assert figure.caption
    assert list(figure.views) == ["paper", "ours", "runs"]


def test_only_what_is_shown_is_simulated():
    chosen = {name: FIGURES[name] for name in ("figure-5", "figure-3", "figure-s2", "figure-1")}
    experiments = needed(chosen, EXPERIMENTS)
    assert {name: one.rhos for name, one in experiments.items()} == {
        "gaussian": (0.001, 1000.0),
        "bernoulli": (4 / 9,),
    }
    assert needed({"figure-1": FIGURES["figure-1"]}, EXPERIMENTS) == {}
    assert needed(FIGURES, EXPERIMENTS) == EXPERIMENTS


@pytest.mark.parametrize("name", OVER_TIME)
def test_over_time_in_the_papers_axes(name):
    [ax] = drawn(name, "paper")
    assert [one.get_label() for one in ax.lines] == list(FIGURES[name].policies)
    main = tables_of(name)[""]
    for label in FIGURES[name].policies:
        rows = main[(main["policy"] == label) & main["step"].isin(PAPER)]
        np.testing.assert_array_equal(line(ax, label).get_xdata(), PAPER)
        np.testing.assert_allclose(line(ax, label).get_ydata(), np.log(rows["regret_mean"]))
    assert (ax.get_xscale(), ax.get_yscale()) == ("linear", "linear")


@pytest.mark.parametrize("name", SIMULATED)
def test_our_view_has_every_preset_and_the_exact_pseudo_regret(name):
    [ax] = drawn(name, "ours")
    assert [one.get_label() for one in ax.lines] == labels_of(name)
    main = tables_of(name)[""]
    for label in labels_of(name):
        mean = main.loc[main["policy"] == label, "exact_pseudo_regret_mean"]
        shown = line(ax, label).get_ydata()
        np.testing.assert_array_equal(shown, mean.to_numpy()[-len(shown) :])
        assert len(shown) == (
            len(FIGURES[name].rhos) if name not in OVER_TIME else (main["step"] >= 10).sum() / len(labels_of(name))
        )
    assert ax.get_yscale() == "log"


@pytest.mark.parametrize("name", ["figure-6", "figure-7"])
def test_against_rho_in_the_papers_axes(name):
    [ax] = drawn(name, "paper")
    assert [one.get_label() for one in ax.lines] == list(FIGURES[name].policies)
    assert tuple(ax.lines[0].get_xdata()) == FIGURES[name].rhos
    assert ax.get_xscale() == ("log" if name == "figure-6" else "linear")
    assert "step 30,000" in ax.get_ylabel()


@pytest.mark.parametrize("name", OVER_TIME)
def test_runs_that_settled_on_a_wrong_arm_are_crosses(name):
    [ax] = drawn(name, "runs")
    labels = labels_of(name)
    assert [text.get_text() for text in ax.get_yticklabels()] == labels
    crosses = [one for one in ax.lines if one.get_marker() == "x" and one.get_label().startswith("_")]
    dots = [one for one in ax.lines if one.get_marker() == "." and one.get_label().startswith("_")]
    assert [len(one.get_xdata()) for one in crosses] == list(range(len(labels)))
    assert [len(one.get_xdata()) for one in dots] == [RUNS - place for place in range(len(labels))]
    assert [text.get_text() for text in ax.texts] == [f"{100 * k / RUNS:.1f} %" for k in range(len(labels))]


def test_fans_have_a_panel_per_policy_and_the_shares_that_settled_wrong():
    axes = drawn("figure-7", "runs")
    assert [ax.get_title() for ax in axes[:4]] == labels_of("figure-7")
    shares = axes[4]
    for place, label in enumerate(labels_of("figure-7")):
        np.testing.assert_allclose(line(shares, label).get_ydata(), 100.0 * place / RUNS)
    runs = tables_of("figure-7")["runs"]
    first = runs[runs["policy"] == "BMVTS"].groupby("rho")["exact_pseudo_regret"]
    np.testing.assert_allclose(line(axes[0], "mean").get_ydata(), first.mean())
    np.testing.assert_allclose(line(axes[0], "median").get_ydata(), first.median())


def test_the_parabola_and_its_roots():
    points = tables_of("figure-1")["points"]
    roots = points[points["kind"] != "arm"]
    np.testing.assert_allclose(roots["rho"] * roots["p"] - roots["p"] * (1 - roots["p"]), roots["value"], atol=1e-12)
    sketched = roots[roots["rho"] == 0.2].sort_values("p")
    assert sketched["p"].sum() == pytest.approx(1.0 - 0.2)
    # On the paper's arms the other root lies in [0, 1] at rho = 1/9 only, beside the arm with p = 0.1.
    others = roots[(roots["kind"] == "root") & (roots["rho"] != 0.2)]
    assert others[["rho", "p"]].to_numpy().tolist() == [[1 / 9, pytest.approx(1 - 1 / 9 - 0.79)]]
    assert set(points.loc[(points["kind"] == "best") & (points["rho"] != 0.2), "p"]) == {0.79}
    for view in FIGURES["figure-1"].views:
        assert drawn("figure-1", view)[0].lines


def test_the_same_content_is_the_same_file(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        paths = [tmp_path / folder / f"figure-s2.{suffix}" for suffix in ("png", "svg", "pdf")]
        plotting.save(FIGURES["figure-s2"].draw("ours", tables_of("figure-s2")), paths)
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes(), path.name


@pytest.mark.parametrize("view", ["paper", "ours", "runs"])
def test_legends_cover_nothing_and_fit_on_the_page(view):
    for name in ("figure-4", "figure-s3"):
        page = FIGURES[name].draw(view, tables_of(name))
        page.draw_without_rendering()
        [legend] = page.legends
        box, [ax] = legend.get_window_extent(), page.get_axes()
        assert 0 <= box.x0 < box.x1 <= page.bbox.x1
        assert box.y1 <= ax.get_tightbbox().y0 + 1.0
        title = ax.title.get_window_extent()
        assert 0 <= title.x0 < title.x1 <= page.bbox.x1


def test_the_diagram_shows_a_step_of_mvts_and_nothing_covers_another():
    page = FIGURES["figure-2"].draw("paper", {})
    page.draw_without_rendering()
    [ax] = page.get_axes()
    words = " ".join(text.get_text() for text in ax.texts)
    for part in ("\\tau_1", "\\theta_1", "\\rho\\,\\theta_K-1/\\tau_K", "largest", "reward", "T_i\\leftarrow T_i+1"):
        assert part in words, part
    boxes = [text.get_window_extent() for text in ax.texts if text.get_text()]
    for place, box in enumerate(boxes):
        assert page.bbox.x0 <= box.x0 < box.x1 <= page.bbox.x1
        assert page.bbox.y0 <= box.y0 < box.y1 <= page.bbox.y1
        assert not any(box.overlaps(other) for other in boxes[:place]), ax.texts[place].get_text()


def test_every_label_of_the_source_is_known():
    labels = {figure.label: name for name, figure in FIGURES.items() if figure.label}
    assert labels == {
        "ber": "figure-1",
        **{f"fig{k}": f"figure-{k + 1}" for k in range(2, 7)},
        **{f"S-{k}": f"figure-s{k - 4}" for k in range(5, 8)},
    }
