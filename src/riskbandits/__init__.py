"""Risk-aware multi-armed bandits.

import riskbandits as rb

problem = rb.Problem(rb.GaussianArms(means=[0.1, 0.7], variances=[0.05, 0.5]), rb.MeanVariance(rho=1.0))
result = rb.simulate(problem, [rb.SwitchingAware(), rb.MVTS()], horizon=1000, runs=100)
print(result)
"""

# Everything is imported lazily: a process starts sooner, and the command line can exit cleanly when it is interrupted
# during startup. Policies, risk measures and arms are looked up in their packages. Type checkers read __init__.pyi
# instead of this file.

_PACKAGES = ("arms", "policies", "risk")
_MODULES = (
    *_PACKAGES,
    "data",
    "errors",
    "identification",
    "inference",
    "metrics",
    "plotting",
    "problems",
    "suites",
    "testing",
    "theory",
    "types",
)
_PLACES = {
    "Client": "client",
    "Comparison": "results.comparison",
    "Delay": "simulation.delay",
    "Evaluation": "api.evaluate",
    "Frontier": "api.frontier",
    "GroupFeatures": "arms.features",
    "Guarded": "learner",
    "Identification": "results.identification",
    "Learner": "learner",
    "MeanVarianceElimination": "identification",
    "MeanVarianceLUCB": "identification",
    "Metric": "metrics",
    "MomentRejects": "identification",
    "NormalFeatures": "arms.features",
    "Problem": "problem",
    "QuantileElimination": "identification",
    "RecordedFeatures": "arms.features",
    "Replay": "api.replay",
    "Result": "results.result",
    "RiskBanditsError": "core.errors",
    "SequentialHalving": "identification",
    "SuccessiveRejects": "identification",
    "Suite": "suites",
    "SweepResult": "results.sweep_result",
    "TruncatedElimination": "identification",
    "TruncatedRejects": "identification",
    "UniformFeatures": "arms.features",
    "VALUCB": "identification",
    "__version__": "core.version",
    "compare": "api.compare",
    "evaluate": "api.evaluate",
    "frontier": "api.frontier",
    "identify": "api.identify",
    "load": "api.load",
    "replay": "api.replay",
    "simulate": "api.simulate",
    "sweep": "api.sweep",
}


def __getattr__(name):  # type: ignore[no-untyped-def]
    from importlib import import_module

    if name == "__all__":  # of `from riskbandits import *`
        return __dir__()
    if name in _MODULES:
        return import_module(f"riskbandits.{name}")
    if name in _PLACES:
        return globals().setdefault(name, getattr(import_module(f"riskbandits.{_PLACES[name]}"), name))
    for package in () if name.startswith("_") else _PACKAGES:
        module = import_module(f"riskbandits.{package}")
        if name in module.__dict__["__all__"]:
            return globals().setdefault(name, getattr(module, name))
    raise AttributeError(f"module 'riskbandits' has no attribute {name!r}")


def __dir__():  # type: ignore[no-untyped-def]
    from importlib import import_module

    own = (name for package in _PACKAGES for name in import_module(f"riskbandits.{package}").__all__)
    return sorted({*own, *_PLACES, *_MODULES})
