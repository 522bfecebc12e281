from __future__ import annotations

import inspect
import re

import pandas as pd
import pytest

import riskbandits as rb
from riskbandits import plotting
from riskbandits.cli import reproduce as cli_reproduce
from riskbandits.core import notices
from riskbandits.core.errors import ParameterError
from riskbandits.paper import claims, reproduction
from riskbandits.paper import figures as paper_figures
from riskbandits.paper.experiments import BETTER, EXPERIMENTS
from riskbandits.simulation.engines import threads
from small_paper import SMALL


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(reproduction, "EXPERIMENTS", SMALL)


def test_figures_tables_and_a_summary(command, tmp_path, monkeypatch):
    # What pictures look like is tested elsewhere.
    monkeypatch.setattr(plotting, "save", lambda figure, paths: [path.write_text("") for path in paths])
    code, out, err = command(
        "reproduce",
        "figure-s2",
        "figure-7",
        "--runs",
        "3",
        "--horizon",
        "100",
        "--threads",
        "1",
        "--out",
        tmp_path / "new",
    )
    assert code == 0, err
    assert (tmp_path / "new" / "figures" / "figure-s2-ours.svg").exists()
    assert (tmp_path / "new" / "tables" / "figure-7-runs.csv").exists()
    assert "Figure S-2: Bernoulli arms, regret over time, rho = 4/9" in out
    assert out.count("BernoulliLCB:tight") == 2
    assert "after 100 steps: mean over 3 runs ± 95 % interval" in out
    assert "28 files written, 0 unchanged" in out
    _, out, _ = command(
        "reproduce",
        "figure-s2",
        "figure-7",
        "--runs",
        "3",
        "--horizon",
        "100",
        "--threads",
        "1",
        "--out",
        tmp_path / "new",
    )
    assert "0 files written, 28 unchanged" in out


def test_only_what_was_written_is_named(command, tmp_path, monkeypatch):
    """Figure 2 is a diagram and has no tables."""
    monkeypatch.setattr(plotting, "save", lambda figure, paths: [path.write_text("") for path in paths])
    code, out, err = command("reproduce", "figure-2", "--out", tmp_path / "new")
    assert code == 0, err
    assert f"{tmp_path / 'new' / 'figures'} (png, svg, pdf)." in " ".join(out.split())
    assert "tables" not in out
    assert not (tmp_path / "new" / "tables").exists()


