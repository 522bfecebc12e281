"""One definition of each algorithm: compiled in bulk, in the learner, and in plain Python choose the same arms."""

from __future__ import annotations

import json

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.policies.support import naming
from riskbandits.testing import check_policy
from riskbandits.testing.checked_steps import check_array_access
from riskbandits.testing.policy import check_one_definition, fitting_problem

ALL = {
    naming.label(policy) if naming.label(policy) != cls.__name__ else cls.__name__: policy
    for cls in naming.public_policies()
    for policy in [cls(), *naming.presets(cls).values()]
}


def problem_for(policy):
    return fitting_problem(policy)


# Compiling all of them takes minutes: these stand for every kind of method and state; `make test-full` runs the others.
KEPT = ["MTS", "VTS", "MVTS", "BMVTS", "NGTS", "IMEDMV", "KLUCBMV:bernoulli", "MVLCB:sani", "MVDSEE", "CVaRTS"]
KEPT += ["BCVTS", "SwitchingAware", "UniformRandom", "LinearNGTS"]
HEAVY = [pytest.param(label, marks=pytest.mark.full) for label in ALL if label not in KEPT]


@pytest.mark.parametrize("label", [*KEPT, *HEAVY])
def test_bulk_learner_and_plain_python_agree(label):
    policy = ALL[label]
    check_policy(policy)
    pulls = check_one_definition(policy, problem_for(policy), horizon=300, seed=4)
    assert pulls.sum() == 600


@pytest.mark.full
@pytest.mark.parametrize("label", ALL)
def test_no_policy_reaches_outside_its_arrays(label):
    check_array_access(ALL[label], problem_for(ALL[label]))


def test_python_with_numba_switched_off_agrees(run_python):
    code = """
import json, riskbandits as rb, test_one_definition as t
pulls = {}
for label in t.KEPT:
    policy = t.ALL[label]
    result = rb.simulate(t.problem_for(policy), [policy], horizon=120, runs=2, seed=8, progress=False)
    pulls[label] = result.traces[0].pulls.tolist()
print(json.dumps(pulls))
"""
    plain = json.loads(run_python(code, NUMBA_DISABLE_JIT="1", PYTHONPATH="src:tests:tests/compiling"))
    for label in KEPT:
        policy = ALL[label]
        result = rb.simulate(problem_for(policy), [policy], horizon=120, runs=2, seed=8, progress=False)
        np.testing.assert_array_equal(result.traces[0].pulls, plain[label])


def test_every_public_policy_is_covered():
    assert {type(policy).__name__ for policy in ALL.values()} == set(rb.policies.__all__)
