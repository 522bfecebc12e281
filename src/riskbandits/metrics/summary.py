"""Tables over runs: mean, standard error and quantiles of each metric."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.core.errors import ParameterError
from riskbandits.inference.intervals import standard_error
from riskbandits.metrics import regrets
from riskbandits.metrics.locking import settled
from riskbandits.metrics.metric import chosen, main_metric
from riskbandits.simulation.trace import Trace, check_traces

if TYPE_CHECKING:
    import pandas as pd

QUANTILES = {"q05": 0.05, "q50": 0.5, "q95": 0.95}


def summarise(name: str, values: np.ndarray) -> dict[str, np.ndarray]:
    """Columns `name_mean`, `name_se` and quantiles of values (runs, ...) over runs.

    The standard error of a single run is unknown, and is NaN.
    """
    columns = {f"{name}_mean": values.mean(axis=0), f"{name}_se": standard_error(values)}
    quantiles = np.quantile(values, list(QUANTILES.values()), axis=0)
    return columns | {f"{name}_{q}": row for q, row in zip(QUANTILES, quantiles, strict=True)}


def summary_table(traces: Sequence[Trace], metrics: Iterable[Any] | None = None) -> pd.DataFrame:
    """One row per policy and checkpoint; all metrics, or those that are given by name or as a `Metric`."""
    import pandas as pd

    found = check_traces(traces)
    parts, measured = [], chosen(metrics, found[0].problem)
    for trace in found:
        columns: dict[str, object] = {"policy": trace.label, "step": trace.checkpoints, "runs": trace.runs}
        for metric in measured:
            columns |= summarise(metric.name, metric.of(trace))
        parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True)


def final_table(traces: Sequence[Trace]) -> pd.DataFrame:
    """One row per policy at the horizon, the smallest exact pseudo-regret (or dynamic regret) first, with its rank."""
    table, metric = summary_table(traces), main_metric(check_traces(traces)[0].problem)
    last = table[table["step"] == table["step"].max()].sort_values(f"{metric}_mean", kind="stable")
    last.insert(0, "rank", range(1, len(last) + 1))
    return last.reset_index(drop=True)


def run_table(traces: Sequence[Trace], metrics: Iterable[Any] | None = None) -> pd.DataFrame:
    """One row per policy and run: the metrics at the horizon."""
    import pandas as pd

    found = check_traces(traces)
    parts, measured = [], chosen(metrics, found[0].problem)
    for trace in found:
        columns: dict[str, object] = {"policy": trace.label, "run": np.arange(trace.runs), "step": trace.horizon}
        columns |= {metric.name: metric.of(trace)[:, -1] for metric in measured}
        parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True)


def marked_runs(traces: Sequence[Trace]) -> pd.DataFrame:
    """As `run_table`, with a column `settled`: whether the run settled on a wrong arm, if checkpoints allow."""
    marks = []
    for trace in traces:
        try:
            marks.append(settled(trace))
        except ParameterError:  # half the horizon is no checkpoint
            marks.append(np.zeros(trace.runs, dtype=bool))
    return run_table(traces).assign(settled=np.concatenate(marks))


def runs_over_time(traces: Sequence[Trace]) -> pd.DataFrame:
    """One row per policy, run and checkpoint: the exact pseudo-regret."""
    import pandas as pd

    parts = []
    for trace in check_traces(traces):
        values = regrets.exact_pseudo_regret(trace)
        steps = np.tile(trace.checkpoints, trace.runs)
        parts.append(pd.DataFrame({"policy": trace.label, "step": steps, "exact_pseudo_regret": values.ravel()}))
    return pd.concat(parts, ignore_index=True)


def decomposition_table(traces: Sequence[Trace]) -> pd.DataFrame:
    """One row per policy: regret at the horizon and its parts R1 (wrong arms) and R2 (switching)."""
    import pandas as pd

    rows = []
    for trace in check_traces(traces):
        r1, r2 = regrets.decomposition(trace)
        row: dict[str, object] = {"policy": trace.label, "step": trace.horizon, "runs": trace.runs}
        for name, values in (("regret", r1 + r2), ("r1", r1), ("r2", r2)):
            row |= summarise(name, values)
        rows.append(row)
    return pd.DataFrame(rows)