@pytest.mark.parametrize("name", ["reproduce", "claims"])
def test_an_empty_folder_name_is_refused(command, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    code, _, err = command(name, "figure-2" if name == "reproduce" else "lemma-5", "--out", "")
    assert code == 2
    assert "must be the name of a folder" in err
    assert not list(tmp_path.iterdir())
    with pytest.raises(ParameterError, match="The folder must be a path"):
        reproduction.reproduce("", ["figure-2"])


def test_a_first_look(command, tmp_path, monkeypatch):
    monkeypatch.setattr(reproduction, "QUICK_RUNS", 3)
    code, out, err = command(
        "reproduce", "figure-s2", "--quick", "--horizon", "100", "--threads", "1", "--out", tmp_path
    )
    assert code == 0, err
    assert {path.suffix for path in (tmp_path / "figures").iterdir()} == {".png"}
    words = " ".join(out.split())
    assert f"{tmp_path}/figures (png), {tmp_path}/tables (csv, parquet)." in words
    assert "without --quick there are 500 runs, figures also as SVG and PDF." in words
    assert not (tmp_path / "report.html").exists()


def test_quick_means_fifty_runs(command, tmp_path, monkeypatch):
    asked = []

    names = list(inspect.signature(reproduction.reproduce).parameters)

    def spy(*values):
        given = dict(zip(names, values, strict=True))
        asked.append((given["figures"], given["runs"], given["formats"], set(given["also"] or ())))
        raise KeyboardInterrupt

    monkeypatch.setattr(reproduction, "reproduce", spy)
    command("reproduce", "--quick", "--out", tmp_path)
    command("reproduce", "figure-4", "--out", tmp_path)
    command("reproduce", "--runs", "7", "--out", tmp_path)
    everything = ("png", "svg", "pdf")
    assert asked[:2] == [(None, 50, ("png",), set(BETTER)), (["figure-4"], 500, everything, set())]
    assert asked[2][:3] == (None, 7, everything)
    assert asked[2][3] > set(BETTER) | set(claims.experiments_needed())
    code, _, err = command("reproduce", "--quick", "--runs", "7")
    assert code == 2
    assert "--quick must be given without --runs" in err


def test_stopping_says_that_it_can_go_on(command, tmp_path, monkeypatch):
    def stop(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(threads, "play_range", stop)
    code, _, err = command(
        "reproduce", "figure-s2", "--runs", "2", "--horizon", "50", "--threads", "1", "--out", tmp_path
    )
    assert code == 130
    assert f"Finished runs are kept in {tmp_path / 'store'}: the same command resumes from there." in err
    assert "Traceback" not in err


def test_an_unknown_figure(command, tmp_path):
    code, _, err = command("reproduce", "fig33", "--out", tmp_path / "x")
    assert code == 2
    assert "Did you mean" in err
    assert not (tmp_path / "x").exists()


def test_a_folder_that_cannot_be_made(command, tmp_path):
    (tmp_path / "file").write_text("")
    code, _, err = command("reproduce", "figure-1", "--out", tmp_path / "file" / "x")
    assert code == 2
    assert "could not be created" in err


@pytest.mark.parametrize(
    ("asked", "drawn", "said"),
    [
        ("fig4", "figure-4", ""),
        ("Fig. 4", "figure-4", ""),
        ("FIG6", "figure-6", ""),
        ("s-5", "figure-s1", "S-5 is the label of Figure S-1 in the paper's source; figure-s1 is drawn."),
        ("ber", "figure-1", "ber is the label of Figure 1 in the paper's source; figure-1 is drawn."),
        ("Figure-4", "figure-4", ""),
        ("figure 7", "figure-7", ""),
        ("2", "figure-2", ""),
        ("S1", "figure-s1", ""),
        ("figure S-3", "figure-s3", ""),
    ],
)
def test_names_are_the_printed_numbers_and_labels_say_what_they_are(command, tmp_path, monkeypatch, asked, drawn, said):
    chosen = []

    def spy(out, figures, *others):
        chosen.extend(reproduction.choose(figures))
        raise KeyboardInterrupt

    monkeypatch.setattr(reproduction, "reproduce", spy)
    monkeypatch.setattr(notices, "_said", set())
    _, _, err = command("reproduce", asked, "--out", tmp_path)
    assert chosen == [drawn]
    assert [line for line in err.splitlines() if "source" in line] == ([f"riskbandits: {said}"] if said else [])


@pytest.mark.parametrize(
    ("asked", "nearest"),
    [
        ("figur-5", "figure-5"),
        ("figura 4", "figure-4"),
    ],
)
def test_a_misspelt_figure_is_asked_back(command, tmp_path, asked, nearest):
    code, _, err = command("reproduce", asked, "--out", tmp_path / "x")
    assert (code, err.count("\n")) == (2, 1)
    assert f"There is no figure {asked!r}. Did you mean {nearest!r}?" in err
    assert not (tmp_path / "x").exists()


def test_the_diagram_and_the_parabola(command, tmp_path):
    code, _, err = command("reproduce", "figure-1", "figure-2", "--out", tmp_path)
    assert code == 0, err
    assert {path.name for path in (tmp_path / "figures").glob("figure-[12].*")} == {
        f"figure-{k}.{kind}" for k in (1, 2) for kind in ("png", "svg", "pdf")
    }
    assert (tmp_path / "tables" / "figure-1.csv").exists()
    assert not (tmp_path / "report.html").exists()


def everything_in(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and ".chunk" not in path.suffixes}


@pytest.fixture
def whole_paper(command, tmp_path, monkeypatch):
    """A folder with a small whole paper; pictures are empty files."""
    monkeypatch.setattr(plotting, "save", lambda figure, paths: [path.write_text("") for path in paths])
    bernoulli = {name: one for name, one in paper_figures.FIGURES.items() if one.experiment != "gaussian"}
    monkeypatch.setattr(paper_figures, "FIGURES", bernoulli)
    monkeypatch.setattr(claims, "experiments_needed", dict)
    monkeypatch.setattr(reproduction, "QUICK_RUNS", 3)
    code, out, err = command("reproduce", "--runs", "4", "--horizon", "100", "--threads", "1", "--out", tmp_path)
    assert code == 0, err
    return out


@pytest.mark.parametrize("named", [("figure-s2", "--quick"), ("figure-s2", "--runs", "5"), ("--quick",)])
def test_a_job_in_part_leaves_the_whole_paper_alone(command, tmp_path, whole_paper, named):
    before = everything_in(tmp_path)
    assert tmp_path / "report.html" in before
    for _ in range(2):
        code, out, err = command("reproduce", *named, "--horizon", "100", "--threads", "1", "--out", tmp_path)
        assert code == 0, err
        said = f"The full reproduction in {tmp_path} is left untouched: this partial one is in {tmp_path / 'part'}. "
        assert said in " ".join(out.split()) + " "
        assert (f"Report: {tmp_path / 'part' / 'report.html'}" in out) == (named == ("--quick",))
    after = everything_in(tmp_path)
    assert {path: after[path] for path in before} == before
    assert (tmp_path / "part" / "tables" / "figure-s2.csv").exists()
    assert not (tmp_path / "part" / "store").exists()  # finished runs are shared


def test_parts_and_the_whole_in_a_new_folder(command, tmp_path, whole_paper):
    small = ("--horizon", "100", "--threads", "1", "--out", tmp_path / "other")
    for _ in range(2):
        command("reproduce", "figure-s2", "--quick", *small)
    assert not (tmp_path / "other" / "part").exists()
    command("reproduce", "--runs", "4", *small)
    _, out, _ = command("reproduce", "figure-s2", "--quick", *small)
    assert "is left untouched" in " ".join(out.split())


def test_named_figures_leave_a_preview_of_all_alone(command, tmp_path, whole_paper):
    small = ("--quick", "--horizon", "100", "--threads", "1", "--out", tmp_path / "other")
    command("reproduce", *small)
    before = (tmp_path / "other" / "report.html").read_bytes()
    _, out, _ = command("reproduce", "figure-s2", *small)
    assert "is left untouched" in " ".join(out.split())
    assert (tmp_path / "other" / "report.html").read_bytes() == before
    _, out, _ = command("reproduce", *small)  # another preview of all takes its place
    assert "is left untouched" not in " ".join(out.split())


def test_the_whole_paper_says_beforehand_what_it_takes(command, tmp_path, monkeypatch):
    def stop(*arguments):
        raise KeyboardInterrupt

    monkeypatch.undo()
    monkeypatch.setattr(reproduction, "reproduce", stop)
    _, out, _ = command("reproduce", "--threads", "2", "--out", tmp_path / "x")
    store = tmp_path / "x" / "store"
    said = re.fullmatch(
        r"The whole paper: ([\d,]+) steps, about (\d+) minutes on 2 cores and a minute to compile the first time; "
        rf"runs already in {store} are not simulated again. It writes about (\d+) MB to {tmp_path}/x, "
        rf"(\d+) of them to {store}. To free the space, delete {store}: .*",
        " ".join(out.split()),
    )
    assert said, out
    assert said[1] == "17,433,000,000"
    assert 1 <= int(said[2]) <= 5
    assert 90 < int(said[4]) < int(said[3]) < 180
    _, out, _ = command("reproduce", "--threads", "2", "--engine", "cuda", "--out", tmp_path / "x")
    assert "minutes" not in out
    for wrong in (("--threads", "0"), ("--horizon", "0"), ("--runs", "0")):
        code, out, err = command("reproduce", *wrong, "--out", tmp_path / "x")
        assert (code, out) == (2, ""), err


def test_a_policy_of_ones_own_is_in_the_figures_of_the_paper(command, tmp_path, monkeypatch):
    fewer = EXPERIMENTS["gaussian"]._replace(policies=(rb.MTS(), rb.MVTS()))
    monkeypatch.setattr(reproduction, "EXPERIMENTS", {"gaussian": fewer})
    own = tmp_path / "mine.py"
    own.write_text(OWN)
    code, out, _ = command(
        "reproduce", "figure-4", "--policies", f"{own}:Mine", "--runs", "3", "--horizon", "60", "--out", tmp_path / "r"
    )
    assert code == 0
    assert "Mine" in out
    assert all(len(line) <= 80 for line in out.splitlines() if str(tmp_path) not in line)
    table = pd.read_csv(tmp_path / "r" / "tables" / "figure-4.csv")
    assert set(table["policy"]) == {"MTS", "MVTS", "Mine"}
    drawn = (tmp_path / "r" / "figures" / "figure-4.svg").read_text(encoding="utf-8")
    assert "<!-- Mine -->" in drawn
    for asked, sentence in (
        (("--policies", "ngts"), "--policies must be given with figures"),
        (("figure-2", "--policies", "ngts"), "Policies must be given with a figure that shows some"),
        (("figure-4", "--policies", "mine=ngts"), "must be given without labels of their own. Got ['mine']"),
    ):
        code, _, err = command("reproduce", *asked, "--out", tmp_path / "r")
        assert code == 2
        assert sentence in err


OWN = """
from typing import NamedTuple

from riskbandits.numerics import moments


class Mine(NamedTuple):
    bonus: float = 0.1

    def score(self, state, k, run, risk, rng):
        return state[k, moments.MEAN] + self.bonus * rng.standard_normal()

    def learn(self, state, k, run, reward):
        moments.add(state, k, reward)
"""


def test_runs_that_are_all_alike_have_no_interval():
    alike, apart = (
        {f"exact_pseudo_regret_{name}": value for name, value in zip(("mean", "low", "high"), values, strict=True)}
        for values in ((520.0, 520.0 - 1e-13, 520.0 + 1e-13), (520.0, 510.0, 530.0))
    )
    assert (cli_reproduce._regret(alike), cli_reproduce._regret(apart)) == ("520", "520 ± 10")
