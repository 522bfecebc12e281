"""What `identify` returns: how often a rule identified the best arm, and at what cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.core.display import Grid, counted, format_number, format_share, format_with_error, with_interval
from riskbandits.core.errors import unknown_name
from riskbandits.inference.intervals import clopper_pearson, standard_error
from riskbandits.problem import Problem

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

KINDS = ("arms", "runs")
NO_ARM = -1  # in place of an arm that was named: none meets the measure's condition


class Identification(NamedTuple):
    """The results of the runs of a rule."""

    rule: str
    chosen: np.ndarray  # (runs,) the arm that was named; -1 for none, where no arm meets the measure's condition
    correct: np.ndarray  # (runs,) whether it is a best arm, or rightly none
    finished: np.ndarray  # (runs,) whether the rule was sure; always true for a rule with a fixed budget
    pulls: np.ndarray  # (runs, arms) the rewards it looked at
    problem: Problem | None = None

    @property
    def runs(self) -> int:
        """The number of runs."""
        return len(self.chosen)

    @property
    def errors(self) -> int:
        """The number of runs that named an arm that is not a best one."""
        return int((~self.correct).sum())

    @property
    def error_probability(self) -> float:
        """The share of runs that named a wrong arm."""
        return self.errors / self.runs

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Clopper-Pearson interval for the probability of naming a wrong arm."""
        return clopper_pearson(self.errors, self.runs)

    @property
    def cost(self) -> np.ndarray:
        """The number of rewards that each run used."""
        return self.pulls.sum(axis=1)

    def table(self) -> pd.DataFrame:
        """One row: error probability with its 95 % interval, cost with its standard error, unfinished runs."""
        import pandas as pd

        low, high = self.interval
        cost = self.cost
        row = {
            "rule": self.rule,
            "runs": self.runs,
            "error_probability": self.error_probability,
            "error_low": low,
            "error_high": high,
            "cost_mean": float(cost.mean()),
            "cost_se": float(standard_error(cost)),
            "cost_q50": float(np.quantile(cost, 0.5)),
            "cost_q95": float(np.quantile(cost, 0.95)),
            "unfinished": float((~self.finished).mean()),
        }
        return pd.DataFrame([row])

    def final(self) -> pd.DataFrame:
        """The table that is printed, as of any other result: one row."""
        return self.table()

    def by_run(self) -> pd.DataFrame:
        """One row per run: the arm that was named (None for none), whether it is right, was sure, and its rewards."""
        import pandas as pd

        named = [None if arm == NO_ARM else self.names[arm] for arm in self.chosen]
        columns = {"run": np.arange(self.runs), "named": named, "correct": self.correct, "finished": self.finished}
        return pd.DataFrame({**columns, "rewards": self.cost})

    @property
    def names(self) -> list[str]:
        """The names of the arms."""
        return self.problem.names if self.problem else [f"arm {k}" for k in range(self.pulls.shape[1])]

    def arms(self) -> pd.DataFrame:
        """One row per arm: its name, value, whether it is a best one, the share of runs that name it, its rewards."""
        import pandas as pd

        named = np.bincount(self.chosen[self.chosen != NO_ARM], minlength=len(self.names)) / self.runs
        columns: dict[str, Any] = {"arm": self.names}
        if self.problem:
            best = (self.problem.gaps == 0.0) & self.problem.admissible
            columns |= {"value": self.problem.values, "best": best}
        return pd.DataFrame({**columns, "named": named, "rewards": self.pulls.mean(axis=0)})

    def ranking(self) -> Grid:
        """What `print` and a notebook show: the error rate, the cost, and which arms the rule names."""
        row = self.table().to_dict(orient="records")[0]
        errors = {"error": row["error_probability"], "error_low": row["error_low"], "error_high": row["error_high"]}
        heads = ["rule", "wrong arm [95 %]", "rewards per run ± s.e.", "not sure"]
        cells = [
            self.rule,
            with_interval(errors, "error", percent=True),
            format_with_error(row["cost_mean"], row["cost_se"]),
            format_share(row["unfinished"]),
        ]
        often = self.arms().sort_values("named", ascending=False, kind="stable").head(5).to_dict(orient="records")
        named = ", ".join(f"{one['arm']} {format_share(one['named'])}" for one in often if one["named"] > 0.0)
        named += self._none_named(", " if named else "")
        best = f"{self._best_names()}. " if self.problem else ""
        title = f"{self.problem!r}: {counted(self.runs, 'run')}\n{best}Named: {named}."
        notes = [
            f"95 % of the runs used at most {format_number(row['cost_q95'])} rewards.",
            "Not sure: runs whose budget ended before the rule was sure. s.e.: standard error.",
        ]
        return Grid(title, heads, [cells], notes)

    def _best_names(self) -> str:
        assert self.problem is not None
        if not self.problem.admissible.any():
            return "Best arm: none meets the condition"
        best = [self.names[arm] for arm in np.flatnonzero(self.problem.gaps == 0.0)]
        return f"Best arm{'s' if len(best) > 1 else ''}: {', '.join(best)}"

    def _none_named(self, between: str) -> str:
        share = float((self.chosen == NO_ARM).mean())
        return f"{between}none {format_share(share)}" if share > 0.0 else ""

    def plot(
        self, kind: str = "arms", ax: Axes | None = None, *, style: str | None = None, width: float | None = None
    ) -> Axes:
        """How often each arm is named, and its share of the rewards used; "runs": a dot per run at its rewards.

        `style` and `width` are those of `Result.plot`.
        """
        from riskbandits import plotting

        if style is not None or width is not None:
            return plotting.in_style(lambda own: self.plot(kind, own), style, width, ax)
        if not isinstance(kind, str) or kind not in KINDS:
            raise unknown_name("kind of plot", kind, KINDS)
        return plotting.plot_costs(self.by_run(), ax) if kind == "runs" else plotting.plot_named(self.arms(), ax)

    def __str__(self) -> str:
        return self.ranking().text()

    def _repr_html_(self) -> str:
        return self.ranking().html()

    def __repr__(self) -> str:
        return (
            f"<Identification: {self.rule}, {counted(self.runs, 'run')}, {format_share(self.error_probability)} wrong>"
        )
