from __future__ import annotations

import numpy as np
import pytest

from riskbandits.inference.claims import NO, TIE, UNDECIDED, YES
from riskbandits.inference.ratios import of_difference, of_means
from riskbandits.paper.claims import evidence


def ratio(value, noise, runs=50, seed=0):
    """A ratio of exactly that value, from samples with that relative noise."""
    rng = np.random.default_rng(seed)
    above, below = rng.standard_normal((2, runs))
    return of_means(value * (1.0 + noise * (above - above.mean())), 1.0 + noise * (below - below.mean()))


def says(*rows):
    return [one.says for one in evidence.judge(rows)]


def test_holm_by_hand():
    assert evidence.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert evidence.holm([0.6, 0.9]) == [1.0, 1.0]
    assert evidence.holm([]) == []


@pytest.mark.parametrize(
    ("value", "noise", "expected"),
    [(1.5, 0.1, YES), (0.7, 0.1, NO), (1.01, 0.05, TIE), (1.01, 0.5, UNDECIDED), (1.03, 0.01, YES)],
)
def test_better(value, noise, expected):
    assert says(evidence.better({}, ratio(value, noise))) == [expected]


@pytest.mark.parametrize(
    ("value", "noise", "expected"),
    [
        (1.02, 0.05, YES),
        (0.97, 0.05, YES),
        (1.5, 0.1, NO),
        (0.7, 0.1, NO),
        (1.02, 1.0, UNDECIDED),
        (1.1, 0.1, UNDECIDED),
    ],
)
def test_within_is_shown_and_not_merely_not_refuted(value, noise, expected):
    assert says(evidence.within({}, ratio(value, noise), 1.1)) == [expected]


@pytest.mark.parametrize(("value", "noise", "expected"), [(0.8, 0.1, YES), (1.3, 0.1, NO), (1.01, 0.2, UNDECIDED)])
def test_at_most_and_at_least(value, noise, expected):
    assert says(evidence.at_most({}, ratio(value, noise), 1.0)) == [expected]
    mirrored = {YES: NO, NO: YES, UNDECIDED: UNDECIDED}[expected]
    assert says(evidence.at_least({}, ratio(value, noise), 1.0)) == [mirrored]


def test_what_is_decided_lies_with_its_interval_on_that_side():
    for value in (0.9, 0.95, 1.05, 1.1):
        (one,) = evidence.judge([evidence.better({}, ratio(value, 0.1))])
        assert (one.says == YES) == (one.low > 1.0)
        assert (one.says == NO) == (one.high < 1.0)


def families(times, rows, answer):
    rng = np.random.default_rng(3)
    wrong = 0
    for _ in range(times):
        family = [
            evidence.better({}, of_means(rng.normal(1.0, 0.3, 20), rng.normal(1.0, 0.3, 20))) for _ in range(rows)
        ]
        wrong += answer(family)
    return wrong / times


def test_equal_policies_are_told_apart_in_at_most_one_family_of_twenty():
    share = families(400, 13, lambda family: any(one.says in (YES, NO) for one in evidence.judge(family)))
    assert share <= 0.05 + 3.0 * np.sqrt(0.05 * 0.95 / 400)


def test_without_holm_half_of_the_families_would_err():
    share = families(400, 13, lambda family: any(2.0 * min(row.p_yes, row.p_no) < 0.05 for row in family))
    assert share > 0.3


def test_the_realised_regret_has_its_own_answer():
    rng = np.random.default_rng(0)
    noisy = of_difference(rng.normal(1.5, 50.0, 40), rng.normal(1.0, 50.0, 40))
    (one,) = evidence.judge([evidence.better({"rho": 1.0}, ratio(1.5, 0.1), noisy)])
    assert (one.says, one.regret_says) == (YES, UNDECIDED)
    data = one.as_data()
    assert data["rho"] == 1.0
    assert data["regret_low"] < data["regret_difference"] < data["regret_high"]
