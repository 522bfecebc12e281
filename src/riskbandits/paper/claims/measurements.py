"""From outcomes to the runs that a claim compares."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from riskbandits.core.errors import UnknownNameError, unknown_name
from riskbandits.inference.rare import Rare, guard
from riskbandits.inference.ratios import Ratio, of_difference, of_means
from riskbandits.metrics import exact_pseudo_regret, regret
from riskbandits.paper.experiments import Outcomes
from riskbandits.results.sweep_result import SweepResult
from riskbandits.simulation.trace import Trace
from riskbandits.theory.locking import known_share

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
    return most_runs(outcomes, "gaussian", rho, label)


def most_runs(outcomes: Outcomes, experiment: str, rho: float, label: str) -> Trace:
    """The runs of a policy in an experiment, or in one that goes on with more runs where it stops."""
    main = trace(outcomes, experiment, rho, label)
    further = [one for name, one in outcomes.items() if name.startswith(f"{experiment}-")]
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


def rare_disasters(source: Trace, values: np.ndarray, steps: float) -> Rare | None:
    """The guard of a mean of regrets over so many steps: for policies that settle on wrong arms, and whoever seems to.

    A run can lose at most the largest gap per step. Which share of runs does, theory bounds (`theory.lock_share`) or,
    where it says nothing, the number of runs in which none did. Of other policies nothing is feared, unless one run
    carries most of the variance.
    """
    share = known_share(source.policy, source.problem)
    worst = steps * float(source.problem.gaps.max())
    return guard(values, worst, share * worst) if share > 0.0 else guard(values)


def measured(
    source: Trace, metric: Metric = exact_pseudo_regret, step: int | None = None
) -> tuple[np.ndarray, Rare | None]:
    """A metric of every run at a step, and the guard of its mean."""
    values = final(source, metric, step)
    return values, rare_disasters(source, values, source.horizon if step is None else step)


def regret_ratio(rival: Trace, own: Trace, step: int | None = None) -> Ratio:
    """How many times the regret of one policy is that of another, by the exact pseudo-regret."""
    (above, rare), (below, rare_below) = measured(rival, step=step), measured(own, step=step)
    return of_means(above, below, rare, rare_below)


def regret_difference(rival: Trace, own: Trace, step: int | None = None) -> Ratio:
    """How much more realised regret one policy has than another."""
    (first, rare), (second, rare_second) = measured(rival, regret, step), measured(own, regret, step)
    return of_difference(first, second, rare, rare_second)
