"""From outcomes to the runs that a claim compares."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from riskbandits.core.errors import UnknownNameError, unknown_name
from riskbandits.inference.ratios import Ratio, of_difference, of_means
from riskbandits.metrics import exact_pseudo_regret, regret
from riskbandits.paper import experiments
from riskbandits.paper.experiments import Outcomes
from riskbandits.results.sweep_result import SweepResult
from riskbandits.simulation.trace import Trace

Metric = Callable[[Trace], np.ndarray]


def outcome(outcomes: Outcomes, experiment: str) -> SweepResult:
    """The outcome of an experiment, if it was simulated."""
    if experiment not in outcomes:
        raise UnknownNameError(f"The experiment {experiment!r} was not simulated.")
    return outcomes[experiment]


def trace(outcomes: Outcomes, experiment: str, rho: float, label: str) -> Trace:
    """The runs of one policy at one value of rho."""
    return outcome(outcomes, experiment).at(rho).trace(label)


def gaussian(outcomes: Outcomes, rho: float, label: str) -> Trace:
    """The runs of a policy on the paper's Gaussian arms, from the experiment that has most of them."""
    main = trace(outcomes, "gaussian", rho, label)
    further = [outcomes[name] for name in experiments.CLOSE_CALLS if name in outcomes]
    more = [one.at(rho).trace(label) for one in further if rho in one.values and label in one.labels]
    return max([main, *more], key=lambda one: one.runs)


def at_step(values: np.ndarray, source: Trace, step: int | None = None) -> np.ndarray:
    """The column of a step (default: the last one) from values per run and checkpoint."""
    if step is None:
        return values[:, -1]
    if step not in source.checkpoints:
        raise unknown_name("checkpoint", step, source.checkpoints.tolist())
    return values[:, int(np.searchsorted(source.checkpoints, step))]


def final(source: Trace, metric: Metric = exact_pseudo_regret, step: int | None = None) -> np.ndarray:
    """A metric of every run at the horizon, or at a step before."""
    return at_step(metric(source), source, step)


def regret_ratio(rival: Trace, own: Trace, step: int | None = None) -> Ratio:
    """How many times the regret of one policy is that of another, by the exact pseudo-regret."""
    return of_means(final(rival, step=step), final(own, step=step))


def regret_difference(rival: Trace, own: Trace, step: int | None = None) -> Ratio:
    """How much more realised regret one policy has than another."""
    return of_difference(final(rival, regret, step), final(own, regret, step))
