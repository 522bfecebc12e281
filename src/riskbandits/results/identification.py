"""What comes back from `identify`: how often a rule named the best arm, and at what cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskbandits.inference.intervals import clopper_pearson, standard_error

if TYPE_CHECKING:
    import pandas as pd


class Identification(NamedTuple):
    """What became of the runs of a rule."""

    rule: str
    chosen: np.ndarray  # (runs,) the arm that was named
    correct: np.ndarray  # (runs,) whether it is a best arm
    finished: np.ndarray  # (runs,) whether the rule was sure; always true for a rule with a fixed budget
    pulls: np.ndarray  # (runs, arms) the rewards it looked at

    @property
    def runs(self) -> int:
        """The number of runs."""
        return len(self.chosen)

    @property
    def errors(self) -> int:
        """The number of runs that named another arm than a best one."""
        return int((~self.correct).sum())

    @property
    def error_probability(self) -> float:
        """The share of runs that named a wrong arm."""
        return self.errors / self.runs

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of Clopper and Pearson for the probability of naming a wrong arm."""
        return clopper_pearson(self.errors, self.runs)

    @property
    def cost(self) -> np.ndarray:
        """The rewards that each run looked at."""
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
