"""The page of systems: what it names exists, and the tests that it names have it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import riskbandits as rb
from riskbandits import field
from riskbandits.field.survey_absent import ABSENT

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "systems.md").read_text(encoding="utf-8")


def table(heading):
    """The rows of the table under a heading, as lists of cells."""
    part = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in part.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in row] for row in rows[1:]]


SINCE = table("Since then")


@pytest.mark.parametrize("row", SINCE, ids=lambda row: row[0])
def test_every_system_exists_and_has_a_twin(row):
    name = re.search(r"`(?:theory\.)?(\w+)", row[1])[1]
    assert hasattr(rb, name) or hasattr(rb.theory, name)
    test = (ROOT / "tests" / row[-1].strip("`")).read_text(encoding="utf-8")
    assert re.search(rf"\b{name}\b", test), f"{row[-1]} does not mention {name}"


def test_the_page_has_every_claim_of_the_ledger_and_no_other():
    verdicts = {row[0].strip("`"): row[2] for row in table("What their claims come to")}
    assert list(verdicts) == list(field.CLAIMS)
    for name, claim in field.CLAIMS.items():
        assert verdicts[name] in field.VERDICTS
        assert (claim.study is None) == (verdicts[name] == field.OPEN)


def test_at_least_twelve_systems_are_runnable():
    assert len({row[1] for row in SINCE if not row[1].startswith("`theory.")}) >= 12


def test_what_could_not_be_obtained_is_not_offered_and_is_in_the_survey():
    for system, source, *_ in table("What could not be obtained"):
        assert not any(name.lower() == system.split(",")[0].lower() for name in rb.__all__)
        number = re.search(r"arXiv (\d{4}\.\d{5})", source)
        if number and number[1] != "2302.14407":  # priors for the mean: outside the survey's scope
            assert any(number[1] in entry.source for entry in ABSENT), system
