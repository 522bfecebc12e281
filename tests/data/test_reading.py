"""Every file is read as it is meant, or refused in a sentence; what was understood is said."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zipfile

import numpy as np
import pandas as pd
import pytest

import riskbandits as rb
from riskbandits.core.errors import FileError, ParameterError, RiskBanditsError
from riskbandits.data import read_frame, read_table
from table_files.exports import READ_TOO, REFUSED_TOO
from table_files.files import READ, REFUSED
from table_files.logs import READ_LOGS, REFUSED_LOGS
from table_files.options import SETTLED

READ = {**READ, **READ_TOO, **READ_LOGS}
REFUSED = {**REFUSED, **REFUSED_TOO, **REFUSED_LOGS}


def written(folder, text: str, encoding: str = "utf-8", name: str = "file.csv"):
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize("kind", READ)
def test_files_that_are_read(tmp_path, kind):
    text, arms, said, encoding = READ[kind]
    found = read_table(written(tmp_path, text, encoding))
    assert found.names == list(arms)
    for name, rewards in found.rewards().items():
        assert rewards.tolist() == pytest.approx(arms[name])
    about = "\n".join(found.about())
    assert all(words in about for words in (*said, ", ".join(list(arms)[:2]), f"{len(found.table)} row"))


@pytest.mark.parametrize("kind", REFUSED)
def test_files_that_are_refused(tmp_path, kind):
    text, words, encoding = REFUSED[kind]
    with pytest.raises(RiskBanditsError) as caught:
        read_table(written(tmp_path, text, encoding))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not str(caught.value).endswith("..")


@pytest.mark.parametrize("kind", SETTLED)
def test_files_that_an_option_settles(tmp_path, kind):
    text, words, options, arms, encoding = SETTLED[kind]
    path = written(tmp_path, text, encoding)
    with pytest.raises(RiskBanditsError) as caught:
        read_table(path)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    found = read_table(path, **options).rewards()
    assert list(found) == list(arms)
    assert {name: rewards.tolist() for name, rewards in found.items()} == {
        name: pytest.approx(rewards) for name, rewards in arms.items()
    }


@pytest.mark.parametrize("kind", ["rows that are too long", "both decimal marks", "percent now and then", "prose"])
def test_the_command_line_refuses_them_with_exit_code_2(command, tmp_path, kind):
    path = written(tmp_path, REFUSED[kind].text)
    code, out, err = command("simulate", "--arms", f"data:{path}", "--runs", "1", "--horizon", "5")
    assert (code, out) == (2, "")
    assert err.startswith("Error: ")
    assert REFUSED[kind].words in err
    assert err.count("\n") == 1


def test_the_command_line_says_how_it_read_a_file(command, tmp_path):
    path = written(tmp_path, READ["German Excel"].text)
    code, _, err = command("identify", "--arms", f"data:{path}", "--budget", "10", "--runs", "2", "--json")
    assert code == 0
    assert "Read 2 arms (bond, stock) and 2 rows, from 31.12.2020 to 04.01.2021" in err
    assert "Column 'Datum' contains dates and is not an arm." in err


def test_parameters_of_arms_are_read_by_the_same_reader(tmp_path):
    from riskbandits.cli.parsing import read_problem

    path = written(tmp_path, "Name;Mean;Variance\r\nAnleihe;0,5;0,25\r\nAktie;1,5;4\r\n", "utf-8-sig")
    problem = read_problem(str(path), 1.0, None)
    assert problem.names == ["Anleihe", "Aktie"]
    assert problem.means.tolist() == [0.5, 1.5]
    assert problem.variances.tolist() == [0.25, 4.0]
    with pytest.raises(FileError, match=r"column 'date' must be numbers.*data:"):
        read_problem(str(written(tmp_path, "date,a\n2020-01-01,2\n")), 1.0, None)


def test_the_study_of_markets_uses_it(tmp_path, capsys):
    from studies.markets import in_percent

    found = in_percent(written(tmp_path, "Datum;a;b\n31.12.2020;0,5 %;1 %\n04.01.2021;;2 %\n05.01.2021;1,5 %;3 %\n"))
    assert found["a"].tolist() == pytest.approx([0.5, 1.5])
    assert list(found.index) == list(pd.to_datetime(["2020-12-31", "2021-01-05"]))
    assert "from 31.12.2020 to 05.01.2021" in capsys.readouterr().err


def test_pandas_tables_are_read_as_strictly():
    days = pd.date_range("2020-01-01", periods=3)
    table = pd.DataFrame({"day": [1, 2, 3], "a": [0.5, 0.25, np.nan], "b": ["1,5", "2,5", "3"]}, index=days)
    found = read_frame(table)
    assert found.names == ["a", "b"]
    assert found.rewards()["b"].tolist() == [1.5, 2.5, 3.0]
    assert found.period == ("2020-01-01", "2020-01-03")
    with pytest.raises(ParameterError, match="column 'k' counts the rows"):
        read_frame(pd.DataFrame({"k": [1, 2, 3], "a": [0.5, 0.25, 0.1]}))
    # Numbers with a fraction's type are rewards, whatever they are.
    assert read_frame(pd.DataFrame({"k": [1.0, 2.0, 3.0], "a": [0.5, 0.25, 0.1]})).names == ["k", "a"]


def test_arms_from_a_file_say_once_what_was_read_frame(tmp_path, capsys):
    path = written(tmp_path, "day,bond\n1,0.125\n2,0.5\n")
    for _ in range(2):
        arms = rb.DataArms.from_file(path)
    assert arms.names == "bond"
    said = capsys.readouterr().err
    assert said.count("Column 'day' contains times and is not an arm.") == 1


PACKED = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
}


@pytest.mark.parametrize("ending", PACKED)
def test_compressed_files_are_read(tmp_path, ending):
    path = tmp_path / f"returns.csv.{ending}"
    path.write_bytes(PACKED[ending](b"bond,stock\n0.5,-1.25\n1.5,2\n"))
    assert read_table(path).rewards()["stock"].tolist() == [-1.25, 2.0]
    assert rb.DataArms.from_file(path).names == "bond\nstock"
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(FileError, match="it is compressed and cannot be unpacked"):
        read_table(path)


def test_an_archive_of_one_file_is_read_and_of_two_refused(tmp_path):
    path = tmp_path / "factors.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("F.CSV", "bond,stock\n0.5,-1.25\n1.5,2\n")
    found = read_table(path)
    assert found.rewards()["bond"].tolist() == [0.5, 1.5]
    assert "Read 'F.CSV' from the ZIP archive." in found.about()
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("G.CSV", "bond\n0.5\n")
    with pytest.raises(FileError, match="a ZIP archive of 2 files"):
        read_table(path)
    (tmp_path / "book.csv").write_bytes(b"")
    with zipfile.ZipFile(tmp_path / "book.csv", "w") as archive:
        archive.writestr("[Content_Types].xml", "<x/>")
    with pytest.raises(FileError, match="an Excel workbook: save it as CSV"):
        read_table(tmp_path / "book.csv")


def test_the_same_reader_everywhere(command, tmp_path):
    """A file with a title, a row per reward and a packed one: in `simulate`, `frontier`, `replay` and from Python."""
    rows = "".join(f"2020-01-{day:02d},{arm},{0.1 * day - shift:.2f}\n" for day in range(1, 7) for arm, shift in ARMS)
    path = tmp_path / "long.csv.gz"
    path.write_bytes(gzip.compress(f"Returns of two funds\ndate,asset,return\n{rows}".encode()))
    said = "column 'asset' names the arms, 'return' holds the rewards"
    few = ("--runs", "2", "--json")
    for arguments in (
        ("simulate", "--arms", f"data:{path}", "--horizon", "20", "--policies", "uniform-random", *few),
        ("frontier", str(path), "--resamples", "100", "--json"),
        ("replay", str(path), "--policies", "uniform-random", *few),
    ):
        code, _, err = command(*arguments)
        assert code == 0, err
        assert said in err
        assert "Read 2 arms (SPY, TLT) and 6 rows, from 2020-01-01 to 2020-01-06" in err
    assert rb.frontier(path, resamples=100).names == ["SPY", "TLT"]
    assert rb.replay(rb.UniformRandom(), path, rb.MeanVariance(1.0)).arms == ["SPY", "TLT"]


ARMS = (("SPY", 0.3), ("TLT", 0.2))


def test_pandas_tables_with_a_row_per_reward():
    days = pd.to_datetime(["2020-01-01", "2020-01-01", "2020-01-02", "2020-01-02"])
    table = pd.DataFrame({"when": days, "arm": ["a", "b", "a", "b"], "r": [0.5, 0.25, 0.75, np.nan]})
    for found in (read_frame(table), read_frame(table.set_index("when"))):
        assert found.rewards() == {"a": pytest.approx([0.5, 0.75]), "b": pytest.approx([0.25])}
        assert len(found.table) == 2
    # The rewards of a fund that is called "stock" name nothing.
    assert read_frame(pd.DataFrame({"stock": [0.5, 0.5, 0.25], "bond": [0.1, 0.2, 0.3]})).names == ["stock", "bond"]


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (pd.DataFrame({"a": [0.1, 0.2, 0.4], "b": [0.3, 0.1, 0.2]}).describe(), "its rows are statistics"),
        (pd.DataFrame({"a": [0.1, 0.2, 0.4], "b": [0.3, 0.1, 0.2]}).corr(), "for each pair of arms"),
        (pd.DataFrame({"arm": [0, 1, 0], "reward": [0.1, 0.2, 0.3], "age": [30, 40, 50]}), "columns beside it ('age')"),
    ],
)
def test_tables_of_something_else(table, words):
    with pytest.raises(ParameterError) as caught:
        read_frame(table)
    assert words in str(caught.value)


def test_logs_in_pandas():
    log = pd.DataFrame({"arm": [0.0, 1.0, 0.0, 1.0], "reward": [0.5, 0.25, 0.1, 0.2]})
    assert read_frame(log).rewards()["0"].tolist() == [0.5, 0.1]


def test_arms_in_the_index_of_a_table():
    names = pd.Index(["x", "y", "x"], name="arm")
    assert read_frame(pd.DataFrame({"reward": [1.0, 0.0, 0.5]}, index=names)).names == ["x", "y"]
    days = pd.date_range("2020-01-01", periods=2)
    both = pd.MultiIndex.from_product([days, ["SPY", "TLT"]], names=["date", "ticker"])
    found = read_frame(pd.DataFrame({"return": [0.1, 0.2, 0.3, 0.4]}, index=both))
    assert {name: list(numbers) for name, numbers in found.rewards().items()} == {"SPY": [0.1, 0.3], "TLT": [0.2, 0.4]}
    with pytest.raises(ParameterError, match=r"The index of a table of recorded rewards must be of one level"):
        read_frame(pd.DataFrame({"a": [0.1, 0.2], "b": [0.3, 0.1]}, index=both[:2]))
