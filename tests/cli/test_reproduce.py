from __future__ import annotations

import riskbandits as rb
from riskbandits.experiments import over_time


def test_tables_results_and_a_figure(command, tmp_path, monkeypatch):
    monkeypatch.setattr(over_time, "HORIZON", 200)
    code, out, err = command("reproduce", "--runs", "2", "--out", tmp_path / "new" / "folder")
    assert code == 0, err
    names = {path.name for path in (tmp_path / "new" / "folder").iterdir()}
    assert names == {f"fig{k}.{kind}" for k in (2, 3, 4) for kind in ("csv", "parquet")} | {"regret-over-time.png"}
    assert rb.load(tmp_path / "new" / "folder" / "fig4.parquet").labels == ["MTS", "VTS", "MVTS", "MVLCB"]
    assert out.count("best-arm share") == 3


def test_one_figure(command, tmp_path, monkeypatch):
    monkeypatch.setattr(over_time, "HORIZON", 50)
    assert command("reproduce", "fig3", "--runs", "1", "--out", tmp_path)[0] == 0
    assert {path.name for path in tmp_path.iterdir()} == {"fig3.csv", "fig3.parquet", "regret-over-time.png"}


def test_an_unknown_figure(command, tmp_path):
    code, _, err = command("reproduce", "fig33", "--out", tmp_path / "x")
    assert code == 2
    assert "Did you mean" in err
    assert not (tmp_path / "x").exists()


def test_a_folder_that_cannot_be_made(command, tmp_path):
    (tmp_path / "file").write_text("")
    code, _, err = command("reproduce", "--out", tmp_path / "file" / "x")
    assert code == 2
    assert "could not be made" in err
