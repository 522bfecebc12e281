"""One definition of each algorithm: compiled in bulk, in the learner, and in plain Python choose the same arms."""

from __future__ import annotations

import json

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.policies import names
from riskbandits.testing import check_policy
from riskbandits.testing.policy import check_one_definition

ALL = {
    names.label(policy) if names.label(policy) != cls.__name__ else cls.__name__: policy
    for cls in names.public_policies()
    for policy in [cls(), *names.presets(cls).values()]
}


def problem_for(policy):
    policy = getattr(policy, "policy", policy)  # the one inside a wrapper
    bernoulli = type(policy).__name__ in ("BMVTS", "BernoulliLCB") or getattr(policy, "binary", False)
    return rb.problems.zhu_tan_bernoulli(0.4) if bernoulli else rb.problems.zhu_tan_gaussian(0.7)


@pytest.mark.parametrize("label", ALL)
def test_bulk_learner_and_plain_python_agree(label):
    policy = ALL[label]
    check_policy(policy)
    pulls = check_one_definition(policy, problem_for(policy), horizon=300, seed=4)
    assert pulls.sum() == 600


def test_python_with_numba_switched_off_agrees(run_python):
    code = """
import json, riskbandits as rb, test_one_definition as t
pulls = {}
for label, policy in t.ALL.items():
    result = rb.simulate(t.problem_for(policy), [policy], horizon=120, runs=2, seed=8, progress=False)
    pulls[label] = result.traces[0].pulls.tolist()
print(json.dumps(pulls))
"""
    plain = json.loads(run_python(code, NUMBA_DISABLE_JIT="1", PYTHONPATH="tests"))
    for label, policy in ALL.items():
        result = rb.simulate(problem_for(policy), [policy], horizon=120, runs=2, seed=8, progress=False)
        np.testing.assert_array_equal(result.traces[0].pulls, plain[label])


def test_every_public_policy_is_covered():
    assert {type(policy).__name__ for policy in ALL.values()} == set(rb.policies.__all__)
