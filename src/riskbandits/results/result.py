"""What `simulate` gives back: tables, pulls, a plot, and a file that holds all of it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits import arms, metrics, risk
from riskbandits.core import checks, files, parquet
from riskbandits.core.errors import unknown_name
from riskbandits.core.records import check_classes
from riskbandits.problem import Problem
from riskbandits.simulation.trace import Trace

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

FORMAT = "riskbandits-result"
WRITER = "Result.save"
VERSION = 2  # 1 had no checksums
SUM_COLUMNS = ("reward", "reward_squared", "gap", "mean", "mean_squared", "best_arm")


class Result:
    """The traces of several policies on one problem, in the order in which the policies were given."""

    def __init__(self, traces: Sequence[Trace], settings: dict[str, Any], versions: dict[str, str]) -> None:
        self.traces = list(traces)
        self.settings = settings
        self.versions = versions

    @property
    def labels(self) -> list[str]:
        """The policies' labels."""
        return [trace.label for trace in self.traces]

    @property
    def problem(self) -> Problem:
        """The problem that was simulated."""
        return self.traces[0].problem

    def trace(self, label: str) -> Trace:
        """The trace of one policy."""
        for trace in self.traces:
            if isinstance(label, str) and trace.label == label:
                return trace
        raise unknown_name("policy in this result called", label, self.labels)

    def table(self) -> pd.DataFrame:
        """One row per policy and checkpoint: each metric's mean, standard error and 5, 50, 95 % quantiles over runs."""
        return metrics.summary_table(self.traces)

    def final(self) -> pd.DataFrame:
        """One row per policy at the horizon, ranked by the mean of the exact pseudo-regret; columns as in `table`."""
        return metrics.final_table(self.traces)

    def runs(self) -> pd.DataFrame:
        """One row per policy and run: each metric at the horizon."""
        return metrics.run_table(self.traces)

    def decomposition(self) -> pd.DataFrame:
        """One row per policy: regret at the horizon, R1 (wrong arms) and R2 (switching), R = R1 + R2."""
        return metrics.decomposition_table(self.traces)

    def pulls(self, label: str) -> np.ndarray:
        """Pulls per arm at the horizon, (runs, arms)."""
        return self.trace(label).pulls

    def plot(self, metric: str = "exact_pseudo_regret", ax: Axes | None = None) -> Axes:
        """A metric over time, with 95 % bands for its mean."""
        from riskbandits.plotting import plot_over_time

        return plot_over_time(self.table(), metric, ax=ax)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write everything to one Parquet file, with the settings as JSON in its metadata.

        A file that stands there is replaced at once or not at all.
        """
        import pyarrow as pa

        path = checks.path("The file of a result", path)
        header = {
            "format": FORMAT,
            "version": VERSION,
            "settings": self.settings,
            "versions": self.versions,
            "problem": self.problem.to_data(),
            "traces": [{"label": t.label, "policy": t.policy, "method": t.method} for t in self.traces],
        }
        table = pa.concat_tables([_as_rows(trace) for trace in self.traces])
        with files.replacing(path) as temporary:
            parquet.write(table, temporary, FORMAT, header)
        return Path(path)

    def __repr__(self) -> str:
        first = self.traces[0]
        return f"<Result: {', '.join(self.labels)}; {first.runs} runs of {first.horizon} steps on {self.problem}>"


def load(path: str | os.PathLike[str], classes: Sequence[type] = ()) -> Result:
    """Read a file written by `Result.save`. Arms and risk measures of your own are passed as `classes`."""
    path = checks.path("The file of a result", path)
    own = check_classes(classes)
    header, table = parquet.read(path, FORMAT, VERSION, WRITER)
    known = (*(getattr(arms, name) for name in arms.__all__), *(getattr(risk, name) for name in risk.__all__), *own)
    with parquet.understanding(path, WRITER):
        problem = Problem.from_data(header["problem"], known)
        traces = []
        for about in header["traces"]:
            rows = table.filter([label == about["label"] for label in table["policy"].to_pylist()])
            traces.append(_as_trace(rows, about, problem))
        return Result(traces, header["settings"], header["versions"])


def _as_rows(trace: Trace) -> Any:
    """A row per run and checkpoint; pulls and reward sums per arm stand in each run's last row."""
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


def _as_trace(rows: Any, about: dict[str, Any], problem: Problem) -> Trace:
    runs = int(rows["run"].to_numpy().max()) + 1
    steps = len(rows) // runs
    sums = np.column_stack([rows[name].to_numpy() for name in SUM_COLUMNS]).reshape(runs, steps, len(SUM_COLUMNS))
    return Trace(
        label=about["label"],
        policy=about["policy"],
        problem=problem,
        method=about["method"],
        checkpoints=rows["step"].to_numpy()[:steps].astype(np.int64),
        sums=sums,
        pulls=np.array([row for row in rows["pulls"].to_pylist() if row is not None], dtype=np.int64),
        reward_sums=np.array([row for row in rows["reward_sums"].to_pylist() if row is not None], dtype=float),
    )
