"""The paper in one call: the numbers are those of `simulate`, and nothing is done twice."""

from __future__ import annotations

import json

import pandas as pd
import pyarrow.parquet as pq
import pytest

import riskbandits as rb
from riskbandits import plotting
from riskbandits.core.errors import FileError, ParameterError, UnknownNameError
from riskbandits.metrics import locked
from riskbandits.paper import FIGURES, Experiment, layout, reproduction
from riskbandits.simulation import replications
from riskbandits.simulation.engines import threads
from small_paper import SMALL

VIEWS = ("paper", "ours", "runs")


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(reproduction, "EXPERIMENTS", SMALL)


@pytest.fixture
def played(monkeypatch):
    """The replications that are simulated from here on."""
    runs = []

    def spy(job, play, first, last, *signals):
        runs.extend((job.problem.risk.rho, job.label, run) for run in range(first, last))
        return replications.play_range(job, play, first, last, *signals)

    monkeypatch.setattr(threads, "play_range", spy)
    return runs


@pytest.fixture
def saved(monkeypatch):
    """The pictures that are drawn from here on; what is in them takes long to draw and is not looked at here."""
    names = []

    def spy(figure, paths):
        names.extend(path.name for path in paths)
        for path in paths:
            path.write_text(f"a picture called {path.name}")

    monkeypatch.setattr(plotting, "save", spy)
    return names


def reproduce(out, figures=("figure-s2",), **other):
    return reproduction.reproduce(out, figures, **{"runs": 4, "seed": 5, "workers": 1, "progress": False, **other})


def test_files_and_record(tmp_path):
    done = reproduce(tmp_path / "new" / "out", ["Figure S-2", "1"])
    expected = {layout.picture(done.out, "figure-s2", view, kind) for view in VIEWS for kind in ("png", "svg", "pdf")}
    expected |= {
        layout.picture(done.out, "figure-1", view, kind) for view in VIEWS[:2] for kind in ("png", "svg", "pdf")
    }
    tables = (("figure-s2", ""), ("figure-s2", "runs"), ("figure-1", ""), ("figure-1", "points"), ("summary", ""))
    expected |= {layout.table(done.out, *names, kind) for names in tables for kind in ("csv", "parquet")}
    assert set(done.made) == expected
    assert all(path.stat().st_size > 0 for path in expected)
    assert {path.name for path in done.out.iterdir()} == {"figures", "tables", "store", "manifest.json"}
    assert (list(done.figures), done.kept) == (["figure-1", "figure-s2"], [])
    assert done.settings == {"figures": ["figure-1", "figure-s2"], "runs": 4, "seed": 5, "horizon": None}
    assert done.outcomes["bernoulli"].values == [4 / 9]


def test_numbers_are_those_of_simulate(tmp_path, saved):
    done = reproduce(tmp_path)
    policies = SMALL["bernoulli"].policies
    alone = rb.simulate(rb.problems.zhu_tan_bernoulli(4 / 9), policies, horizon=200, runs=4, seed=5, progress=False)
    for table in (pd.read_parquet(layout.table(tmp_path, "figure-s2", suffix="parquet")), done.tables["figure-s2"][""]):
        pd.testing.assert_frame_equal(table.drop(columns="rho"), alone.table(), check_exact=True)
    written = pd.read_csv(layout.table(tmp_path, "figure-s2"))
    pd.testing.assert_frame_equal(written.drop(columns="rho"), alone.table())
    runs = pd.read_csv(layout.table(tmp_path, "figure-s2", "runs"))
    for trace in alone.traces:
        assert runs.loc[runs["policy"] == trace.label, "locked"].tolist() == locked(trace).tolist()
    about = json.loads(
        pq.read_schema(layout.table(tmp_path, "figure-s2", suffix="parquet")).metadata[b"riskbandits-figure"]
    )
    assert about["figure"] == "figure-s2"
    assert about["settings"]["seed"] == 5


def test_against_rho_only_the_horizon_is_kept(tmp_path, saved):
    done = reproduce(tmp_path, ["figure-7", "figure-s3"])
    table = done.tables["figure-7"][""]
    assert table["step"].unique().tolist() == [200]
    assert table["rho"].unique().tolist() == list(FIGURES["figure-7"].rhos)
    last = done.tables["figure-s3"][""].query("step == 200").reset_index(drop=True)
    same = table[table["rho"] == 8 / 9].reset_index(drop=True)
    pd.testing.assert_frame_equal(same, last, check_exact=True)


def test_the_summary_ranks(tmp_path, saved):
    ranking = reproduce(tmp_path, ["figure-7", "figure-s2"]).ranking
    assert len(ranking) == 10 * 3 + 3
    for _, rows in ranking.groupby(["figure", "rho"]):
        assert rows["rank"].tolist() == [1, 2, 3]
        assert rows["exact_pseudo_regret_mean"].is_monotonic_increasing
        half = rows["exact_pseudo_regret_high"] - rows["exact_pseudo_regret_mean"]
        assert (half / rows["exact_pseudo_regret_se"]).tolist() == pytest.approx([1.959964] * 3)
        assert rows["locked_share"].between(0, 1).all()


def test_a_second_call_simulates_and_draws_nothing(tmp_path, played, saved):
    reproduce(tmp_path, ["figure-s2", "figure-1"])
    assert len(played) == 3 * 4
    assert len(saved) == 5 * 3
    done = reproduce(tmp_path, ["figure-s2", "figure-1"])
    assert len(played) == 3 * 4
    assert len(saved) == 5 * 3
    assert done.made == []
    assert len(done.kept) == 15 + 10


