"""Metrics as records, built-in and user-defined."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from riskbandits.core.checks import listed
from riskbandits.core.errors import ContractError, must_be, unknown_name
from riskbandits.core.user_calls import guarded
from riskbandits.metrics import regrets
from riskbandits.problem import Problem
from riskbandits.simulation.trace import Trace


class Metric(NamedTuple):
    """A quantity measured for every run at every checkpoint.

    `function(trace)` returns an array (runs, checkpoints). `name` is the prefix of its columns, `label` the axis label
    of a plot, which is logarithmic for quantities that span orders of magnitude.

    >>> import riskbandits as rb
    >>> switching = rb.Metric("switching", "cost of switching", rb.metrics.switching_cost)
    >>> result = rb.simulate(rb.problems.zhu_tan_gaussian(1), [rb.MVTS()], horizon=50, runs=3, progress=False)
    >>> result.table(metrics=[switching]).columns[3:5].tolist()
    ['switching_mean', 'switching_se']
    """

    name: str
    label: str
    function: Callable[[Trace], np.ndarray]
    logarithmic: bool = True

    def of(self, trace: Trace) -> np.ndarray:
        """The metric of every run at every checkpoint, checked."""
        found = np.asarray(guarded(f"The metric {self.name}", self.function, trace))
        wanted = trace.sums.shape[:2]
        if found.shape != wanted or found.dtype.kind not in "iufb":
            kind = f"an array of numbers of shape {wanted}, one per run and checkpoint"
            raise ContractError(f"The metric {self.name} must return {kind}. Got shape {found.shape} instead.")
        return found.astype(float)


METRICS = {
    one.name: one
    for one in (
        Metric("regret", "regret", regrets.regret),
        Metric("pseudo_regret", "pseudo-regret (as printed)", regrets.pseudo_regret),
        Metric("exact_pseudo_regret", "pseudo-regret", regrets.exact_pseudo_regret),
        Metric("dynamic_regret", "dynamic regret", regrets.dynamic_regret),
        Metric("contextual_regret", "contextual regret", regrets.contextual_regret),
        Metric("best_arm_share", "share of best-arm pulls", regrets.best_arm_share, logarithmic=False),
    )
}

# What tables hold: for arms that stay what they are, for those that change over time, and for those with features.
USUAL = ("regret", "pseudo_regret", "exact_pseudo_regret", "best_arm_share")
DRIFTING = ("dynamic_regret", "best_arm_share")
CONTEXTUAL = ("contextual_regret", "best_arm_share")


def main_metric(problem: Problem) -> str:
    """The metric by which policies are ranked and plotted."""
    if problem.has_features:
        return "contextual_regret"
    return "dynamic_regret" if problem.drifts else "exact_pseudo_regret"


def find(metric: Any) -> Metric:
    """A metric by its name, or a user-defined one, checked."""
    if isinstance(metric, Metric):
        if not isinstance(metric.name, str) or not metric.name.isidentifier() or not callable(metric.function):
            raise must_be("A metric", "a Metric(name, label, function) whose name is one word", metric)
        return metric
    if not isinstance(metric, str) or metric not in METRICS:
        raise unknown_name("metric", metric, METRICS)
    return METRICS[metric]


def check_shown(asked: object, kinds: Sequence[str]) -> None:
    """Raise if what is to be plotted is neither a kind of figure nor a metric."""
    if not isinstance(asked, Metric) and not (isinstance(asked, str) and (asked in kinds or asked in METRICS)):
        raise unknown_name("metric or kind of figure", asked, (*kinds, *METRICS))


def chosen(metrics: Iterable[Any] | None, problem: Problem) -> list[Metric]:
    """The metrics of a table about a problem: the usual ones for None."""
    if metrics is None:
        usual = CONTEXTUAL if problem.has_features else DRIFTING if problem.drifts else USUAL
        return [METRICS[name] for name in usual]
    if isinstance(metrics, (str, Metric)):
        return [find(metrics)]
    found = [find(one) for one in listed("The metrics", "a list of metrics", metrics)]
    if not found or len({one.name for one in found}) < len(found):
        raise must_be("The metrics", "at least one, of different names", [one.name for one in found])
    return found
