"""The survey: the page is what the command writes, and every record on it can be asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import riskbandits as rb
from riskbandits.field import survey_bench, survey_table
from riskbandits.field.bench import Bench
from riskbandits.field.survey import ENTRIES
from riskbandits.field.survey_entry import GROUPS, NAMING, UNCHECKED, Entry
from riskbandits.identification import RULES

ROOT = Path(__file__).parents[2]


def test_the_page_is_what_the_command_writes(command, tmp_path):
    code, out, err = command("survey", "--markdown", tmp_path / "survey.md")
    assert (code, out, err) == (0, "", "")
    assert (tmp_path / "survey.md").read_text() == (ROOT / "docs" / "survey.md").read_text(), "run `make survey`"


def test_a_table_for_people_and_for_programs(command):
    code, out, _ = command("survey")
    assert code == 0
    assert "VA-LUCB" in out
    data = json.loads(command("survey", "--json")[1])
    assert [row["algorithm"] for row in data["survey"]] == [
        one.name for group in GROUPS for one in ENTRIES if one.group == group
    ]


def test_every_entry_has_all_its_cells():
    for row in survey_table.rows(survey_bench.stored()):
        here = row["here as"] != "not here"
        assert row["algorithm"]
        assert row["guarantee"]
        assert row["read in"]
        assert row["source"]
        assert here == bool(row["measure"]) == bool(row["arms"])
    assert len({one.name for one in ENTRIES}) == len(ENTRIES)
    assert any(one.read_in == UNCHECKED for one in ENTRIES)  # said, not hidden
    assert {one.group for one in ENTRIES} == set(GROUPS)


def test_everything_with_a_bench_was_measured_and_nothing_else():
    measured = survey_bench.stored()["rows"]
    assert set(measured) == {survey_bench.label_of(one) for one in ENTRIES if one.bench}
    assert {row["bench"] for row in measured.values()} == set(survey_bench.BENCHES)
    for one in ENTRIES:
        if one.bench:
            assert measured[survey_bench.label_of(one)]["bench"] == one.bench


def test_what_names_the_best_arm_is_a_rule():
    for one in ENTRIES:
        assert one.here is None or (type(one.here) in RULES) == (one.group == NAMING)


@pytest.mark.parametrize("name", survey_bench.BENCHES)
def test_no_bench_is_refused(name):
    trial = survey_bench.BENCHES[name]
    for one in ENTRIES:
        if one.bench == name:
            assert survey_table.sentence(one.here, "refuses", trial.problem.risk, trial.problem.arms) is None


def test_what_a_record_serves_is_asked_of_it():
    assert survey_table.served(rb.MVLCB()) == ("MeanVariance", "any")
    assert survey_table.served(rb.BernoulliTS()) == ("Mean", "0 or 1")
    assert survey_table.served(rb.VALUCB()) == ("VarianceConstrained", "in [0, 1]")
    assert (
        survey_table.source(rb.ExpExp()) == "Sani, Lazaric & Munos, Risk-Aversion in Multi-armed Bandits, NeurIPS 2012."
    )
    assert survey_table.source(rb.UniformRandom()) == "ours"


def test_measuring(monkeypatch, tmp_path, command):
    """A bench of two policies and one of a rule, played: the smallest regret is 1 by definition."""
    entries = (
        Entry("a", GROUPS[0], "x", "y", rb.MTS(), "mean-variance"),
        Entry("b", GROUPS[0], "x", "y", rb.UniformRandom(), "mean-variance"),
        Entry("c", GROUPS[3], "x", "y", rb.SuccessiveRejects(), "naming: CVaR, budget 1 500"),
    )
    monkeypatch.setattr(survey_bench, "ENTRIES", entries)
    benches = {one.bench: survey_bench.BENCHES[one.bench] for one in entries}
    monkeypatch.setattr(survey_bench, "BENCHES", benches)
    monkeypatch.setattr(survey_bench, "HORIZON", 300)
    found = survey_bench.measure(Bench(0.05, progress=False))["rows"]
    assert found["MTS"]["ratio"] == 1.0
    assert found["UniformRandom"]["low"] > 1.0
    assert found["UniformRandom"]["ratio"] == pytest.approx(found["UniformRandom"]["regret"] / found["MTS"]["regret"])
    assert 0.0 <= found["SuccessiveRejects"]["low"] <= found["SuccessiveRejects"]["error"]
    assert survey_table.said(found["MTS"]) == "the smallest regret of 2 policies: the paper's 15 Gaussian arms, rho = 1"
    assert "times the smallest" in survey_table.said(found["UniformRandom"])
    assert "% [" in survey_table.said(found["SuccessiveRejects"])


def test_a_file_that_cannot_be_written_is_refused_before_anything_is_played(command, tmp_path):
    code, out, err = command("survey", "--measure", tmp_path, "--out", tmp_path / "out")
    assert (code, out) == (2, "")
    assert len(err.strip().splitlines()) == 1
    assert not (tmp_path / "out").exists()
