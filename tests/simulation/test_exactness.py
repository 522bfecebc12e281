"""Lazy sampling has exactly the distribution of the plain kernel; the oracle is the plain kernel."""

import math

import pytest
from exactness import (
    BERNOULLI,
    CONSTANT_LEADER,
    FOR_BERNOULLI,
    FROZEN,
    GAUSSIAN,
    LEAPT_BERNOULLI,
    LEAPT_GAUSSIAN,
    LUCKY,
    RARE_VISITS,
    RARELY_VISITED,
    SLIDING,
    STANDING_STILL,
    Case,
    cases_of,
    holm_rejects,
    outcome,
    p_values,
    share_leapt,
)
from mutants import Altered, WrongSums

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
    "GaussianTS": rb.GaussianTS(),
    "BernoulliTS": rb.BernoulliTS(),
}
# With a quarter of the draws, so that plain runs take a minute less.
FEWER_DRAWS = {"NGTS": rb.NGTS(optimism=20.0), "SwitchingAware": rb.SwitchingAware(rb.NGTS(optimism=20.0))}

LEAST_SHARE = 0.5
REGRET = 2  # the place of its p-value


def family(plain_policy, lazy_policy, cases, runs):
    """The p-values of all comparisons of a policy's plain runs with a policy's lazy runs."""
    found = []
    for case in cases:
        plain = outcome(plain_policy, case, "plain", runs, seed=11)
        lazy = outcome(lazy_policy, case, "lazy", runs, seed=12)
        found += p_values(plain, lazy)
    return found


def agrees_and_catches(name, policy, runs, wrong, leapt_runs, most_scores=math.inf):
    """Lazy runs are like plain ones, learning or not, leaping or not; with wrong clocks they are not.

    Cases whose plain runs make more than `most_scores` scores are left out.
    """
    standing, rare = cases_of(name, [STANDING_STILL[name]]), cases_of(name, [RARE_VISITS[name]])
    cases = cases_of(name, BERNOULLI if name in FOR_BERNOULLI else GAUSSIAN)
    leapt = cases_of(name, LEAPT_BERNOULLI if name in FOR_BERNOULLI else LEAPT_GAUSSIAN)
    if name in FEWER_DRAWS:  # rewards that were all equal have no bounds
        cases, leapt = [*cases, CONSTANT_LEADER], [case for case in leapt if case != CONSTANT_LEADER]
    cases, leapt = ([one for one in part if scores(one) <= most_scores] for part in (cases, leapt))
    found = family(policy, Altered(policy), cases, runs)
    still = Altered(policy, 1.0, True, *FROZEN[name])
    found += family(still, still, standing, runs)
    rarely = Altered(policy, 1.0, True, *RARELY_VISITED[name])
    found += leapt_family(rarely, rarely, rare, leapt_runs)
    found += leapt_family(policy, Altered(policy), leapt, leapt_runs)
    print(f"{name}: the smallest of {len(found)} p-values is {min(found):.2g}")
    assert not holm_rejects(found)
    walked = family(still, still._replace(factor=wrong), standing, runs)
    across = leapt_family(rarely, rarely._replace(factor=wrong), rare, leapt_runs)
    print(f"clocks of {wrong}: {min(walked):.2g} where nothing is learnt, {min(across):.2g} over leaps")
    assert holm_rejects(walked)
    assert holm_rejects(across)


def scores(case):
    """What a plain run of a case costs, on average over the runs that other cases get."""
    return case.share * case.horizon * case.problem.size


def leapt_family(plain_policy, lazy_policy, cases, runs):
    """As `family`, where at least half of the steps of the lazy runs must be leapt."""
    for case in cases:
        share = share_leapt(lazy_policy, case)
        print(f"{case.name}: {share:.0%} of the steps leapt")
        assert share > LEAST_SHARE, case.name
    return family(plain_policy, lazy_policy, cases, runs)


@pytest.mark.parametrize("name", POLICIES)
def test_lazy_and_plain_agree_and_clocks_20_percent_off_are_caught(name):
    agrees_and_catches(name, (POLICIES | FEWER_DRAWS)[name], 1000, 0.8, 1000, most_scores=15_000)


@pytest.mark.full
@pytest.mark.parametrize("name", [*POLICIES, *IN_FULL])
def test_lazy_and_plain_agree_closely_and_clocks_3_percent_off_are_caught(name):
    agrees_and_catches(name, (POLICIES | IN_FULL)[name], 30_000, 0.97, 30_000)


def test_leaps_within_the_margin_of_a_walk_are_caught():
    """Looked at only where leaps end, the leader is played on for steps at which it should not be."""
    best, other = LUCKY
    sound = Altered(rb.MVTS(), best=best, other=other, begun=True)
    assert not holm_rejects(leapt_family(sound, sound, [SLIDING], 2000))
    assert holm_rejects(leapt_family(sound, sound._replace(narrow=True), [SLIDING], 2000))


@pytest.mark.parametrize("name", FEWER_DRAWS)
def test_leaders_too_sure_of_themselves_are_caught(name):
    policy = FEWER_DRAWS[name]
    case = Case("near tie", rb.Problem(rb.GaussianArms([0.1, 0.9], [0.1, 0.5]), rb.MeanVariance(0.6)), 100)
    assert not holm_rejects(family(policy, Altered(policy), [case], 4000))
    assert holm_rejects(family(policy, Altered(policy, surer=0.2), [case], 4000))


@pytest.mark.full
@pytest.mark.parametrize(("rewards", "degrees"), [(1.0, 0.0), (0.0, 1.0)])
def test_one_reward_or_degree_of_freedom_too_many_is_caught(rewards, degrees):
    """In the regret: the choices hardly change."""
    case, policy = LEAPT_GAUSSIAN[0], Altered(rb.MVTS())
    plain = outcome(policy, case, "plain", 30_000, seed=21)
    assert not holm_rejects(p_values(plain, outcome(policy, with_wrong_sums(case, 0.0, 0.0), "lazy", 30_000, seed=22)))
    found = p_values(plain, outcome(policy, with_wrong_sums(case, rewards, degrees), "lazy", 30_000, seed=22))
    assert holm_rejects(found[REGRET : REGRET + 1])


def with_wrong_sums(case, rewards, degrees):
    return case._replace(problem=rb.Problem(WrongSums(case.problem.arms, rewards, degrees), case.problem.risk))
