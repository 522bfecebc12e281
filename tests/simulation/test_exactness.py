"""Lazy sampling has exactly the law of the plain kernel; the oracle is the plain kernel."""

import pytest
from exactness import BERNOULLI, GAUSSIAN, holm_rejects, outcome, p_values
from mutants import WrongClocks

import riskbandits as rb

POLICIES = {"MVTS": rb.MVTS(), "VTS": rb.VTS(), "MTS": rb.MTS(), "BMVTS": rb.BMVTS()}
MUTANT_CASES = [case for case in GAUSSIAN if case.name in ("two arms", "fifteen arms, large rho")]


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
    outcome(rb.MVTS(), MUTANT_CASES[0], "lazy", 1, 0)  # compiled code must know the record inside the mutant
    assert holm_rejects(family(rb.MVTS(), WrongClocks(rb.MVTS(), 0.8), MUTANT_CASES, runs=4000))


@pytest.mark.full
@pytest.mark.parametrize("name", POLICIES)
def test_lazy_and_plain_agree_closely(name):
    policy = POLICIES[name]
    assert not holm_rejects(family(policy, policy, cases_of(name), runs=30_000))


@pytest.mark.full
def test_clocks_3_percent_off_are_caught():
    outcome(rb.MVTS(), MUTANT_CASES[0], "lazy", 1, 0)
    assert holm_rejects(family(rb.MVTS(), WrongClocks(rb.MVTS(), 0.97), MUTANT_CASES, runs=30_000))
