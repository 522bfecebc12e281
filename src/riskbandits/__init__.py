"""Multi-armed bandits that mind the risk.

import riskbandits as rb

problem = rb.Problem(rb.GaussianArms(means=[0.1, 0.7], variances=[0.05, 0.5]), rb.MeanVariance(rho=1.0))
result = rb.simulate(problem, [rb.MVTS(), rb.MVLCB()], horizon=1000, runs=100)
print(result.table())
"""

from typing import TYPE_CHECKING, Any

from riskbandits import problems
from riskbandits.arms import BernoulliArms, GaussianArms
from riskbandits.errors import RiskBanditsError
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
    SwitchingAware,
    UniformRandom,
)
from riskbandits.problem import Problem
from riskbandits.result import Result, load
from riskbandits.risk import MeanVariance
from riskbandits.study import simulate
from riskbandits.version import __version__

if TYPE_CHECKING:
    from riskbandits import theory
    from riskbandits.learner import Learner
    from riskbandits.sweep_result import SweepResult
    from riskbandits.sweeps import sweep

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
    "SwitchingAware",
    "UniformRandom",
    "__version__",
    "load",
    "problems",
    "simulate",
    "sweep",
    "theory",
]

# Rooms that a plain simulation does not need are imported when they are asked for: a process starts sooner.
_ON_DEMAND = {
    "Learner": "riskbandits.learner",
    "SweepResult": "riskbandits.sweep_result",
    "sweep": "riskbandits.sweeps",
    "theory": "riskbandits.theory",
}


def __getattr__(name: str) -> Any:
    if name not in _ON_DEMAND:
        raise AttributeError(f"module 'riskbandits' has no attribute {name!r}")
    from importlib import import_module

    module = import_module(_ON_DEMAND[name])
    return module if name == "theory" else getattr(module, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
