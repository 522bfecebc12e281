"""Random problems have the property that their family states, and never change."""

from __future__ import annotations

import numpy as np
import pytest

from riskbandits import BernoulliArms, suites
from riskbandits.core.errors import UnknownNameError
from riskbandits.suites import families

SIZES = (2, 10, 50, 300)


def problems(family):
    return [suites.draw(family, arms, number) for arms in SIZES for number in range(4)]


def is_dominant(p):
    return p.best_arm == np.argmax(p.means) == np.argmin(p.variances)


def is_trade_off(p):
    order = np.argsort(p.means)
    rising = (np.diff(p.variances[order]) > 0).all()
    inside = p.size < 3 or 0 < list(order).index(p.best_arm) < p.size - 1
    return rising and inside


def is_near_tie(p):
    # 1 % of the median gap before the rival was moved, which moves the median a little; two arms have no other gap.
    gaps = np.sort(p.gaps)
    return 0 < gaps[1] < 0.02 * max(np.median(gaps[1:]), p.size == 2)


def apart(p, factor):
    """Whether one arm alone is far out: by its variance beside the next one's."""
    order = np.sort(p.variances)
    return order[-1] / order[-2] > factor or order[1] / order[0] > factor


UNLIKE = {
    "spread-2": lambda p: p.variances.min() >= 0.01 and p.variances.max() <= 1,
    "spread-3": lambda p: p.variances.min() >= 0.001 and p.variances.max() <= 1,
    "spread-4": lambda p: p.variances.min() >= 0.0001 and p.variances.max() <= 1,
    "one-wild": lambda p: np.count_nonzero(p.variances >= 50) == 1 and apart(p, 49),
    "one-calm": lambda p: np.count_nonzero(p.variances <= 0.001) == 1 and apart(p, 49),
    "clusters": lambda p: np.count_nonzero(p.variances <= 0.001) == p.size // 2,
    "cents": lambda p: p.variances.min() >= 100 and 10 <= p.risk.rho <= 1000,
}
PROPERTIES = {
    "uniform": lambda p: 0.1 <= p.risk.rho <= 10,
    "dominant": is_dominant,
    "trade-off": is_trade_off,
    "near-tie": is_near_tie,
    "equal-means": lambda p: len(set(p.means)) == 1 < len(set(p.variances)),
    "equal-variances": lambda p: len(set(p.variances)) == 1 < len(set(p.means)),
    "bernoulli": lambda p: isinstance(p.arms, BernoulliArms) and 0 <= p.risk.rho <= 1,
}


@pytest.mark.parametrize("family", suites.FAMILIES)
def test_what_a_family_states_holds(family):
    for problem in problems(family):
        assert PROPERTIES[family](problem), problem
        assert (problem.means >= 0).all()
        assert (problem.means <= 1).all()
        if family != "bernoulli":
            assert problem.variances.min() >= families.LOWEST_VARIANCE
        assert np.count_nonzero(problem.gaps == 0) == 1


@pytest.mark.parametrize("family", families.UNLIKE)
def test_variances_far_apart(family):
    of_ten = [suites.draw(family, 10, number) for number in range(4)]
    for problem in [*problems(family), *of_ten]:
        assert UNLIKE[family](problem), problem
        assert np.count_nonzero(problem.gaps == 0) == 1
        assert problem.means.max() <= (100 if family == "cents" else 1)
        assert problem.means.min() >= 0
    ratios = [problem.variances.max() / problem.variances.min() for problem in of_ten]
    decades = {"spread-2": 1, "spread-3": 2, "spread-4": 3, "cents": 1}.get(family, 1.69)
    assert np.median(np.log10(ratios)) > decades


def test_the_families_of_unlike_arms_are_in_the_full_suite():
    found = {case.family for case in suites.named("full").cases}
    assert found >= {*families.UNLIKE, *families.FAMILIES}


def test_the_properties_tell_families_apart():
    plain = [p for p in problems("uniform") if p.size > 2]
    for family, holds in {**PROPERTIES, **UNLIKE}.items():
        if family not in ("uniform", "spread-2", "spread-3", "spread-4"):
            assert not all(holds(problem) for problem in plain), family


def test_best_arms_stand_anywhere():
    for family in families.ALL:
        assert len({suites.draw(family, 10, number).best_arm for number in range(12)}) > 3


def test_a_problem_never_changes():
    # Written down once: another NumPy, machine or Python must return the same problems.
    problem = suites.draw("uniform", 2, 0)
    np.testing.assert_allclose(problem.means, [0.25433934109101686, 0.4923232696448535], rtol=1e-12)
    np.testing.assert_allclose(problem.variances, [0.567908044009929, 0.8567239518049903], rtol=1e-12)
    assert problem.risk.rho == pytest.approx(2.418530067706709, rel=1e-12)


def test_unknown_family():
    with pytest.raises(UnknownNameError, match="Did you mean 'near-tie'"):
        suites.draw("near-ties", 2, 0)
