"""Outcomes made by hand: traces whose regrets are what a test wants them to be, without any simulation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from riskbandits.core.records import canonical
from riskbandits.paper.claims.decisions import STUDIED
from riskbandits.paper.experiments import Experiment
from riskbandits.policies.support import naming
from riskbandits.results.result import Result
from riskbandits.results.sweep_result import SweepResult
from riskbandits.simulation.checkpoints import check_checkpoints
from riskbandits.simulation.kernel import BEST_ARM, GAP, REWARD_SQUARED, SUMS
from riskbandits.simulation.trace import Trace

# (rho, label) -> mean regret at the horizon; a curve may be given with `curve`.
Level = Callable[[float, str], float]


def trace(problem: Any, label: str, checkpoints: np.ndarray, values: np.ndarray, policy: Any = None) -> Trace:
    """A trace whose regret, pseudo-regret and exact pseudo-regret are all `values` (runs, checkpoints).

    Without a policy it is nobody's, of whom theory knows nothing.
    """
    sums = np.zeros((*values.shape, SUMS))
    sums[:, :, GAP] = values
    sums[:, :, REWARD_SQUARED] = checkpoints * problem.variances[problem.best_arm] + values
    sums[:, :, BEST_ARM] = checkpoints
    pulls = np.zeros((len(values), problem.size), dtype=np.int64)
    known = {} if policy is None else canonical(policy)
    return Trace(label, known, problem, "made by hand", checkpoints, sums, pulls, pulls.astype(float))


def outcome(
    experiment: Experiment, level: Level, noise: float = 0.1, runs: int = 50, curve: Callable[[Any], Any] = np.log
) -> SweepResult:
    """An experiment's outcome with these mean regrets, relative noise from run to run, and growth like `curve`."""
    rng = np.random.default_rng(1)
    steps = check_checkpoints(experiment.checkpoints, experiment.horizon)
    shape = curve(steps) / curve(experiment.horizon)
    results = []
    for rho in experiment.rhos:
        problem = experiment.problem_for_rho(rho)
        traces = []
        for label in naming.labels(list(experiment.policies)):
            draws = 1.0 + noise * rng.standard_normal((runs, 1))
            # The mean over runs is exactly what was asked for, so that a test does not hang on luck.
            values = level(rho, label) * (draws + 1.0 - draws.mean()) * shape
            traces.append(trace(problem, label, steps, values))
        results.append(Result(traces, {}, {}))
    return SweepResult("rho", experiment.rhos, results)


def outcomes(level: Level, *wanted: str, **options: Any) -> dict[str, SweepResult]:
    """Outcomes of several experiments."""
    return {name: outcome(STUDIED[name], level, **options) for name in wanted}


def swapped(result: SweepResult, labels: Mapping[str, str]) -> SweepResult:
    """The same traces under other labels."""
    results = []
    for one in result.results:
        renamed = [trace._replace(label=labels.get(trace.label, trace.label)) for trace in one.traces]
        results.append(Result(renamed, {}, {}))
    return SweepResult("rho", result.values, results)
