"""Lazy sampling has exactly the law of the plain kernel; the oracle is the plain kernel."""

import pytest
from exactness import BERNOULLI, FOR_BERNOULLI, FROZEN, GAUSSIAN, STANDING_STILL, holm_rejects, outcome, p_values
from mutants import Altered

import riskbandits as rb

POLICIES = {
    "MVTS": rb.MVTS(),
    "VTS": rb.VTS(),
    "MTS": rb.MTS(),
    "BMVTS": rb.BMVTS(),
    "NGTS": rb.NGTS(),
    "SwitchingAware": rb.SwitchingAware(),
}
# Other forms of the same code, which would make every test run longer by minutes.
IN_FULL = {
    "NGTS:paper": rb.NGTS.paper(),
    "NGTS:honda_takemura": rb.NGTS.honda_takemura(),
    "SwitchingAware:bernoulli": rb.SwitchingAware.bernoulli(),
}


def family(plain_policy, lazy_policy, cases, runs):
    """The p-values of all comparisons of a policy's plain runs with a policy's lazy runs."""
    found = []
    for case in cases:
        plain = outcome(plain_policy, case, "plain", runs, seed=11)
        lazy = outcome(lazy_policy, case, "lazy", runs, seed=12)
        found += p_values(plain, lazy)
    return found


def agrees_and_catches(name, runs, wrong):
    """Lazy runs are like plain ones, learning or not; with wrong clocks they are not."""
    policy = (POLICIES | IN_FULL)[name]
    found = family(policy, Altered(policy), BERNOULLI if name in FOR_BERNOULLI else GAUSSIAN, runs)
    still = Altered(policy, 1.0, True, *FROZEN[name])
    found += family(still, still, [STANDING_STILL[name]], runs)
    assert not holm_rejects(found)
    assert holm_rejects(family(still, still._replace(factor=wrong), [STANDING_STILL[name]], runs))


@pytest.mark.parametrize("name", POLICIES)
def test_lazy_and_plain_agree_and_clocks_20_percent_off_are_caught(name):
    agrees_and_catches(name, 4000, 0.8)


@pytest.mark.full
@pytest.mark.parametrize("name", [*POLICIES, *IN_FULL])
def test_lazy_and_plain_agree_closely_and_clocks_3_percent_off_are_caught(name):
    agrees_and_catches(name, 30_000, 0.97)
