"""Multi-armed bandits that mind the risk.

import riskbandits as rb

problem = rb.Problem(rb.GaussianArms(means=[0.1, 0.7], variances=[0.05, 0.5]), rb.MeanVariance(rho=1.0))
result = rb.simulate(problem, [rb.MVTS(), rb.MVLCB()], horizon=1000, runs=100)
print(result.table())
"""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers understand it: importing `typing` takes longer than all of this file
if TYPE_CHECKING:
    from typing import Any

    from riskbandits import identification, problems, suites, theory
    from riskbandits.api.compare import compare
    from riskbandits.api.identify import identify
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
    from riskbandits.core.errors import RiskBanditsError
    from riskbandits.core.version import __version__
    from riskbandits.identification import MeanVarianceElimination, QuantileElimination, SuccessiveRejects
    from riskbandits.learner import Learner
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
    from riskbandits.results.result import Result, load
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

# Everything is imported when it is asked for: a process starts sooner, and the command line can end with a word when it
# is interrupted while it starts. Names that are not listed here are looked for in `_ROOMS`.
_ON_DEMAND = {
    "SuccessiveRejects": "riskbandits.identification",
    "QuantileElimination": "riskbandits.identification",
    "MeanVarianceElimination": "riskbandits.identification",
    "identify": "riskbandits.api.identify",
    "Comparison": "riskbandits.results.comparison",
    "Learner": "riskbandits.learner",
    "Problem": "riskbandits.problem",
    "Result": "riskbandits.results.result",
    "RiskBanditsError": "riskbandits.core.errors",
    "Suite": "riskbandits.suites",
    "SweepResult": "riskbandits.results.sweep_result",
    "__version__": "riskbandits.core.version",
    "compare": "riskbandits.api.compare",
    "load": "riskbandits.results.result",
    "simulate": "riskbandits.api.simulate",
    "sweep": "riskbandits.api.sweep",
}
_ROOMS = ("riskbandits.arms", "riskbandits.policies", "riskbandits.risk")


def __getattr__(name: str) -> Any:
    from importlib import import_module
    from importlib.util import find_spec

    if name in __all__:
        rooms = (_ON_DEMAND[name],) if name in _ON_DEMAND else _ROOMS
        for room in rooms:
            if hasattr(import_module(room), name):
                return globals().setdefault(name, getattr(import_module(room), name))
    if not name.startswith("_") and find_spec(f"riskbandits.{name}") is not None:
        return import_module(f"riskbandits.{name}")
    raise AttributeError(f"module 'riskbandits' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
