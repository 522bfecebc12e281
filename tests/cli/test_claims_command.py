from __future__ import annotations

import json

import pytest

from paper.claims.synthetic import outcome
from riskbandits.paper import claims, experiments


@pytest.fixture
def asked(monkeypatch):
    """Outcomes made by hand in place of simulations; what was asked for is kept."""
    calls = []

    def run(experiments, seed, *, workers, engine, store):
        calls.append({"runs": {name: one.runs for name, one in experiments.items()}, "seed": seed, "store": store})
        level = {"MVTS": 1.0, "BMVTS": 1.0}
        return {name: outcome(one, lambda rho, label: level.get(label, 2.0)) for name, one in experiments.items()}

    monkeypatch.setattr(experiments, "run", run)
    return calls


def test_json_is_all_there_is(command, asked, tmp_path):
    code, out, err = command("claims", "--json", "--seed", "3", "--out", tmp_path)
    assert (code, err) == (0, "")
    data = json.loads(out)
    assert [one["name"] for one in data["claims"]] == list(claims.CLAIMS)
    first = data["claims"][0]
    assert set(first) >= {"statement", "place", "verdict", "condition", "effect", "low", "high", "sentence", "evidence"}
    assert data["settings"]["seed"] == 3
    assert data["settings"]["experiments"]["gaussian"] == {"runs": 500, "horizon": 30_000}
    assert data["multiplicity"].startswith("The chance of a wrong answer is at most 5 % for each claim by itself.")
    assert asked[0]["seed"] == 3
    assert asked[0]["store"] == tmp_path / "store"
    assert asked[0]["runs"]["gaussian"] == 500


@pytest.mark.parametrize(("arguments", "runs"), [(("--quick",), 50), (("--runs", "100"), 100)])
def test_fewer_runs_of_everything(command, asked, tmp_path, arguments, runs):
    assert command("claims", *arguments, "--out", tmp_path)[0] == 0
    full = claims.experiments_needed()
    assert asked[0]["runs"] == {name: max(2, round(one.runs * runs / 500)) for name, one in full.items()}


def test_a_table_for_people(command, asked, tmp_path):
    code, out, _ = command("claims", "--out", tmp_path)
    assert code == 0
    for name in claims.CLAIMS:
        assert name in out
    assert "✓ holds: " in out
    assert "? cannot be decided: " in out
    assert "○ is not refuted: " in out
    assert "verdicts by runs stay as they are" in " ".join(out.split())


def test_a_named_claim_shows_its_evidence(command, asked, tmp_path):
    code, out, _ = command("claims", "mvts-beats-mv-lcb", "--out", tmp_path)
    assert code == 0
    assert list(asked[0]["runs"]) == ["gaussian", "gaussian-large-rho"]
    assert "Of 39 comparisons: 39 for it." in out
    assert "Measure: " in out
    assert out.count("MVLCB:vakili") >= 13


def test_names_can_be_listed_without_deciding(command):
    code, out, _ = command("list", "claims", "--json")
    assert code == 0
    assert {row["name"]: row["where"] for row in json.loads(out)} == {
        name: claim.source for name, claim in claims.CLAIMS.items()
    }


def test_formulas_need_no_simulation_and_write_nothing(command, tmp_path):
    code, out, _ = command("claims", "lemma-5", "lemma-4", "--out", tmp_path / "results")
    assert code == 0
    assert "◐" in out
    assert not list(tmp_path.iterdir())


BAD = [
    (("mvts-beats-mvlcb",), "Did you mean 'mvts-beats-mv-lcb'?"),
    (("--runs", "0"), "The number of runs must be"),
    (("--engine", "proceses"), "Did you mean 'processes'"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_bad_input_is_one_sentence(command, tmp_path, arguments, message):
    code, out, err = command("claims", *arguments, "--out", tmp_path / "results")
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.strip().splitlines()) == 1
    assert not list(tmp_path.iterdir())
