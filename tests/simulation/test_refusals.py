"""Every policy with every measure on every family: it runs with finite numbers, or is refused in a sentence."""

from __future__ import annotations

import re

import numpy as np
import pytest

import riskbandits as rb
from riskbandits import metrics
from riskbandits.api import simulate
from riskbandits.core.errors import RefusalError
from riskbandits.core.records import same
from riskbandits.policies.support import naming
from riskbandits.simulation.runner import run_in_plain_python

BOUNDED = {
    "bernoulli": rb.BernoulliArms([0.3, 0.6]),
    "beta": rb.BetaArms([2, 3], [2, 1]),
    "uniform": rb.UniformArms([0, 0.2], [1, 0.7]),
    "truncated": rb.TruncatedGaussianArms([0.3, 0.5], [1, 0.2], [0, 0], [1, 1]),
    "limited mixture": rb.TruncatedGaussianMixtureArms(
        [[0.7, 0.3]] * 2, [[0.6, 0.1], [0.5, 0.2]], [[0.2, 0.05]] * 2, [0, 0], [1, 1]
    ),
    "data": rb.DataArms([0.0, 1.0, 0.5, 0.2, 0.3, 0.9], [3, 6], 2.0),
}
UNBOUNDED = {
    "gaussian": rb.GaussianArms([0.1, 0.5], [0.05, 0.3]),
    "student-t": rb.StudentTArms([0, 0.5], [1, 1], [3, 3]),
    "lognormal": rb.LognormalArms([0, 0.2], [0.5, 0.7]),
    "exponential": rb.ExponentialArms([1, 2]),
    "mixture": rb.GaussianMixtureArms([[0.9, 0.1]] * 2, [[1, -4], [0.5, 0]], [[0.1, 1], [0.1, 1]]),
    "poisson": rb.PoissonArms([1, 3]),
    "dependent": rb.CorrelatedGaussianArms([0.1, 0.5], [[0.05, 0.1], [0.1, 0.3]]),
}
ARMS = {**BOUNDED, **UNBOUNDED}
RISKS = {
    "Mean": rb.Mean(),
    "MeanVariance": rb.MeanVariance(1.0),
    "Variance": rb.Variance(),
    "LargestVariance": rb.LargestVariance(),
    "Sharpe": rb.Sharpe(),
    "squared Sharpe": rb.Sharpe.squared(),
    "CVaR": rb.CVaR(0.2),
    "MeanCVaR": rb.MeanCVaR(1.0, 0.5, 0.2),
    "ValueAtRisk": rb.ValueAtRisk(0.2),
    "Entropic": rb.Entropic(1.0),
    "Semivariance": rb.Semivariance(0.3),
    "MeanSemideviation": rb.MeanSemideviation(0.8),
    "Expectile": rb.Expectile(0.2),
    "VarianceConstrained": rb.VarianceConstrained(0.1),
}
# Exponential moments of Student's t are infinite: `Problem` says so, whatever the policy.
CELLS = [(risk, arms) for risk in RISKS for arms in ARMS if (risk, arms) != ("Entropic", "student-t")]
PROBLEMS = {(risk, arms): rb.Problem(ARMS[arms], RISKS[risk]) for risk, arms in CELLS}

