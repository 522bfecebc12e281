"""Arms made of recorded rewards."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import riskbandits as rb
from riskbandits.arms.contract import draw_next, new_memory
from riskbandits.core.errors import FileError, ParameterError
from riskbandits.core.records import cast
from riskbandits.data import read_table
from riskbandits.simulation.runner import Job, run_in_plain_python

TABLE = pd.DataFrame({"bond": [0.1, 0.2, 0.1, None], "stock": [-1.0, 0.5, 1.0, 2.0], "coin": [0, 1, 1, 0]})


def test_columns_are_arms_and_missing_entries_are_left_out():
    arms = cast(rb.DataArms.from_table(TABLE))
    assert arms.names.split("\n") == ["bond", "stock", "coin"]
    assert arms.size() == 3
    assert [arms.mean(k) for k in range(3)] == pytest.approx([0.4 / 3, 0.625, 0.5])
    assert arms.variance(1) == pytest.approx(np.var([-1.0, 0.5, 1.0, 2.0]))
    problem = rb.Problem(arms, rb.CVaR(0.5))
    assert problem.values.tolist() == pytest.approx([0.1, -0.25, 0.0])
    assert not arms.binary()
    assert cast(rb.DataArms.from_table(TABLE[["coin"]])).binary()


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_from_files(tmp_path, suffix):
    path = tmp_path / f"rewards.{suffix}"
    TABLE.to_csv(path, index=False) if suffix == "csv" else TABLE.to_parquet(path)
    assert rb.Problem(rb.DataArms.from_file(path), rb.Mean()) == rb.Problem(rb.DataArms.from_table(TABLE), rb.Mean())


DATED = {
    "dates": ["2020-01-01", "2020-01-02", None, "2020-01-04"],
    "times": ["2020-01-01 10:00", "2020-01-02 11:30", "2020-01-03 09:15", "2020-01-04 00:00"],
    "american": ["01/31/2020", "02/03/2020", "02/04/2020", "02/05/2020"],
    "words": ["3 Jan 2020", "4 Jan 2020", "5 Jan 2020", "6 Jan 2020"],
}


@pytest.mark.parametrize("form", DATED)
def test_dates_are_no_arm_and_it_is_said(tmp_path, form):
    path = tmp_path / "dated.csv"
    TABLE.assign(when=DATED[form])[["when", *TABLE.columns]].to_csv(path, index=False)
    arms = rb.DataArms.from_file(path)
    assert arms.names.split("\n") == ["bond", "stock", "coin"]
    gaps = " 1 of 4 are missing." if None in DATED[form] else ""
    first, second, third = read_table(path).notes
    assert first == f"Column 'when' contains dates and is not an arm.{gaps}"
    assert second == "Column 'bond' has 1 of 4 entries missing."
    assert "Columns cover different periods" in third


def test_dates_of_their_own_type_and_row_numbers_are_no_arms(tmp_path):
    days = pd.date_range("2020-01-01", periods=4)
    for column in (days, days.tz_localize("UTC"), days.to_period("D"), [day.date() for day in days]):
        table = TABLE.assign(day=column)
        assert rb.DataArms.from_table(table).names.split("\n") == ["bond", "stock", "coin"]
    TABLE.assign(day=days).to_parquet(tmp_path / "dated.parquet")
    assert rb.DataArms.from_file(tmp_path / "dated.parquet").names.split("\n") == ["bond", "stock", "coin"]
    TABLE.to_csv(tmp_path / "numbered.csv")  # with the row numbers in a column without a name
    assert rb.DataArms.from_file(tmp_path / "numbered.csv").names.split("\n") == ["bond", "stock", "coin"]


def series(arms, draws):
    rng, memory = np.random.default_rng(3), new_memory(arms.size())
    return np.array([draw_next(arms, 1, rng, memory) for _ in range(draws)])


def test_blocks_keep_the_distribution_and_the_autocorrelation():
    rng = np.random.default_rng(0)
    noise = rng.standard_normal(500)
    walk = np.zeros(500)
    for t in range(1, 500):
        walk[t] = 0.9 * walk[t - 1] + noise[t]
    table = pd.DataFrame({"x": noise, "y": walk})
    correlations = {}
    for block in (1.0, 20.0):
        arms = cast(rb.DataArms.from_table(table, block=block))
        x = series(arms, 20_000)
        # Blocks of 20 with such an autocorrelation are worth about 20 000/40 independent draws.
        assert abs(x.mean() - walk.mean()) < 4 * walk.std() * np.sqrt((40 if block > 1 else 1) / 20_000)
        assert set(np.round(x, 12)) <= set(np.round(walk, 12))
        correlations[block] = np.corrcoef(x[1:], x[:-1])[0, 1]
    recorded = np.corrcoef(walk[1:], walk[:-1])[0, 1]
    assert abs(correlations[1.0]) < 0.03
    # A pair of neighbours stays together with probability 19/20.
    assert correlations[20.0] == pytest.approx(0.95 * recorded, abs=0.03)


def test_each_run_and_each_arm_has_its_own_place_in_the_record():
    table = pd.DataFrame({"a": np.arange(50.0), "b": np.arange(50.0) + 100})
    arms = cast(
        rb.DataArms.from_table(table, block=1e12, prices=False)
    )  # never jumps: after the first reward the record is replayed
    rng, memory = np.random.default_rng(1), new_memory(2)
    first = [[draw_next(arms, k, rng, memory) for k in (0, 1)] for _ in range(60)]
    steps = np.diff(np.array(first), axis=0)
    assert set(steps.ravel()) == {1.0, -49.0}  # the next one, or from the end back to the beginning


def test_policies_run_on_recorded_rewards():
    problem = rb.Problem(rb.DataArms.from_table(TABLE, block=2.0), rb.CVaR(0.5))
    job = Job("NPTS", rb.NPTS(anchor=2.0), problem, np.array([40]), 2, 0, "plain")
    assert run_in_plain_python(job).pulls.sum(axis=1).tolist() == [40, 40]


def test_bad_tables(tmp_path):
    with pytest.raises(ParameterError, match="column 'x' must be numbers .*'a' is neither"):
        rb.DataArms.from_table(pd.DataFrame({"x": ["a", "b"]}))
    with pytest.raises(ParameterError, match="column 'y' must be numbers .*'a' is neither"):
        rb.DataArms.from_table(pd.DataFrame({"x": [1.0, 2.0], "y": ["0.5", "a"]}))
    with pytest.raises(ParameterError, match="column 'x' must be numbers"):
        rb.DataArms.from_table(pd.DataFrame({"month": [1.0, 2.5], "x": ["may", "june"]}))
    with pytest.raises(ParameterError, match="different in name. Got 'x'"):
        rb.DataArms.from_table(pd.DataFrame([[1.0, 2.0]], columns=["x", "x"]))
    with pytest.raises(ParameterError, match="a column of rewards per arm. Got .'day'"):
        rb.DataArms.from_table(pd.DataFrame({"day": pd.date_range("2020-01-01", periods=2)}))
    with pytest.raises(ParameterError, match="column 'x' is empty: it needs at least one number"):
        rb.DataArms.from_table(pd.DataFrame({"x": [np.nan, np.nan]}))
    with pytest.raises(ParameterError, match="column 'y' must be finite"):
        rb.DataArms.from_table(pd.DataFrame({"x": [1.0], "y": [np.inf]}))
    with pytest.raises(ParameterError, match="a pandas table with a column per arm"):
        rb.DataArms.from_table([1.0, 2.0])
    with pytest.raises(ParameterError, match="'block' parameter of DataArms must be a number >= 1. Got 0.5"):
        rb.Problem(rb.DataArms.from_table(TABLE, block=0.5), rb.Mean())
    with pytest.raises(FileError, match="There is no file"):
        rb.DataArms.from_file(tmp_path / "none.csv")
    (tmp_path / "x.parquet").write_text("no parquet")
    with pytest.raises(FileError, match="could not be read as a table"):
        rb.DataArms.from_file(tmp_path / "x.parquet")
