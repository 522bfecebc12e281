"""Lazy sampling has exactly the law of the plain kernel; the oracle is the plain kernel."""

import pytest
from exactness import BERNOULLI, GAUSSIAN, RARE_VISITS, holm_rejects, outcome, p_values
from mutants import WrongClocks

import riskbandits as rb

POLICIES = {"MVTS": rb.MVTS(), "VTS": rb.VTS(), "MTS": rb.MTS(), "BMVTS": rb.BMVTS()}
# Compiling these takes long. Lazy runs of theirs are held against a textbook twin in every test run
# (tests/test_against_textbook.py).
IN_FULL = {"NGTS:paper": rb.NGTS.paper(), "NGTS:honda_takemura": rb.NGTS.honda_takemura()}


def cases_of(name):
    return [*(BERNOULLI if name == "BMVTS" else GAUSSIAN), rare_visits(name)]


def rare_visits(name):
    return RARE_VISITS.get(name, RARE_VISITS["MVTS"])


def family(policy, clocks, cases, runs):
    """The p-values of all comparisons of a policy's plain runs with its lazy runs, with clocks so much too fast."""
    found = []
    for case in cases:
        plain = outcome(policy, case, "plain", runs, seed=11)
        lazy = outcome(WrongClocks(policy, clocks), case, "lazy", runs, seed=12)
        found += p_values(plain, lazy)
    return found


def agrees_and_catches(name, runs, wrong):
    policy = (POLICIES | IN_FULL)[name]
    assert not holm_rejects(family(policy, 1.0, cases_of(name), runs))
    assert holm_rejects(family(policy, wrong, [rare_visits(name)], runs))


@pytest.mark.parametrize("name", POLICIES)
def test_lazy_and_plain_agree_and_clocks_20_percent_off_are_caught(name):
    agrees_and_catches(name, 4000, 0.8)


@pytest.mark.full
@pytest.mark.parametrize("name", [*POLICIES, *IN_FULL])
def test_lazy_and_plain_agree_closely_and_clocks_3_percent_off_are_caught(name):
    agrees_and_catches(name, 30_000, 0.97)
