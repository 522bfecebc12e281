"""What `sweep` returns: one result per value of the parameter, and one table of them all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.core import checks, files, parquet
from riskbandits.core.display import Grid, counted, format_number, format_with_error
from riskbandits.core.errors import must_be, unknown_name
from riskbandits.core.records import check_classes, is_record, same
from riskbandits.metrics.metric import Metric, check_shown, main_metric
from riskbandits.problem import Problem
from riskbandits.results import trace_rows
from riskbandits.results.result import Result, known_records

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

FORMAT = "riskbandits-sweep"
VERSION = 3
PLACE = "place"  # of the value to which a row belongs
WRITER = "SweepResult.save"
SUFFIXES = (".parquet", ".csv")
KINDS = ("fan", "runs")


class SweepResult:
    """Results over the values of a parameter, in the order in which the values were given."""

    def __init__(self, name: str, values: Sequence[Any], results: Sequence[Result]) -> None:
        self.name = name
        self.values = list(values)
        self.results = list(results)

    @property
    def labels(self) -> list[str]:
        """The policies' labels."""
        return self.results[0].labels

    @property
    def settings(self) -> dict[str, Any]:
        """The arguments as plain data: those for the first value, with the problems of all."""
        shared = {key: value for key, value in self.results[0].settings.items() if key not in ("arms", "risk")}
        problems = [result.problem.to_data() for result in self.results]
        return {**shared, "parameter": self.name, "values": self.values, "problems": problems}

    @property
    def versions(self) -> dict[str, str]:
        """The versions on which the numbers may depend."""
        return self.results[0].versions

    def at(self, value: Any) -> Result:
        """The result for one value of the parameter."""
        for one, result in zip(self.values, self.results, strict=True):
            if same(one, value) if is_record(one) else np.array_equal(one, value):
                return result
        raise unknown_name(f"{self.name} in this sweep equal to", value, self.values)

    def table(self, *, metrics: Iterable[Any] | None = None) -> pd.DataFrame:
        """One row per value, policy and checkpoint: the columns of `Result.table`, after one for the parameter."""
        return self._stacked(lambda result: result.table(metrics=metrics))

    def final(self) -> pd.DataFrame:
        """One row per value and policy at the horizon, ranked for each value; columns as in `Result.final`."""
        return self._stacked(Result.final)

    def ranking(self) -> Grid:
        """What `print` and a notebook show: a row per value, the regret of each policy at the horizon."""
        last = self.final()
        rows = []
        for value in self.values:
            by_label = {row["policy"]: row for row in last[last[self.name] == value].to_dict(orient="records")}
            cells = [_cell(by_label[label], main_metric(self.results[0].problem)) for label in self.labels]
            rows.append([format_number(value, 4) if isinstance(value, (int, float)) else str(value), *cells])
        horizon, runs = counted(self.settings["horizon"], "step"), counted(self.settings["runs"], "run")
        problem = self.results[0].problem
        name = "Pseudo-regret" if problem.charges_switching else "Regret"
        if problem.drifts or problem.has_features:
            name = main_metric(problem).replace("_", " ").capitalize()
        best = [one.names[one.best_arm] for one in (result.problem for result in self.results)]
        named = [[row[0], arm, *row[1:]] for row, arm in zip(rows, best, strict=True)]
        notes = ["Means over runs ± standard error; * marks the smallest of a row."]
        return Grid(f"{name} at {horizon}, {runs}", [self.name, "best arm", *self.labels], named, notes, left=2)

    def plot(
        self,
        metric: str | Metric | None = None,
        ax: Axes | None = None,
        *,
        style: str | None = None,
        width: float | None = None,
    ) -> Axes:
        """A metric at the horizon against the parameter, with 95 % bands for its mean; or the distribution over runs.

        "fan": the median and where 50 and 90 % of runs lie, against the parameter. `style` and `width` are those of
        `Result.plot`.
        """
        from riskbandits import plotting

        if style is not None or width is not None:
            return plotting.in_style(lambda own: self.plot(metric, own), style, width, ax)
        metric = main_metric(self.results[0].problem) if metric is None else metric
        check_shown(metric, KINDS)
        if isinstance(metric, str) and metric in KINDS:
            return plotting.plot_fans_over_time(self._stacked(Result.runs), ax, self.name)
        return plotting.plot_against(self.table(metrics=[metric]), self.name, metric, ax=ax)

    def _stacked(self, table_of: Callable[[Result], pd.DataFrame]) -> pd.DataFrame:
        """The tables of all results, one below the other, after a column for the parameter."""
        import pandas as pd

        parts = []
        for value, result in zip(self.values, self.results, strict=True):
            part = table_of(result)
            part.insert(0, self.name, [value] * len(part))
            parts.append(part)
        return pd.concat(parts, ignore_index=True)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write everything (.parquet, for `load`) or the table (.csv).

        Values of the parameter that JSON cannot represent are restored as strings.
        """
        path = Path(checks.path("The file of a sweep", path))
        if path.suffix.lower() not in SUFFIXES:
            raise must_be("The file of a sweep", f"one that ends in {' or '.join(SUFFIXES)}", str(path))
        with files.replacing(path) as temporary:
            if path.suffix.lower() == ".csv":
                self.table().to_csv(temporary, index=False)
            else:
                self._write_parquet(temporary)
        return path

    def _write_parquet(self, path: str) -> None:
        import pyarrow as pa

        parts = []
        for place, result in enumerate(self.results):
            rows = trace_rows.as_rows(result.traces)
            parts.append(rows.add_column(0, PLACE, pa.array([place] * len(rows), pa.int64())))
        header = {
            "format": FORMAT,
            "version": VERSION,
            "settings": self.settings,
            "versions": self.versions,
            "each": [{"settings": one.settings, "traces": trace_rows.about(one.traces)} for one in self.results],
        }
        parquet.write(pa.concat_tables(parts).unify_dictionaries(), path, FORMAT, header, repr)

    @classmethod
    def load(cls, path: str | os.PathLike[str], classes: Sequence[type] = ()) -> SweepResult:
        """Read a .parquet file written by `save`. Pass your own arms and risk measures as `classes`."""
        path = checks.path("The file of a sweep", path)
        own = check_classes(classes)
        header, table = parquet.read(path, FORMAT, VERSION, WRITER)
        with parquet.understanding(path, WRITER):
            settings, results = header["settings"], []
            for place, (data, one) in enumerate(zip(settings["problems"], header["each"], strict=True)):
                rows = table.filter([number == place for number in table[PLACE].to_pylist()])
                traces = trace_rows.as_traces(rows, one["traces"], Problem.from_data(data, known_records(own)))
                results.append(Result(traces, one["settings"], header["versions"]))
            return cls(settings["parameter"], settings["values"], results)

    def __str__(self) -> str:
        return self.ranking().text()

    def _repr_html_(self) -> str:
        return self.ranking().html()

    def __repr__(self) -> str:
        first = self.results[0].traces[0]
        return (
            f"<SweepResult: {', '.join(self.labels)} over {counted(len(self.values), 'value')} of {self.name}; "
            f"{counted(first.runs, 'run')} of {counted(first.horizon, 'step')} each>"
        )


def _cell(row: dict[str, Any], metric: str) -> str:
    text = format_with_error(row[f"{metric}_mean"], row[f"{metric}_se"])
    return f"{text} *" if row["rank"] == 1 else f"{text}  "
