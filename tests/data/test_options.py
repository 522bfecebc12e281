"""Options for reading a table: what they accept, flags of the same name, limits, and the words that are known."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pandas as pd
import pytest

import riskbandits as rb
from riskbandits.core.errors import FileError, ParameterError, UnknownNameError
from riskbandits.data import columns, decoding, long_format, read_frame, read_table, sanity_checks, sheet
from riskbandits.data.dates import dates_in
from riskbandits.data.numbers import is_missing, parse_number

PRICES = pd.DataFrame(
    {"old": [100.0, 110.0, 121.0, 133.1], "new": [np.nan, np.nan, 50.0, 45.0]},
    index=pd.date_range("2020-01-01", periods=4),
)


def written(folder, text: str, name: str = "file.csv"):
    path = folder / name
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"separator": "::"}, "separator must be a character"),
        ({"decimal": ";"}, "decimal must be"),
        ({"thousands": "x"}, "thousands must be"),
        ({"decimal": ",", "thousands": ","}, "another character than decimal"),
        ({"dates": "day first"}, "dates must be"),
        ({"dates": 3}, "dates must be"),
        ({"arms": []}, "one or more different columns"),
        ({"arms": ["a", "a"]}, "one or more different columns"),
        ({"arms": "c"}, "There is no column 'c'"),
        ({"header": 0}, "header"),
        ({"header": 9}, "there is no header in line 9"),
        ({"encoding": "klingon"}, "encoding must be the name of one"),
        ({"prices": 1}, "prices"),
        ({"common": "yes"}, "common"),
    ],
)
def test_options_that_are_wrong(tmp_path, options, words):
    with pytest.raises((ParameterError, FileError), match=words):
        read_table(written(tmp_path, "a,b\n0.5,0.25\n0.1,0.2\n"), **options)


def test_options_that_do_not_exist_or_mean_nothing():
    with pytest.raises(UnknownNameError, match="Did you mean 'separator'"):
        read_frame(PRICES, seperator=",")
    with pytest.raises(ParameterError, match=r"separator= \(--separator\) is for files of text"):
        read_frame(PRICES, separator=",")
    with pytest.raises(ParameterError, match=r"prices= \(--prices\) is for tables"):
        rb.frontier(rb.GaussianArms([0.0, 1.0], [1.0, 2.0]), prices=True)


def test_a_header_by_its_line(tmp_path):
    path = written(tmp_path, "1,2\n3,4\na,b\n0.5,0.25\n0.1,0.2\n")
    assert read_table(path, header=3).rewards()["a"].tolist() == [0.5, 0.1]


def test_returns_of_prices_and_common_rows():
    found = read_frame(PRICES, prices=True)
    assert found.rewards() == {"old": pytest.approx([0.1] * 3), "new": pytest.approx([-0.1])}
    assert any("common=True (--common) takes the 1 common rows" in note for note in found.notes)
    common = read_frame(PRICES, prices=True, common=True)
    assert common.rewards() == {"old": pytest.approx([0.1]), "new": pytest.approx([-0.1])}
    assert not any("different periods" in note for note in common.notes)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (PRICES.assign(old=-1.0), "must be positive to be prices"),
        (PRICES.iloc[[2, 0, 3, 1]], "rows in order of time"),
        (PRICES.iloc[:1].fillna(1.0), "two prices in successive rows"),
    ],
)
def test_prices_of_which_no_returns_can_be_made(table, words):
    with pytest.raises(ParameterError, match=words):
        read_frame(table, prices=True)


def test_everything_that_reads_a_file_takes_them(command, tmp_path):
    rows = "".join(f"{k:02d}/02/2024;1.{k}00;{0.1 * (-1) ** k:.1f}00\n".replace(".", ",") for k in range(1, 10))
    path = written(tmp_path, "when;a;b\n" + rows)
    options = {"decimal": ",", "dates": "dmy", "arms": ["b"]}
    assert rb.DataArms.from_file(path, **options).names == "b"
    assert rb.frontier(path, resamples=100, **options).names == ["b"]
    assert rb.replay(rb.UniformRandom(), path, rb.MeanVariance(1.0), **options).arms == ["b"]
    flags = ("--decimal", ",", "--dates", "dmy", "--columns", "b", "--json")
    few = ("--runs", "2")
    for words in (
        ("simulate", "--arms", f"data:{path}", "--horizon", "20", "--policies", "uniform-random", *few),
        ("sweep", "--arms", f"data:{path}", "--horizon", "20", "--policies", "uniform-random", "--rhos", "1", *few),
        ("identify", "--arms", f"data:{path}", "--budget", "10", *few),
        ("frontier", str(path), "--resamples", "100"),
        ("replay", str(path), "--policies", "uniform-random", *few),
    ):
        code, _, err = command(*words, *flags)
        assert code == 0, err
        assert "Read 1 arm (b)" in err
    code, out, _ = command("frontier", str(path), "--arms", "b,a", "--decimal", ",", "--dates", "dmy", "--json")
    assert code == 0
    assert json.loads(out)["table"]


def test_flags_for_prices(command, tmp_path):
    path = written(tmp_path, "day,a\n" + "".join(f"{k},{100 + k}.5\n" for k in range(1, 31)))
    code, _, err = command("frontier", str(path), "--json")
    assert code == 2
    assert "prices=True (--prices)" in err
    assert "prices=False (--as-is)" in err
    for flag, low in (("--prices", 0.0), ("--as-is", 100.0)):
        code, out, err = command("frontier", str(path), flag, "--json")
        assert code == 0, err
        assert low < json.loads(out)["table"][0]["mean"] < low + 20.0
    code, _, err = command("frontier", "zhu-tan-gaussian", "--prices")
    assert code == 2
    assert "prices= (--prices) is for files of recorded rewards" in err


def test_a_file_is_read_once(command, tmp_path, monkeypatch):
    read = []
    original = sheet.decode
    monkeypatch.setattr(sheet, "decode", lambda *given: read.append(given) or original(*given))
    path = written(tmp_path, "a,b\n0.5,0.25\n0.1,0.2\n")
    assert command("frontier", str(path), "--json")[0] == 0
    assert len(read) == 1


def test_what_is_too_large_is_said(tmp_path, monkeypatch):
    path = tmp_path / "file.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"0.5,0.25\n" * 1000))
    monkeypatch.setattr(sheet, "MOST_CELLS", 2000)
    with pytest.raises(FileError, match="more than 2,000 cells"):
        read_table(path)
    monkeypatch.setattr(decoding, "LARGEST", 2**12)
    with pytest.raises(FileError, match="it unpacks to more than"):
        read_table(path)


def test_many_columns_take_a_few_notes():
    table = pd.DataFrame(np.eye(3, 2000) - 0.5, columns=[f"a{k}" for k in range(2000)])
    found = read_frame(table.where(table > 0.0, table.replace(-0.5, np.nan).fillna(-0.25)).mask(np.eye(3, 2000) > 0))
    assert len(found.names) == 2000
    assert len(found.about()) <= 22


GAPS = [
    "na",
    "n/a",
    "#n/a",
    "#na",
    "#nv",
    "n.a.",
    "nan",
    "nat",
    "<na>",
    "null",
    "none",
    "nd",
    "n.d.",
    "missing",
    "-",
    "--",
    "\u2013",
    "\u2014",
    ".",
    "..",
    "?",
    "NA",
]
MONTHS = {
    1: "jan january januar",
    2: "feb february februar",
    3: "mar march märz",
    4: "apr april",
    5: "may mai",
    6: "jun june juni",
    7: "jul july juli",
    8: "aug august",
    9: "sep sept september",
    10: "oct october okt oktober",
    11: "nov november",
    12: "dec december dez dezember",
}


def test_words_for_gaps_months_and_currencies():
    assert all(map(is_missing, ["", *GAPS]))
    for month, names in MONTHS.items():
        for name in names.split():
            assert dates_in([f"3 {name} 2020"]).days[0].month == month
    for sign in ("$", "US$", "€", "£", "¥", "₹", "EUR", "USD", "GBP", "CHF", "JPY", "zł"):
        assert parse_number(f"1.5 {sign}").currency == sign
    assert [dates_in([f"01.02.{year}"]).days[0].year for year in ("69", "70")] == [2069, 1970]


def test_names_of_columns():
    index = ["index", "id", "nr", "no", "row", "obs", "n", "t", "step", "period", "x", "#", "trial", "round"]
    times = [
        "date",
        "day",
        "time",
        "datetime",
        "timestamp",
        "ts",
        "month",
        "year",
        "week",
        "quarter",
        "weekday",
        "hour",
        "minute",
        "datum",
        "tag",
        "monat",
        "jahr",
    ]
    rising = np.array([1.0, 2.0, 3.0])
    for head in (*index, *times):
        assert columns.classify_numbers(0, head, rising, True, True, False).kind == columns.LEFT_OUT, head
    arms = [
        "arm",
        "action",
        "variant",
        "option",
        "treatment",
        "choice",
        "asset",
        "fund",
        "ticker",
        "symbol",
        "stock",
        "name",
    ]
    for head in arms:
        cells = [["a", "b", "a"], ["1", "2", "3"]]
        assert long_format.pivot_long([head, "reward"], cells, lambda place: False, "") is not None, head
    for head in ["reward", "return", "payoff", "outcome"]:
        cells = [["1", "2", "1"], ["1", "2", "3"]]
        assert long_format.pivot_long(["arm", head], cells, lambda place: False, "") is not None, head
    for head in ("volume", "vol"):
        with pytest.raises(ValueError, match="number of trades"):
            sanity_checks.check_heads(["date", "a", head])
    parts = np.array([[0.1, 0.2], [0.3, 0.1]])
    for head, total in {
        "total": parts.sum(0),
        "sum": parts.sum(0),
        "average": parts.mean(0),
        "mean": parts.mean(0),
    }.items():
        with pytest.raises(ValueError, match="of the others"):
            sanity_checks.check_totals({"a": parts[0], "b": parts[1], head: total})
    for name in ["count", "mean", "std", "var", "min", "max", "median"]:
        with pytest.raises(ValueError, match="statistics"):
            sanity_checks.check_row_names(["", "a"], [name, "std" if name != "std" else "mean"])
    for code in (-99.99, -99.9, -999.0, -999.99, -9999.0):
        assert np.isnan(sanity_checks.without_codes("a", np.array([0.5, code]))[0][1])
