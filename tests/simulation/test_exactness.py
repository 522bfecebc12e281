"""Lazy sampling has exactly the law of the plain kernel; the oracle is the plain kernel."""

import pytest
from exactness import BERNOULLI, GAUSSIAN, Case, gaussian, holm_rejects, outcome, p_values
from mutants import WrongClocks

import riskbandits as rb

POLICIES = {"MVTS": rb.MVTS(), "VTS": rb.VTS(), "MTS": rb.MTS(), "BMVTS": rb.BMVTS()}
# Lazy runs of these are held against a textbook twin in every test run (tests/test_against_textbook.py).
IN_FULL = {"NGTS:paper": rb.NGTS.paper(), "NGTS:honda_takemura": rb.NGTS.honda_takemura()}
# Visits that are few and far between: their number follows the clocks. Where an arm is visited often, a late visit
# makes the next one likelier, and clocks a little off hardly show.
RARE_VISITS = Case("rare visits", gaussian([3.0] + [0.0] * 14, [0.01] * 15, 10.0), 1000)


def cases_of(name):
    return BERNOULLI if name == "BMVTS" else GAUSSIAN


def family(policy, other, cases, runs):
    """The p-values of all comparisons of a policy's plain runs with another's lazy runs."""
    found = []
    for case in cases:
        plain = outcome(policy, case, "plain", runs, seed=11)
        lazy = outcome(other, case, "lazy", runs, seed=12)
        found += p_values(plain, lazy)
    return found


@pytest.mark.parametrize("name", POLICIES)
def test_lazy_and_plain_agree(name):
    policy = POLICIES[name]
    assert not holm_rejects(family(policy, policy, cases_of(name), runs=4000))


def test_clocks_20_percent_off_are_caught():
    outcome(rb.MVTS(), RARE_VISITS, "lazy", 1, 0)  # compiled code must know the record inside the mutant
    assert holm_rejects(family(rb.MVTS(), WrongClocks(rb.MVTS(), 0.8), [RARE_VISITS], runs=4000))


@pytest.mark.full
@pytest.mark.parametrize("name", [*POLICIES, *IN_FULL])
def test_lazy_and_plain_agree_closely(name):
    policy = (POLICIES | IN_FULL)[name]
    assert not holm_rejects(family(policy, policy, cases_of(name), runs=30_000))


@pytest.mark.full
def test_clocks_3_percent_off_are_caught():
    outcome(rb.MVTS(), RARE_VISITS, "lazy", 1, 0)
    assert holm_rejects(family(rb.MVTS(), WrongClocks(rb.MVTS(), 0.97), [RARE_VISITS], runs=30_000))
