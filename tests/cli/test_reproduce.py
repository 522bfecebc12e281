from __future__ import annotations

import pytest

from riskbandits import plotting
from riskbandits.experiments import reproduction
from riskbandits.simulation.engines import threads
from small_paper import SMALL


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(reproduction, "EXPERIMENTS", SMALL)


def test_figures_tables_and_a_summary(command, tmp_path, monkeypatch):
    # What pictures look like is tested elsewhere.
    monkeypatch.setattr(plotting, "save", lambda figure, paths: [path.write_text("") for path in paths])
    code, out, err = command(
        "reproduce", "S-6", "fig6", "--runs", "3", "--horizon", "100", "--threads", "1", "--out", tmp_path / "new"
    )
    assert code == 0, err
    assert (tmp_path / "new" / "figures" / "S-6-ours.svg").exists()
    assert (tmp_path / "new" / "tables" / "fig6-runs.csv").exists()
    assert "S-6: Bernoulli arms, regret over time, rho = 4/9" in out
    assert out.count("BernoulliLCB:tight") == 2
    assert "after 100 steps: mean over 3 runs ± 95 % interval" in out
    assert "28 files written, 0 unchanged" in out
    _, out, _ = command(
        "reproduce", "S-6", "fig6", "--runs", "3", "--horizon", "100", "--threads", "1", "--out", tmp_path / "new"
    )
    assert "0 files written, 28 unchanged" in out


def test_a_first_look(command, tmp_path, monkeypatch):
    monkeypatch.setattr(reproduction, "QUICK_RUNS", 3)
    code, out, err = command("reproduce", "S-6", "--quick", "--horizon", "100", "--threads", "1", "--out", tmp_path)
    assert code == 0, err
    assert {path.suffix for path in (tmp_path / "figures").iterdir()} == {".png"}
    assert f"{tmp_path}/figures (png), {tmp_path}/tables (csv, parquet)." in out
    assert "without --quick there are 500 runs, figures as SVG and PDF too, and what only claims need" in out
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.count("data:image/png;base64") == 3


def test_quick_means_fifty_runs(command, tmp_path, monkeypatch):
    asked = []

    def spy(out, figures, runs, *others):
        asked.append((figures, runs, others[-1], others[-2] is not None))  # claims need further experiments
        raise KeyboardInterrupt

    monkeypatch.setattr(reproduction, "reproduce", spy)
    command("reproduce", "--quick", "--out", tmp_path)
    command("reproduce", "fig3", "--out", tmp_path)
    command("reproduce", "--runs", "7", "--out", tmp_path)
    everything = ("png", "svg", "pdf")
    assert asked == [(None, 50, ("png",), False), (["fig3"], 500, everything, False), (None, 7, everything, True)]
    code, _, err = command("reproduce", "--quick", "--runs", "7")
    assert code == 2
    assert "--quick must be given without --runs" in err


def test_stopping_says_that_it_can_go_on(command, tmp_path, monkeypatch):
    def stop(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(threads, "play_range", stop)
    code, _, err = command("reproduce", "S-6", "--runs", "2", "--horizon", "50", "--threads", "1", "--out", tmp_path)
    assert code == 130
    assert f"Finished runs are kept in {tmp_path / 'store'}: the same command goes on from there." in err
    assert "Traceback" not in err


def test_an_unknown_figure(command, tmp_path):
    code, _, err = command("reproduce", "fig33", "--out", tmp_path / "x")
    assert code == 2
    assert "Did you mean" in err
    assert not (tmp_path / "x").exists()


def test_a_folder_that_cannot_be_made(command, tmp_path):
    (tmp_path / "file").write_text("")
    code, _, err = command("reproduce", "ber", "--out", tmp_path / "file" / "x")
    assert code == 2
    assert "could not be made" in err
