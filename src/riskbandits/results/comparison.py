"""What `compare` returns: a leaderboard, tables, a figure, and a file that holds all of it."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.core import checks, files, parquet
from riskbandits.core.display import Grid, counted
from riskbandits.core.errors import RefusalError, must_be, unknown_name
from riskbandits.core.records import check_classes
from riskbandits.core.user_calls import explained
from riskbandits.results.leaderboard import LeaderboardData, leaderboard_grid, with_costs
from riskbandits.results.run_samples import RunSamples, run_table
from riskbandits.suites import Case, Suite

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

FORMAT = "riskbandits-comparison"
WRITER = "Comparison.save"
VERSION = 2
SUFFIXES = (".parquet", ".csv", ".json")
KINDS = ("families", "profile", "runs", "fan")


class Comparison:
    """Policies on the problems of a suite. Intervals are 95 % intervals.

    Regret is the exact pseudo-regret at the horizon. `relative` is the ratio to the best of these policies on a
    problem; over several problems it is the geometric mean of these ratios. Its interval reflects the
    variation over runs and, where several problems were drawn at random from one population, over problems from that
    population. `worst` is the largest ratio over the problems (with the largest of their intervals' ends), `locked` the
    share of runs that did not end on a best arm: `settled` that of runs that settled on a wrong one, `exploring` that
    of runs still trying several; `slope_over_bound` the median over problems of the growth of the
    regret per unit of ln n, over the last factor of two, divided by the lower bound's slope: their intervals are
    over runs, on these particular problems. A slope below the bound means that n is too small for the bound to apply,
    or that the policy knows where the run ends and explores less towards it (`NGTS`, `SwitchingAware`).
    """

    def __init__(
        self,
        suite: Suite,
        labels: Sequence[str],
        kept: Sequence[RunSamples],
        settings: Mapping[str, Any],
        versions: Mapping[str, str],
        notes: Sequence[str] = (),
        costs: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        self.suite = suite
        self.labels = list(labels)
        self.kept = list(kept)
        self.settings = dict(settings)
        self.versions = dict(versions)
        self.notes = list(notes)
        self.costs = {label: dict(entry) for label, entry in (costs or {}).items()}
        policies = {str(one.get("label")): one for one in self.settings.get("policies", ()) if isinstance(one, Mapping)}
        self._board = LeaderboardData(suite.cases, self.kept, self.labels, policies)

    def leaderboard(self) -> pd.DataFrame:
        """One row per policy, the best first: relative regret, worst case, locked runs, slope, and cost if measured."""
        table = self._board.leaderboard()
        return with_costs(table, self.costs) if self.costs else table

    def final(self) -> pd.DataFrame:
        """The ranked table at the horizon, as of any other result: the leaderboard."""
        return self.leaderboard()

    def runs(self) -> pd.DataFrame:
        """One row per problem, policy and run: the regret at the horizon, by itself and over the best policy's mean.

        `settled`: whether the run settled on a wrong arm.
        """
        return run_table(self.suite.cases, self.kept)

    def by_family(self) -> pd.DataFrame:
        """One row per family of problems and policy: the columns of the leaderboard."""
        return self._board.by_family()

    def by_problem(self) -> pd.DataFrame:
        """One row per problem and policy; all intervals are over runs."""
        return self._board.by_problem()

    def breakdown(self) -> pd.DataFrame:
        """Relative regret per family, or per problem if the suite has a single family."""
        if len({case.family for case in self.suite.cases}) > 1:
            return self.by_family()
        return self.by_problem().assign(family=lambda table: table["problem"])

    def paired(self, a: str, b: str) -> pd.DataFrame:
        """Policy a against policy b: difference and ratio of their regrets per problem, and the ratio over all of them.

        `correlation` is that of their regrets over runs: about 0 unless both had the same rewards.
        """
        return self._board.paired(a, b)

    def only(self, keep: Callable[[Case], bool]) -> Comparison:
        """The comparison restricted to the problems for which a function of the case returns True."""
        if not callable(keep):
            raise must_be("The argument of only", "a function from a case of the suite to True or False", keep)
        with explained("The function that selects problems"):
            places = [k for k, case in enumerate(self.suite.cases) if keep(case)]
        if not places:
            raise RefusalError("None of the problems of this comparison was kept.")
        suite = self.suite._replace(cases=tuple(self.suite.cases[k] for k in places))
        kept = [self.kept[k] for k in places]
        labels = [label for label in self.labels if any(label in one.labels for one in kept)]
        return Comparison(suite, labels, kept, self.settings, self.versions, self.notes, self.costs)

    def plot(
        self,
        kind: str = "families",
        ax: Axes | None = None,
        *,
        style: str | None = None,
        width: float | None = None,
    ) -> Axes:
        """Relative regret by `breakdown` ("families"), or how many problems are solved how well ("profile").

        "runs": a dot per run at its relative regret; "fan": where 50 and 90 % of runs lie on each problem. `style` and
        `width` are those of `Result.plot`.
        """
        from riskbandits import plotting

        if style is not None or width is not None:
            return plotting.in_style(lambda own: self.plot(kind, own), style, width, ax)
        if not isinstance(kind, str) or kind not in KINDS:
            raise unknown_name("kind of plot", kind, KINDS)
        if kind == "profile":
            return plotting.plot_profile(self.by_problem(), self.labels, ax=ax)
        if kind == "runs":
            return plotting.plot_relative_runs(self.runs(), ax)
        if kind == "fan":
            return plotting.plot_fans_over_problems(self.runs(), ax)
        return plotting.plot_families(self.breakdown(), self.leaderboard(), ax=ax)

    def to_json(self) -> str:
        """One JSON object: settings, versions, notes and the three tables. JSON has no NaN: such values are null."""
        data = {
            "settings": self.settings,
            "versions": self.versions,
            "notes": self.notes,
            "leaderboard": _rows(self.leaderboard()),
            "families": _rows(self.by_family()),
            "problems": _rows(self.by_problem()),
        }
        return json.dumps(data, allow_nan=False)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write everything (.parquet, for `Comparison.load`), the tables (.json) or the leaderboard (.csv)."""
        path = Path(checks.path("The file of a comparison", path))
        if path.suffix.lower() not in SUFFIXES:
            raise must_be("The file of a comparison", f"one that ends in {', '.join(SUFFIXES)}", str(path))
        with files.replacing(path) as temporary:
            if path.suffix.lower() == ".json":
                Path(temporary).write_text(self.to_json() + "\n", encoding="utf-8")
            elif path.suffix.lower() == ".csv":
                self.leaderboard().to_csv(temporary, index=False)
            else:
                self._write_parquet(temporary)
        return path

    def _write_parquet(self, path: str) -> None:
        import pyarrow as pa

        parts = []
        for case, one in zip(self.suite.cases, self.kept, strict=True):
            policies, runs = one.final.shape
            columns = {
                "problem": pa.array([case.name] * (policies * runs)).dictionary_encode(),
                "policy": pa.array(np.repeat(one.labels, runs).tolist()).dictionary_encode(),
                "run": np.tile(np.arange(runs), policies),
                "regret_at_half": one.middle.ravel(),
                "regret": one.final.ravel(),
                "locked": one.locked.ravel(),
                "settled": one.settled.ravel(),
            }
            parts.append(pa.table(columns))
        header = {
            "version": VERSION,
            "suite": self.suite.to_data(),
            "labels": self.labels,
            "policies_of": [one.labels for one in self.kept],
            "steps": self.kept[0].steps,
            "paired": self.kept[0].paired,
            "settings": self.settings,
            "versions": self.versions,
            "notes": self.notes,
            "costs": self.costs,
        }
        parquet.write(pa.concat_tables(parts).unify_dictionaries(), path, FORMAT, header)

    @classmethod
    def load(cls, path: str | os.PathLike[str], classes: Sequence[type] = ()) -> Comparison:
        """Read a .parquet file written by `save`. Pass your own arms and risk measures as `classes`."""
        path = checks.path("The file of a comparison", path)
        own = check_classes(classes)
        header, table = parquet.read(path, FORMAT, VERSION, WRITER)
        with parquet.understanding(path, WRITER):
            suite = Suite.from_data(header["suite"], own)
            about = (header[name] for name in ("settings", "versions", "notes", "costs"))
            return cls(suite, header["labels"], _kept(header, table), *about)

    def ranking(self) -> Grid:
        """What `print` and a notebook show: the leaderboard."""
        steps, runs = self.settings.get("horizon", 0), self.settings.get("runs", 0)
        about = f"{self.suite.about or self.suite.name}: {counted(len(self.suite.cases), 'problem')}"
        title = f"{about}\n{counted(steps, 'step')}, {counted(runs, 'run')}"
        return leaderboard_grid(self.leaderboard(), title, bool(self.costs))

    def __str__(self) -> str:
        return self.ranking().text()

    def _repr_html_(self) -> str:
        return self.ranking().html()

    def __repr__(self) -> str:
        return (
            f"<Comparison: {', '.join(self.labels)} on {counted(len(self.suite.cases), 'problem')} of the suite "
            f"{self.suite.name!r}; {self.settings.get('runs')} runs of {self.settings.get('horizon')} steps>"
        )


def _kept(header: dict[str, Any], table: pd.DataFrame) -> list[RunSamples]:
    """What was kept per problem, from rows ordered by problem, policy and run."""
    columns = [table[name].to_numpy() for name in ("regret_at_half", "regret", "locked", "settled")]
    kept, start = [], 0
    runs = int(table["run"].to_numpy().max()) + 1
    for labels in header["policies_of"]:
        end = start + len(labels) * runs
        middle, final, locked, settled = (column[start:end].reshape(len(labels), runs) for column in columns)
        steps = tuple(header["steps"])
        kept.append(RunSamples(tuple(labels), middle, final, locked, steps, header["paired"], settled))
        start = end
    return kept


def _rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    rows = table.to_dict(orient="records")
    return [{str(name): _plain(value) for name, value in row.items()} for row in rows]


def _plain(value: object) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
