"""Multi-armed bandits that mind the risk.

import riskbandits as rb

problem = rb.Problem(rb.GaussianArms(means=[0.1, 0.7], variances=[0.05, 0.5]), rb.MeanVariance(rho=1.0))
result = rb.simulate(problem, [rb.MVTS(), rb.MVLCB()], horizon=1000, runs=100)
print(result.table())
"""

from riskbandits import problems, theory
from riskbandits.arms import BernoulliArms, GaussianArms
from riskbandits.errors import RiskBanditsError
from riskbandits.learner import Learner
from riskbandits.policies import (
    BMVTS,
    IMEDMV,
    KLUCBMV,
    MTS,
    MVDSEE,
    MVLCB,
    MVTS,
    NGTS,
    VTS,
    BernoulliLCB,
    ExpExp,
    UniformRandom,
)
from riskbandits.problem import Problem
from riskbandits.result import Result, load
from riskbandits.risk import MeanVariance
from riskbandits.study import simulate
from riskbandits.sweep_result import SweepResult
from riskbandits.sweeps import sweep
from riskbandits.version import __version__

__all__ = [
    "BMVTS",
    "IMEDMV",
    "KLUCBMV",
    "MTS",
    "MVDSEE",
    "MVLCB",
    "MVTS",
    "NGTS",
    "VTS",
    "BernoulliArms",
    "BernoulliLCB",
    "ExpExp",
    "GaussianArms",
    "Learner",
    "MeanVariance",
    "Problem",
    "Result",
    "RiskBanditsError",
    "SweepResult",
    "UniformRandom",
    "__version__",
    "load",
    "problems",
    "simulate",
    "sweep",
    "theory",
]
