"""Multi-armed bandits that mind the risk.

import riskbandits as rb

problem = rb.Problem(rb.GaussianArms(means=[0.1, 0.7], variances=[0.05, 0.5]), rb.MeanVariance(rho=1.0))
result = rb.simulate(problem, [rb.MVTS(), rb.MVLCB()], horizon=1000, runs=100)
print(result.table())
"""

from __future__ import annotations

from riskbandits.core import moved

TYPE_CHECKING = False  # as type checkers understand it: importing `typing` takes longer than all of this file
if TYPE_CHECKING:
    from typing import Any

    from riskbandits import identification, inference, metrics, problems, suites, testing, theory
    from riskbandits.api.compare import compare
    from riskbandits.api.identify import identify
    from riskbandits.api.load import load
    from riskbandits.api.simulate import simulate
    from riskbandits.api.sweep import sweep
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
    from riskbandits.core import errors
    from riskbandits.core.errors import RiskBanditsError
    from riskbandits.core.version import __version__
    from riskbandits.identification import MeanVarianceElimination, QuantileElimination, SuccessiveRejects
    from riskbandits.learner import Learner
    from riskbandits.metrics import Metric
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
    from riskbandits.results.comparison import Comparison
    from riskbandits.results.identification import Identification
    from riskbandits.results.result import Result
    from riskbandits.results.sweep_result import SweepResult
    from riskbandits.risk import CVaR, Entropic, Mean, MeanVariance, Semivariance, Sharpe, ValueAtRisk, Variance
    from riskbandits.suites import Suite

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
    "Identification",
    "Learner",
    "LognormalArms",
    "MaRaB",
    "Mean",
    "MeanVariance",
    "MeanVarianceElimination",
    "Metric",
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
    "errors",
    "identification",
    "identify",
    "inference",
    "load",
    "metrics",
    "problems",
    "simulate",
    "suites",
    "sweep",
    "testing",
    "theory",
]

# Everything is imported when it is asked for: a process starts sooner, and the command line can end with a word when it
# is interrupted while it starts. Names that are not listed here are looked for in `_ROOMS`.
_PLACES = {
    "Comparison": "riskbandits.results.comparison",
    "Identification": "riskbandits.results.identification",
    "Learner": "riskbandits.learner",
    "MeanVarianceElimination": "riskbandits.identification",
    "Metric": "riskbandits.metrics",
    "Problem": "riskbandits.problem",
    "QuantileElimination": "riskbandits.identification",
    "Result": "riskbandits.results.result",
    "RiskBanditsError": "riskbandits.core.errors",
    "SuccessiveRejects": "riskbandits.identification",
    "Suite": "riskbandits.suites",
    "SweepResult": "riskbandits.results.sweep_result",
    "__version__": "riskbandits.core.version",
    "compare": "riskbandits.api.compare",
    "identify": "riskbandits.api.identify",
    "load": "riskbandits.api.load",
    "simulate": "riskbandits.api.simulate",
    "sweep": "riskbandits.api.sweep",
}
_ROOMS = ("riskbandits.arms", "riskbandits.policies", "riskbandits.risk")
_MODULES = (
    "arms",
    "errors",
    "identification",
    "inference",
    "metrics",
    "plotting",
    "policies",
    "problems",
    "risk",
    "suites",
    "testing",
    "theory",
    "types",
)

moved.install()


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _MODULES or f"riskbandits.{name}" in moved.MODULES:
        return import_module(f"riskbandits.{name}")
    if name in __all__:
        for room in (_PLACES[name],) if name in _PLACES else _ROOMS:
            if hasattr(import_module(room), name):
                return globals().setdefault(name, getattr(import_module(room), name))
    raise AttributeError(f"module 'riskbandits' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_MODULES, *(name for name in globals() if name.startswith("__"))})