MEAN, MV, CVAR, SHARPE = ("Mean",), ("MeanVariance",), ("CVaR",), ("Sharpe", "squared Sharpe")
EVERY = tuple(RISKS)
BINARY = ("bernoulli",)
# What each policy serves: measures, and families (all, unless said).
SERVES = {
    "BCVTS": (CVAR, BOUNDED),
    "BMVTS": (EVERY, BINARY),
    "BernoulliLCB": (MV, BINARY),
    "BernoulliTS": (MEAN, BINARY),
    "CVaRTS": (EVERY, ARMS),
    "CVaRUCB": (CVAR, BOUNDED),
    "CoherentUCB": (("CVaR", "MeanSemideviation", "Expectile"), BOUNDED),
    "DSEE": (MEAN, ARMS),
    "ExpExp": (EVERY, ARMS),
    "GaussianTS": (MEAN, ARMS),
    "HorizonUCB": (MEAN, ARMS),
    "IMEDMV": (MV, ARMS),
    "IMEDMV:bernoulli": (MV, BINARY),
    "KLUCBMV": (MV, ARMS),
    "KLUCBMV:bernoulli": (MV, BINARY),
    "MCVTS": (CVAR, BINARY),
    "MTS": (EVERY, ARMS),
    "MVDSEE": (EVERY, ARMS),
    "MVLCB": (MV, ARMS),
    "MVTS": (EVERY, ARMS),
    "MaRaB": (CVAR, ARMS),
    "ModifiedGRAUCB": (("squared Sharpe",), ARMS),
    "LinearNGTS": (EVERY, ARMS),
    "NGTS": (EVERY, ARMS),
    "NPTS": (EVERY, BOUNDED),
    "NPTS:anchor_free": (EVERY, ARMS),
    "Discounted": (MV, ARMS),
    "Discounted:bernoulli": (MV, BINARY),
    "RAUCB": (("Entropic",), BOUNDED),
    "RobustUCB": (MEAN, ARMS),
    "Restarting": (MV, ARMS),
    "Restarting:bernoulli": (MV, BINARY),
    "SRTS": (SHARPE, ARMS),
    "SharpeUCB": (SHARPE, ARMS),
    "SwitchingAware": (MV, ARMS),
    "SwitchingAware:bernoulli": (MV, BINARY),
    "SwitchingAware:imed_bernoulli": (MV, BINARY),
    "UCB1": (MEAN, ARMS),
    "UCBRSSR": (("squared Sharpe",), ARMS),
    "UCBV": (MEAN, ARMS),
    "UUCB": (CVAR, BOUNDED),
    "UniformRandom": (EVERY, ARMS),
    "VTS": (EVERY, ARMS),
}


def policies():
    """Every public policy and every preset, each once."""
    for cls in naming.public_policies():
        found = [cls()]
        found += [one for one in naming.presets(cls).values() if not any(same(one, other) for other in found)]
        yield from (pytest.param(one, id=naming.label(one)) for one in found)


def serves_it(policy, problem):
    try:
        simulate.plan(problem, [policy], simulate.RunOptions(12, 1, 0, None, "plain"))
    except RefusalError:
        return False
    return True


@pytest.mark.parametrize("policy", list(policies()))
def test_it_runs_or_is_refused_in_a_sentence(policy):
    label = naming.label(policy)
    known = SERVES.get(label) or SERVES.get(type(policy).__name__)
    for (risk, arms), problem in PROBLEMS.items():
        # Of a policy that is not in the table only this is asked: that it runs or is refused in a sentence.
        serves = serves_it(policy, problem) if known is None else risk in known[0] and arms in known[1]
        if serves:
            trace = run_in_plain_python(
                simulate.plan(problem, [policy], simulate.RunOptions(12, 1, 0, None, "plain"))[0]
            )
            assert np.isfinite(metrics.exact_pseudo_regret(trace)).all(), (risk, arms)
            assert np.isfinite(metrics.regret(trace)).all(), (risk, arms)
            assert trace.pulls.sum() == 12
            continue
        with pytest.raises(RefusalError) as refused:
            simulate.plan(problem, [policy], simulate.RunOptions(12, 1, 0, None, "plain"))
        sentence = str(refused.value)
        assert re.match(r"\w+ (is defined for|needs) .*\.", sentence), sentence
        assert type(problem.risk).__name__ in sentence or type(problem.arms).__name__ in sentence


def test_variance_is_named_as_what_it_is():
    with pytest.raises(RefusalError, match=r"MeanVariance only. Got Variance instead. It is MeanVariance\(rho=0\)."):
        simulate.plan(PROBLEMS["Variance", "gaussian"], [rb.IMEDMV()], simulate.RunOptions(12, 1, 0))