def test_deleted_figures_are_redrawn_without_simulating(tmp_path, played, saved):
    first = reproduce(tmp_path)
    before = {path: path.read_bytes() for path in first.made}
    for path in (tmp_path / "figures").iterdir():
        path.unlink()
    played.clear()
    saved.clear()
    done = reproduce(tmp_path)
    assert played == []
    assert len(saved) == 9
    assert {path.parent.name for path in done.made} == {"figures"}
    assert {path: path.read_bytes() for path in first.made} == before


def test_more_runs_and_more_figures_take_what_is_there(tmp_path, played, saved):
    reproduce(tmp_path)
    played.clear()
    saved.clear()
    reproduce(tmp_path, ["figure-s2", "figure-s3"], runs=5)
    assert sorted(run for rho, _, run in played if rho == 4 / 9) == [4] * 3
    assert sorted(run for rho, _, run in played if rho == 8 / 9) == sorted([*range(5)] * 3)
    assert len(saved) == 18


def test_fewer_formats_and_the_others_later(tmp_path, saved):
    done = reproduce(tmp_path, formats=["png"])
    assert {path.name for path in done.made if path.parent.name == "figures"} == {
        "figure-s2.png",
        "figure-s2-ours.png",
        "figure-s2-runs.png",
    }
    assert reproduce(tmp_path, formats=["png"]).made == []
    reproduce(tmp_path)
    assert len(list((tmp_path / "figures").iterdir())) == 9
    assert reproduce(tmp_path, formats=["png"]).made == []


def test_files_of_a_figure_never_show_different_numbers(tmp_path, saved):
    reproduce(tmp_path)
    (tmp_path / "figures" / "figure-s2.pdf").unlink()
    saved.clear()
    reproduce(tmp_path, runs=5, formats=["png"])
    assert sorted(name for name in saved if "-s2." in name) == ["figure-s2.png", "figure-s2.svg"]
    assert len(saved) == 8


def test_changed_drawing_code_redraws(tmp_path, played, saved, monkeypatch):
    reproduce(tmp_path)
    played.clear()
    saved.clear()
    monkeypatch.setattr(reproduction.artifacts, "sources", lambda *folders: "other code")
    done = reproduce(tmp_path)
    assert played == []
    assert len(saved) == 9
    assert {path.parent.name for path in done.made} == {"figures"}


def test_further_experiments_are_part_of_the_job(tmp_path, played, saved):
    also = {"mine": Experiment("Mine", rb.problems.zhu_tan_bernoulli, (0.5,), (rb.BernoulliLCB(),), 60, runs=1000)}
    done = reproduce(tmp_path, also=also, horizon=50)
    assert done.outcomes["mine"].at(0.5).pulls("BernoulliLCB").sum(axis=1).tolist() == [50] * 8
    assert len(played) == 3 * 4 + 8
    assert list(done.tables) == ["figure-s2"]


def test_a_stopped_call_goes_on(tmp_path, played, saved, monkeypatch):
    expected = reproduce(tmp_path / "whole", ["figure-s2", "figure-s3"]).tables["figure-s3"][""]
    played.clear()
    original = threads.play_range

    def stop(job, *arguments):
        if job.problem.risk.rho > 0.5:
            raise KeyboardInterrupt
        return original(job, *arguments)

    monkeypatch.setattr(threads, "play_range", stop)
    with pytest.raises(KeyboardInterrupt):
        reproduce(tmp_path / "stopped", ["figure-s2", "figure-s3"])
    finished = list(played)
    monkeypatch.setattr(threads, "play_range", original)
    table = reproduce(tmp_path / "stopped", ["figure-s2", "figure-s3"]).tables["figure-s3"][""]
    assert sorted(played) == sorted(set(played))  # nothing twice
    assert len(played) == 2 * 3 * 4 > len(finished)
    pd.testing.assert_frame_equal(table, expected, check_exact=True)


def test_a_full_disk_is_a_sentence_and_costs_nothing(tmp_path, played, monkeypatch):
    from matplotlib.figure import Figure

    def full_disk(self, *arguments, **options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Figure, "savefig", full_disk)
    with pytest.raises(FileError, match=r"figure-s2.png' could not be written: No space left on device"):
        reproduce(tmp_path)
    assert list((tmp_path / "figures").iterdir()) == []
    played.clear()
    monkeypatch.setattr(plotting, "save", lambda figure, paths: [path.write_text("") for path in paths])
    assert len(reproduce(tmp_path).made) >= 9
    assert played == []


def test_bad_input_leaves_nothing(tmp_path):
    for arguments, error, words in [
        ({"figures": ["fig33"]}, UnknownNameError, "There is no figure 'fig33'. Did you mean 'figure-3'?"),
        ({"runs": 0}, ParameterError, "number of runs must be"),
        ({"workers": 0}, ParameterError, "number of workers must be"),
        ({"horizon": 0}, ParameterError, "horizon must be"),
        ({"seed": -1}, ParameterError, "seed must be"),
        ({"engine": "thread"}, UnknownNameError, "Did you mean 'threads'"),
        ({"formats": ["pgn"]}, UnknownNameError, "There is no picture format 'pgn'. Did you mean 'png'?"),
    ]:
        with pytest.raises(error, match=words):
            reproduce(tmp_path / "out", **arguments)
        assert not (tmp_path / "out").exists(), arguments


@pytest.mark.full
def test_everything(tmp_path, monkeypatch):
    monkeypatch.undo()
    done = reproduction.reproduce(tmp_path, runs=3, horizon=300, progress=False)
    assert len(done.made) == (8 * 3 + 2 + 1) * 3 + (8 * 2 + 2 + 1) * 2
    assert list(done.figures) == list(FIGURES)
    again = reproduction.reproduce(tmp_path, runs=3, horizon=300, progress=False)
    assert again.made == []
