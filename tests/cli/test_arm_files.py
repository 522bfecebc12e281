"""Files of arms as they come: marks at their beginning, heads and rows that do not fit, and names with odd letters."""

from __future__ import annotations

import io
from pathlib import Path

import pandas as pd
import pytest

import riskbandits as rb
from riskbandits import plotting, suites
from riskbandits.cli.compare import show
from riskbandits.cli.parsing import read_problem
from riskbandits.core.errors import FileError, RiskBanditsError
from riskbandits.data import read_table

GOOD = {"good.json": '{"means": [0, 1], "variances": [1, 2]}', "good.csv": "mean,variance\n0,1\n1,2\n"}
DEEP = "[" * 100_000 + "]" * 100_000
LONG = "1" * 200_000
DATA = Path(__file__).parents[1] / "files"
SUITE = '{"problems": [{"name": "a", "means": [0, 1], "variances": [1, 2], "rho": 0.5}]}'


def written(folder, name: str, content: str, encoding: str = "utf-8"):
    path = folder / name
    path.write_bytes(content.encode(encoding))
    return path


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_byte_order_marks(tmp_path, encoding):
    for name, content in GOOD.items():
        arms = read_problem(str(written(tmp_path, name, content, encoding)), 1.0, None).arms
        assert arms.means.tolist() == [0.0, 1.0]
    table = read_table(written(tmp_path, "recorded.csv", "größe,b\n0.5,1\n1,2\n", encoding)).table
    assert table.to_dict(orient="list") == {"größe": [0.5, 1.0], "b": [1, 2]}
    assert suites.read_suite(written(tmp_path, "suite.json", SUITE, encoding)).cases[0].name == "a"


BAD = {
    "repeated.csv": ("mean,mean,variance\n0,9,1\n1,9,2\n", "the column 'mean' appears twice"),
    "one-thing.csv": ("mean,means,variance\n0,9,1\n1,9,2\n", "the column 'mean' appears twice"),
    "repeated.json": ('{"means": [0, 1], "means": [5, 6], "variances": [1, 2]}', "'means' appears twice in one object"),
    "one-thing.json": ('{"means": [0, 1], "mean": [5, 6], "variances": [1, 2]}', "the column 'means' appears twice"),
    "rows.json": ('[{"mean": 0, "means": 1, "variance": 1}]', "the column 'mean' appears twice"),
    "long-row.csv": ("mean,variance\n0,1\n1,2,3\n", "line 3 has 3 values where there are 2 columns"),
    "short-row.csv": ("mean,variance\n0\n1,2\n", "line 2 has 1 value where there are 2 columns"),
    "deep.json": (DEEP, "its brackets are nested too deeply"),
    "deep-inside.json": (f'{{"means": {DEEP}, "variances": [1, 2]}}', "its brackets are nested too deeply"),
    "deep-enough.json": (f'{{"means": {"[" * 900}1{"]" * 900}, "variances": [1, 2]}}', "must be a non-empty list"),
    "cell.csv": (f"mean,variance\n{LONG},1\n1,2\n", "field larger than field limit"),
    "cell.json": (f'{{"means": ["{LONG}x", 1], "variances": [1, 2]}}', "must be a non-empty list"),
    "no-family.json": ('{"family": [], "means": [0, 1], "variances": [1, 2]}', "a name, or one per arm. Got \\[\\]"),
    "huge.json": (f'[{{"mean": {"1" * 400}, "variance": 1}}]', "'means' parameter of GaussianArms must be"),
    "truth.json": ('[{"mean": true, "variance": 1}]', "'means' parameter of GaussianArms must be"),
    "number-as-text.json": ('[{"mean": "1_000", "variance": 1}]', "'means' parameter of GaussianArms must be"),
    "nameless.json": ('[{"name": null, "mean": 1, "variance": 1}]', "must be a text or a number. Got None"),
    "separator.csv": (",", "it is empty"),
    "odd-family.json": ('{"family": [[]], "means": [0, 1], "variances": [1, 2]}', "a name, or one per arm"),
}


@pytest.mark.parametrize("name", BAD)
def test_files_that_are_refused(tmp_path, name):
    content, sentence = BAD[name]
    with pytest.raises(RiskBanditsError, match=sentence) as caught:
        read_problem(str(written(tmp_path, name, content)), 1.0, None)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 1000


RECORDED = {
    "repeated": ("a,a\n0,1\n1,2\n", "the column 'a' appears twice"),
    "an index without a head": ("a,b\n9,0,1\n9,1,2\n", "line 2 has 3 values where there are 2 columns"),
    "one row is longer": ("a,b\n0,1\n9,1,2\n", "line 3 has 3 values where there are 2 columns"),
    "one row is shorter": ("a,b\n0,1\n\n1\n", "line 4 has 1 value where there are 2 columns"),
    "a large cell": (f"a,b\n{LONG},1\n1,2\n", "field larger than field limit"),
}


