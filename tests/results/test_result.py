from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import riskbandits as rb
from riskbandits.core.errors import FileError, UnknownNameError

METRICS = ("regret", "pseudo_regret", "exact_pseudo_regret", "best_arm_share")


@pytest.fixture(scope="module")
def result():
    problem = rb.problems.zhu_tan_gaussian(rho=1)
    policies = [rb.MVTS(), rb.MVLCB.sani(), rb.MVTS(shape=2.0), rb.MVLCB()]
    return rb.simulate(problem, policies, horizon=60, runs=5, seed=3, progress=False)


def test_labels(result):
    assert result.labels == ["MVTS", "MVLCB:sani", "MVTS(shape=2)", "MVLCB"]


def test_the_horizon_and_single_runs(result):
    final, table, runs = result.final(), result.table(), result.runs()
    assert final["rank"].tolist() == [1, 2, 3, 4]
    assert final["exact_pseudo_regret_mean"].is_monotonic_increasing
    last = table[table["step"] == 60].set_index("policy")
    assert final.set_index("policy")["regret_mean"].to_dict() == last["regret_mean"].to_dict()
    assert list(runs.columns) == ["policy", "run", "step", *METRICS]
    means = runs.groupby("policy")["regret"].mean()
    assert means["MVLCB"] == pytest.approx(last["regret_mean"]["MVLCB"])
    assert len(runs) == 4 * 5


def test_table(result):
    table = result.table()
    expected = [f"{metric}_{part}" for metric in METRICS for part in ("mean", "se", "q05", "q50", "q95")]
    assert list(table.columns) == ["policy", "step", "runs", *expected]
    assert (table.runs == 5).all()
    assert table.notna().all().all()


def test_save_and_load(result, tmp_path):
    path = result.save(tmp_path / "result.parquet")
    back = rb.load(path)
    pd.testing.assert_frame_equal(back.table(), result.table())
    pd.testing.assert_frame_equal(back.decomposition(), result.decomposition())
    for label in result.labels:
        np.testing.assert_array_equal(back.pulls(label), result.pulls(label))
    assert back.settings == result.settings
    assert back.versions == result.versions
    assert back.problem == result.problem


def test_the_file_is_parquet_with_a_json_header(result, tmp_path):
    path = result.save(tmp_path / "result.parquet")
    header = json.loads(pq.read_schema(path).metadata[b"riskbandits-result"])
    assert header["settings"]["seed"] == 3
    assert header["versions"]["riskbandits"] == rb.__version__
    assert len(pd.read_parquet(path)) == 4 * 5 * len(result.traces[0].checkpoints)


def test_damaged_missing_foreign_and_newer_files(result, tmp_path):
    path = result.save(tmp_path / "result.parquet")
    whole = path.read_bytes()
    with pytest.raises(FileError, match="no file"):
        rb.load(tmp_path / "nothing.parquet")
    path.write_bytes(whole[:200])
    with pytest.raises(FileError, match="damaged"):
        rb.load(path)
    assert path.read_bytes() == whole[:200]
    pd.DataFrame({"a": [1]}).to_parquet(path)
    with pytest.raises(FileError, match="not written by riskbandits"):
        rb.load(path)
    table = result.save(path) and pq.read_table(path)
    header = json.loads(table.schema.metadata[b"riskbandits-result"]) | {"version": 99}
    pq.write_table(table.replace_schema_metadata({"riskbandits-result": json.dumps(header)}), path)
    with pytest.raises(FileError, match="newer version"):
        rb.load(path)


def test_a_failed_save_leaves_the_old_file(result, tmp_path, monkeypatch):
    path = result.save(tmp_path / "result.parquet")
    before = path.read_bytes()

    def full_disk(*args, **kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pq, "write_table", full_disk)
    with pytest.raises(FileError, match="could not be written: No space left"):
        result.save(path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["result.parquet"]


def test_unknown_label(result):
    with pytest.raises(UnknownNameError, match="Did you mean 'MVTS'"):
        result.trace("MVT")


def test_plot(result):
    for metric in METRICS:
        ax = result.plot(metric)
        assert [line.get_label() for line in ax.get_lines()] == result.labels
        ax.figure.clear()


def test_looks_are_distinct_and_fixed():
    from riskbandits.plotting.colours import looks

    labels = ["MVTS", "MTS", "VTS", "MVLCB", "A", "B", "C", "D", "E", "F", "G", "H"]
    assert len(set(looks(labels).values())) == len(labels)
    assert looks(["X", "MVTS"])["MVTS"] == looks(["MVTS"])["MVTS"]
