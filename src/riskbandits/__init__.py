"""Multi-armed bandits that mind the risk.

import riskbandits as rb

problem = rb.Problem(rb.GaussianArms(means=[0.1, 0.7], variances=[0.05, 0.5]), rb.MeanVariance(rho=1.0))
result = rb.simulate(problem, [rb.MVTS(), rb.MVLCB()], horizon=1000, runs=100)
print(result.table())
"""

from typing import TYPE_CHECKING, Any

from riskbandits import problems
from riskbandits.arms import (
    BernoulliArms,
    BetaArms,
    DataArms,
    ExponentialArms,
    GaussianArms,
    GaussianMixtureArms,
    LognormalArms,
    PoissonArms,
    StudentTArms,
    TruncatedGaussianArms,
    TruncatedGaussianMixtureArms,
    UniformArms,
)
from riskbandits.errors import RiskBanditsError
from riskbandits.policies import (
    BCVTS,
    BMVTS,
    DSEE,
    IMEDMV,
    KLUCBMV,
    MCVTS,
    MTS,
    MVDSEE,
    MVLCB,
    MVTS,
    NGTS,
    NPTS,
    RAUCB,
    SRTS,
    UCB1,
    UCBRSSR,
    UCBV,
    UUCB,
    VTS,
    BernoulliLCB,
    BernoulliTS,
    CVaRTS,
    CVaRUCB,
    ExpExp,
    GaussianTS,
    MaRaB,
    RobustUCB,
    SwitchingAware,
    UniformRandom,
)
from riskbandits.problem import Problem
from riskbandits.result import Result, load
from riskbandits.risk import CVaR, Entropic, Mean, MeanVariance, Semivariance, Sharpe, ValueAtRisk, Variance
from riskbandits.study import simulate
from riskbandits.version import __version__

if TYPE_CHECKING:
    from riskbandits import identification, suites, theory
    from riskbandits.comparison import Comparison
    from riskbandits.comparisons import compare
    from riskbandits.identification import MeanVarianceElimination, QuantileElimination, SuccessiveRejects, identify
    from riskbandits.learner import Learner
    from riskbandits.suites import Suite
    from riskbandits.sweep_result import SweepResult
    from riskbandits.sweeps import sweep

__all__ = [
    "BCVTS",
    "BMVTS",
    "DSEE",
    "IMEDMV",
    "KLUCBMV",
    "MCVTS",
    "MTS",
    "MVDSEE",
    "MVLCB",
    "MVTS",
    "NGTS",
    "NPTS",
    "RAUCB",
    "SRTS",
    "UCB1",
    "UCBRSSR",
    "UCBV",
    "UUCB",
    "VTS",
    "BernoulliArms",
    "BernoulliLCB",
    "BernoulliTS",
    "BetaArms",
    "CVaR",
    "CVaRTS",
    "CVaRUCB",
    "Comparison",
    "DataArms",
    "Entropic",
    "ExpExp",
    "ExponentialArms",
    "GaussianArms",
    "GaussianMixtureArms",
    "GaussianTS",
    "Learner",
    "LognormalArms",
    "MaRaB",
    "Mean",
    "MeanVariance",
    "MeanVarianceElimination",
    "PoissonArms",
    "Problem",
    "QuantileElimination",
    "Result",
    "RiskBanditsError",
    "RobustUCB",
    "Semivariance",
    "Sharpe",
    "StudentTArms",
    "SuccessiveRejects",
    "Suite",
    "SweepResult",
    "SwitchingAware",
    "TruncatedGaussianArms",
    "TruncatedGaussianMixtureArms",
    "UniformArms",
    "UniformRandom",
    "ValueAtRisk",
    "Variance",
    "__version__",
    "compare",
    "identification",
    "identify",
    "load",
    "problems",
    "simulate",
    "suites",
    "sweep",
    "theory",
]

# Rooms that a plain simulation does not need are imported when they are asked for: a process starts sooner.
_ON_DEMAND = {
    "SuccessiveRejects": "riskbandits.identification",
    "QuantileElimination": "riskbandits.identification",
    "MeanVarianceElimination": "riskbandits.identification",
    "identify": "riskbandits.identification",
    "identification": "riskbandits.identification",
    "Comparison": "riskbandits.comparison",
    "Learner": "riskbandits.learner",
    "Suite": "riskbandits.suites",
    "SweepResult": "riskbandits.sweep_result",
    "compare": "riskbandits.comparisons",
    "suites": "riskbandits.suites",
    "sweep": "riskbandits.sweeps",
    "theory": "riskbandits.theory",
}


def __getattr__(name: str) -> Any:
    if name not in _ON_DEMAND:
        raise AttributeError(f"module 'riskbandits' has no attribute {name!r}")
    from importlib import import_module

    module = import_module(_ON_DEMAND[name])
    return module if name in ("identification", "suites", "theory") else getattr(module, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
