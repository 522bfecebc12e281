"""Sample variances that divide by T - 1: the indices by hand, and what an added parameter must leave as it was."""

from __future__ import annotations

import math

import numpy as np
import pytest

import riskbandits as rb
from policies.test_indices import REWARDS, Fixed, gamma_at_zero, scored
from riskbandits.core.records import canonical, digest, rebuilt
from riskbandits.policies.support import contract


def test_indices_by_hand():
    mean = 3 + 1.5 / math.sqrt(3)
    assert scored(rb.MTS(unbiased=True), REWARDS, rng=Fixed(normal=1.5)) == pytest.approx(2 * mean - 14 / 2)
    assert scored(rb.MVLCB(unbiased=True), REWARDS) - scored(rb.MVLCB(), REWARDS) == pytest.approx(14 / 3 - 14 / 2)
    drawn = (0.5 + 0.5 * 3 * 14 / 2) / gamma_at_zero(0.5 + 1.5)
    assert scored(rb.VTS(unbiased=True), REWARDS) == pytest.approx(2 * 3 - drawn)
    assert scored(rb.MVTS(unbiased=True), REWARDS) == pytest.approx(2 * 3 - drawn)
    # With one reward there is nothing to divide by: evidence that has faded may leave that.
    assert scored(rb.MTS(unbiased=True), (4.0,)) == scored(rb.MTS(), (4.0,))


# The random streams of version 0.1 for these policies.
KEYS = [
    (rb.MTS(), (1972978326, 1243071600, 102189639, 1730604899)),
    (rb.VTS(), (3029443742, 1007109365, 1669892945, 3122593086)),
    (rb.MVTS(), (3286508899, 2341900309, 1793306170, 382137913)),
    (rb.MVLCB.sani(), (3542075655, 765223111, 682370156, 583670525)),
    (rb.SwitchingAware(rb.VTS()), (2032466346, 1724879348, 1176131324, 3441478442)),
]


@pytest.mark.parametrize(("policy", "key"), KEYS, ids=lambda one: type(one).__name__)
def test_keys_and_files_are_what_they_were(policy, key):
    assert digest(policy) == key
    assert "unbiased" not in str(canonical(policy))


@pytest.mark.parametrize("policy", [rb.MTS, rb.VTS, rb.MVTS, rb.MVLCB])
def test_the_other_variance_is_another_policy(policy):
    turned = policy(unbiased=True)
    assert digest(turned) != digest(policy())
    assert canonical(turned)["fields"]["unbiased"] is True
    assert rebuilt(canonical(turned), [policy], "policy") == turned
    assert rebuilt(canonical(policy()), [policy], "policy") == policy()
    assert contract.first_pulls(turned) == 2
    problem = rb.problems.zhu_tan_gaussian(1.0)
    result = rb.simulate(problem, [turned], horizon=60, runs=3, seed=1, method="python", progress=False)
    assert result.labels == [f"{policy.__name__}(unbiased=True)"]
    assert (result.pulls(result.labels[0]) >= 2).all()
    np.testing.assert_array_equal(result.pulls(result.labels[0]).sum(axis=1), 60)