@pytest.mark.parametrize("kind", RECORDED)
def test_recorded_rewards_that_are_refused(tmp_path, kind):
    content, sentence = RECORDED[kind]
    with pytest.raises(FileError, match=sentence) as caught:
        rb.DataArms.from_file(written(tmp_path, "recorded.csv", content))
    assert len(str(caught.value)) < 1000


def test_recorded_rewards_are_what_they_were(tmp_path):
    text = ',a,"b, c"\r\n0,1,2\r\n\r\n1,,5\r\n'
    found = rb.DataArms.from_file(written(tmp_path, "recorded.csv", text))
    expected = rb.DataArms.from_table(pd.read_csv(io.StringIO(text)))
    assert found.rewards.tolist() == expected.rewards.tolist() == [1.0, 2.0, 5.0]
    assert found.names == expected.names == "a\nb, c"


def test_a_name_on_two_lines_is_one_name(tmp_path):
    arms = rb.DataArms.from_file(written(tmp_path, "recorded.csv", '"a\nb",c\n1,2\n3,5\n'))
    assert arms.names.split("\n") == ["a b", "c"]


def test_names_that_look_like_numbers_stay_as_written(tmp_path):
    rows = '[{"name": "007", "mean": 0, "variance": 1}, {"name": "1e3", "mean": 1, "variance": 1}]'
    assert read_problem(str(written(tmp_path, "rows.json", rows)), 1.0, None).names == ["007", "1e3"]
    columns = '{"names": [1234567.0, 1234568.5], "means": [0, 1], "variances": [1, 1]}'
    assert read_problem(str(written(tmp_path, "columns.json", columns)), 1.0, None).names == ["1234567", "1234568.5"]


@pytest.mark.parametrize("content", [DEEP, f'{{"problems": {DEEP}}}'])
def test_suites_that_are_nested_too_deeply(tmp_path, content):
    with pytest.raises(FileError, match="nested too deeply"):
        suites.read_suite(written(tmp_path, "suite.json", content))


def test_suites_with_a_name_twice(tmp_path):
    content = SUITE.replace('"rho": 0.5', '"rho": 0.5, "rho": 2')
    with pytest.raises(FileError, match="'rho' appears twice in one object"):
        suites.read_suite(written(tmp_path, "suite.json", content))


NAMES = ("[bold]x[/bold]", "[/nothing]", ":smile:", "50 $ to 60 $", r"$\nothing$", "a_b^c$")


def test_markup_and_dollar_signs_are_drawn_as_they_are(capsys, tmp_path):
    kept = rb.Comparison.load(DATA / "v0.2" / "comparison.parquet")
    cases = tuple(kept.suite.cases[k % 2]._replace(name=name, family=name) for k, name in enumerate(NAMES))
    suite = kept.suite._replace(about="[red]$mine$", cases=cases)
    runs = [kept.kept[k % 2] for k in range(len(NAMES))]
    found = rb.Comparison(suite, kept.labels, runs, kept.settings, kept.versions)
    show(found)
    shown = capsys.readouterr().out
    for name in (*NAMES, "[red]$mine$"):
        assert name in shown
    plotting.save_comparison(found.breakdown(), found.leaderboard(), tmp_path / "figure.png")


def test_names_in_figures_are_not_formulas():
    from matplotlib.figure import Figure

    columns = ("exact_pseudo_regret_mean", "exact_pseudo_regret_se")
    table = pd.DataFrame([{"policy": name, "step": 1, "word": name, **dict.fromkeys(columns, 1.0)} for name in NAMES])
    figure = Figure()
    ax = plotting.plot_against(table, "word", ax=figure.subplots())
    figure.canvas.draw()  # raises for a formula that is none
    drawn = list(ax.get_legend().get_texts()) + ax.get_xticklabels()
    assert [text._preprocess_math(text.get_text()) for text in drawn] == [(name, False) for name in NAMES] * 2


def test_a_family_of_ones_own_problem_with_markup(command, tmp_path):
    path = written(tmp_path, "recorded.csv", "[bold]a,$b$\n0,1\n1,2\n")
    assert read_problem(f"data:{path}", 1.0, None).arms.names.split("\n") == ["[bold]a", "$b$"]
    code, _, err = command("simulate", "--arms", f"data:{path}", "--policies", "mvts", "--horizon", "5", "--runs", "2")
    assert code == 0, err


@pytest.mark.parametrize("head", ["", "Unnamed: 0", "index"])
def test_row_numbers_beside_parameters(command, tmp_path, head):
    file = tmp_path / "arms.csv"
    file.write_text(f"{head},name,mean,variance\n0,bond,0.5,1\n1,stock,1,4\n")
    code, out, err = command("bounds", "--arms", file, "--json")
    assert code == 0, err
    assert "The first column counts the rows: it is not a parameter." in err
    assert '"bond"' in out
    code, out, err = command("frontier", file)
    assert code == 0, err
    assert "stock" in out


def test_decimal_commas_of_which_each_row_has_one(command, tmp_path):
    file = tmp_path / "arms.csv"
    file.write_text("name;mean;variance\nbond;0,5;1\nstock;1;1,25\n")
    code, out, _ = command("frontier", file)
    assert code == 0
    assert "from rho = 0.5 on: stock" in out
