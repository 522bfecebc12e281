"""What is simulated, as data, and how several experiments are run as one piece of work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from riskbandits.api import sweep
from riskbandits.api.execution import resolve
from riskbandits.problem import Problem
from riskbandits.results.sweep_result import SweepResult

Outcomes = Mapping[str, SweepResult]


class Experiment(NamedTuple):
    """Policies on a family of problems, one per value of rho. Figures and claims are views of its outcome.

    With another measure `rhos` are the values of its parameter, by whose name the outcome calls them.
    """

    title: str
    problem_for_rho: Callable[[Any], Problem]
    rhos: tuple[float, ...]
    policies: tuple[Any, ...]
    horizon: int = 30_000
    runs: int = 500
    checkpoints: tuple[int, ...] | None = None  # those of `simulate`: the paper's are among them

    def smaller(self, share: float, horizon: int | None = None) -> Experiment:
        """The same with that share of the runs (at least 2), and no step after `horizon`."""
        last = self.horizon if horizon is None else min(self.horizon, horizon)
        kept = None if self.checkpoints is None else tuple(step for step in self.checkpoints if step <= last)
        return self._replace(runs=max(2, round(self.runs * share)), horizon=last, checkpoints=kept)


def run(
    experiments: Mapping[str, Experiment],
    seed: int = 0,
    title: str = "Simulating",
    **how: Any,
) -> dict[str, SweepResult]:
    """Simulate experiments as one job with one progress bar; `how` it is done, `execution.resolve` says.

    >>> from riskbandits.paper.zhu_tan import EXPERIMENTS
    >>> small = EXPERIMENTS["bernoulli"]._replace(rhos=(0.5,), horizon=50, runs=2)
    >>> run({"bernoulli": small}, progress=False)["bernoulli"].values
    [0.5]
    """
    if not experiments:  # nothing to do: no store is opened
        return {}
    execution = resolve(**how)
    planned = {name: _plan(experiment, seed, execution.method) for name, experiment in experiments.items()}
    traces = iter(execution.run([job for one in planned.values() for job in one.jobs], title))
    return {name: sweep.gathered(one, traces) for name, one in planned.items()}


def _plan(experiment: Experiment, seed: int, method: Any) -> sweep.Plan:
    return sweep.plan(
        experiment.problem_for_rho,
        experiment.rhos,
        experiment.policies,
        experiment.horizon,
        experiment.runs,
        seed,
        experiment.checkpoints,
        method,
    )
