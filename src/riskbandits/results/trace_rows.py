"""Traces as rows of a table and back: what files of results hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from riskbandits.core.errors import RiskBanditsError
from riskbandits.core.records import rebuilt
from riskbandits.policies.support.contract import returns_to_all
from riskbandits.policies.support.naming import public_policies
from riskbandits.problem import Problem
from riskbandits.simulation.trace import Trace

SUM_COLUMNS = ("reward", "reward_squared", "gap", "mean", "mean_squared", "best_arm")


def about(traces: Sequence[Trace]) -> list[dict[str, Any]]:
    """What the rows do not say of their traces, for a file's header."""
    return [_about(trace) for trace in traces]


def _about(trace: Trace) -> dict[str, Any]:
    found: dict[str, Any] = {"label": trace.label, "policy": trace.policy, "method": trace.method}
    if trace.returns_to_all and not _says_itself(trace.policy, trace.problem):
        found["returns_to_all"] = True  # the class that says so need not be there when the file is read
    return found


def as_rows(traces: Sequence[Trace]) -> Any:
    """A row per policy, run and checkpoint; pulls and reward sums per arm stand in each run's last row."""
    import pyarrow as pa

    return pa.concat_tables([_rows(trace) for trace in traces])


def as_traces(table: Any, entries: Sequence[dict[str, Any]], problem: Problem) -> list[Trace]:
    """The traces in a table, with what its header says about them."""
    labels = table["policy"].to_pylist()
    return [_trace(table.filter([label == one["label"] for label in labels]), one, problem) for one in entries]


def _rows(trace: Trace) -> Any:
    import pyarrow as pa

    runs, steps = trace.sums.shape[:2]
    last = np.tile(np.arange(steps) == steps - 1, runs)
    columns: dict[str, Any] = {
        "policy": pa.array([trace.label] * (runs * steps)).dictionary_encode(),
        "run": np.repeat(np.arange(runs), steps),
        "step": np.tile(trace.checkpoints, runs),
    }
    for column, name in enumerate(SUM_COLUMNS):
        columns[name] = trace.sums[:, :, column].ravel()
    for name, values in (("pulls", trace.pulls), ("reward_sums", trace.reward_sums)):
        entries = iter(values.tolist())
        columns[name] = pa.array([next(entries) if is_last else None for is_last in last])
    return pa.table(columns)


def _trace(rows: Any, entry: dict[str, Any], problem: Problem) -> Trace:
    runs = int(rows["run"].to_numpy().max()) + 1
    steps = len(rows) // runs
    sums = np.column_stack([rows[name].to_numpy() for name in SUM_COLUMNS]).reshape(runs, steps, len(SUM_COLUMNS))
    return Trace(
        label=entry["label"],
        policy=entry["policy"],
        problem=problem,
        method=entry["method"],
        checkpoints=rows["step"].to_numpy()[:steps].astype(np.int64),
        sums=sums,
        pulls=np.array([row for row in rows["pulls"].to_pylist() if row is not None], dtype=np.int64),
        reward_sums=np.array([row for row in rows["reward_sums"].to_pylist() if row is not None], dtype=float),
        returns_to_all=bool(entry.get("returns_to_all")) or _says_itself(entry["policy"], problem),
    )


def _says_itself(policy: dict[str, Any], problem: Problem) -> bool:
    """Whether a policy, as plain data, is one of the package that returns to every arm."""
    try:
        return returns_to_all(rebuilt(policy, public_policies(), "policy"), problem.risk, problem.arms)
    except RiskBanditsError:
        return False  # somebody's own
