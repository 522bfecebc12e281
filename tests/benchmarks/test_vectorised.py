"""The NumPy rival of the benchmarks plays the policies it is named after."""

import sys
from pathlib import Path

import pytest

import riskbandits as rb
from comparing import complaints

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from vectorised import Rival

POLICIES = [rb.MVTS(), rb.VTS(), rb.MTS(), rb.BMVTS(), rb.MVLCB()]


@pytest.mark.full
@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: type(policy).__name__)
def test_rival_and_plain_kernel_agree(policy):
    make = rb.problems.zhu_tan_bernoulli if isinstance(policy, rb.BMVTS) else rb.problems.zhu_tan_gaussian
    problem = make(0.5)
    plain = rb.simulate(problem, [policy], horizon=300, runs=1000, seed=4, method="plain", progress=False).traces[0]
    rival = Rival(type(policy).__name__, problem, 1000)
    rival.advance(300)
    pulls = rival.world.count
    assert (pulls.sum(axis=1) == 300).all()
    for k in range(problem.size):
        assert not complaints(f"pulls of arm {k}", plain.pulls[:, k].astype(float), pulls[:, k])
