"""What `simulate` returns: tables, pulls, a plot, and a file that holds all of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from riskbandits import arms, metrics, risk
from riskbandits.arms.features import FEATURE_DISTRIBUTIONS
from riskbandits.core import checks, files, parquet
from riskbandits.core.display import Grid, counted
from riskbandits.core.errors import must_be, unknown_name
from riskbandits.core.records import check_classes, classes_in
from riskbandits.metrics.metric import Metric, check_shown
from riskbandits.metrics.summary import decomposition_table, final_table, run_table, summary_table
from riskbandits.problem import Problem
from riskbandits.results import trace_rows
from riskbandits.simulation.trace import Trace

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

FORMAT = "riskbandits-result"
WRITER = "Result.save"
VERSION = 2
SUFFIXES = (".parquet", ".csv")
KINDS = ("runs", "fan", "pulls")  # of figures that show no metric over time


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

    def table(self, *, metrics: Iterable[Any] | None = None) -> pd.DataFrame:
        """One row per policy and checkpoint: each metric's mean, standard error and 5, 50, 95 % quantiles over runs.

        `metrics` are names or `Metric` records of your own; by default all built-in ones.
        """
        return summary_table(self.traces, metrics)

    def final(self) -> pd.DataFrame:
        """One row per policy at the horizon, ranked by the mean of the exact pseudo-regret; columns as in `table`.

        For arms that change over time it is the dynamic regret, here and in `plot`.
        """
        return final_table(self.traces)

    def runs(self, *, metrics: Iterable[Any] | None = None) -> pd.DataFrame:
        """One row per policy and run: each metric at the horizon."""
        return run_table(self.traces, metrics)

    def decomposition(self) -> pd.DataFrame:
        """One row per policy: regret at the horizon, R1 (wrong arms) and R2 (switching), R = R1 + R2."""
        return decomposition_table(self.traces)

    def pulls(self, label: str) -> Any:
        """Pulls per arm at the horizon, (runs, arms): an array, or a table with the arms' names if they have any."""
        found = self.trace(label).pulls
        if not getattr(self.problem.arms, "names", ""):
            return found
        import pandas as pd

        return pd.DataFrame(found, columns=self.problem.names)

    def arms(self) -> pd.DataFrame:
        """One row per arm: its name, mean, variance, value, gap, whether it is a best one, and its share of pulls."""
        return metrics.arm_table(self.traces)

    def ranking(self) -> Grid:
        """What `print` and a notebook show: the policies at the horizon, the smallest regret first."""
        return metrics.ranking(self.traces)

    def to_latex(self, caption: str | None = None, label: str | None = None) -> str:
        r"""The ranked table at the horizon as a LaTeX `table` with the rules of the package booktabs.

        The caption is LaTeX too: a percent sign in it is written with a backslash.

        >>> import riskbandits as rb
        >>> small = rb.simulate(rb.problems.zhu_tan_gaussian(1), [rb.MVTS()], horizon=50, runs=3, progress=False)
        >>> print(small.to_latex().splitlines()[2])
        \toprule
        """
        return self.ranking().latex(caption, label)

    def plot(
        self,
        metric: str | Metric | None = None,
        ax: Axes | None = None,
        *,
        style: str | None = None,
        width: float | None = None,
    ) -> Axes:
        """A metric over time with 95 % bands (built-in, by name, or a `Metric` of your own), or the spread over runs.

        "runs": a dot per run at the horizon; "fan": where 50 and 90 % of runs lie over time; "pulls": which arms were
        played. `style="article"` draws a figure of its own as the paper's are drawn, `width` inches wide (3.5 by
        default, a column), its legend below the axes: `result.plot(style="article", width=3.3).figure.savefig(...)`.
        """
        from riskbandits import plotting

        if style is not None or width is not None:
            return plotting.in_style(lambda own: self.plot(metric, own), style, width, ax)
        metric = metrics.main_metric(self.problem) if metric is None else metric
        kind = metric if isinstance(metric, str) else ""
        check_shown(metric, KINDS)
        if kind == "runs":
            return plotting.plot_runs(metrics.marked_runs(self.traces), ax, legend=True)
        if kind == "fan":
            return plotting.plot_fans_over_time(metrics.runs_over_time(self.traces), ax)
        if kind == "pulls":
            return plotting.plot_pulls(self.arms(), self.labels, ax)
        return plotting.plot_over_time(self.table(metrics=[metric]), metric, ax=ax)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write everything (.parquet, for `rb.load`, with the settings as JSON in its metadata) or the table (.csv).

        An existing file is replaced atomically.
        """
        path = Path(checks.path("The file of a result", path))
        if path.suffix.lower() not in SUFFIXES:
            raise must_be("The file of a result", f"one that ends in {' or '.join(SUFFIXES)}", str(path))
        if path.suffix.lower() == ".csv":
            with files.replacing(path) as temporary:
                self.table().to_csv(temporary, index=False)
            return path
        header = {
            "format": FORMAT,
            "version": VERSION,
            "settings": self.settings,
            "versions": self.versions,
            "problem": self.problem.to_data(),
            "traces": trace_rows.about(self.traces),
        }
        with files.replacing(path) as temporary:
            parquet.write(trace_rows.as_rows(self.traces), temporary, FORMAT, header)
        return path

    def __str__(self) -> str:
        return self.ranking().text()

    def _repr_html_(self) -> str:
        return self.ranking().html()

    @classmethod
    def load(cls, path: str | os.PathLike[str], classes: Sequence[type] = ()) -> Result:
        """Read a file written by `save`. Pass your own arms and risk measures as `classes`."""
        path = checks.path("The file of a result", path)
        own = check_classes(classes)
        header, table = parquet.read(path, FORMAT, VERSION, WRITER)
        with parquet.understanding(path, WRITER):
            problem = Problem.from_data(header["problem"], known_records(own))
            traces = trace_rows.as_traces(table, header["traces"], problem)
            return cls(traces, header["settings"], header["versions"])

    def __repr__(self) -> str:
        first = self.traces[0]
        runs, steps = counted(first.runs, "run"), counted(first.horizon, "step")
        return f"<Result: {', '.join(self.labels)}; {runs} of {steps} on {self.problem}>"


def known_records(own: Sequence[type]) -> tuple[type, ...]:
    """The classes of arms and risk measures that a file may name: the built-in ones, and those passed by the caller."""
    return (*classes_in(arms), *FEATURE_DISTRIBUTIONS, *classes_in(risk), *own)
