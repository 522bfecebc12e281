"""Tables of a comparison: policies over all problems, per family, per problem, and two policies against each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits import theory
from riskbandits.core import seeds
from riskbandits.core.display import Grid, with_interval
from riskbandits.core.errors import RefusalError, unknown_name
from riskbandits.core.records import digest
from riskbandits.inference.bootstrap import REPLICATES, interval
from riskbandits.inference.intervals import clopper_pearson
from riskbandits.results.kept import Outcome
from riskbandits.results.relative import average, relative
from riskbandits.results.resampled import Resampled, logs, resampled
from riskbandits.suites import Case

if TYPE_CHECKING:
    import pandas as pd

SEED = 95  # of the bootstrap: a table is the same whenever it is made


class Board:
    """The numbers behind the tables: bootstrap means of each problem, computed once."""

    def __init__(self, cases: Sequence[Case], outcomes: Sequence[Outcome], labels: Sequence[str]) -> None:
        self.cases, self.outcomes, self.labels = list(cases), list(outcomes), list(labels)

    @cached_property
    def means(self) -> list[Resampled]:
        """Bootstrap means per problem, keyed by its name: other problems do not change them."""
        pairs = zip(self.cases, self.outcomes, strict=True)
        return [resampled(outcome, seeds.generator(SEED, *digest(case.name))) for case, outcome in pairs]

    @cached_property
    def relatives(self) -> list[np.ndarray]:
        """Log ratios to the best policy, per problem."""
        return [relative(means) for means in self.means]

    @cached_property
    def bounds(self) -> np.ndarray:
        """The lower bound's slope per problem; NaN where there is none, or none that is positive and finite."""
        totals = np.array([_lower_bound(case) for case in self.cases])
        return np.where(np.isfinite(totals) & (totals > 0.0), totals, np.nan)

    def leaderboard(self) -> pd.DataFrame:
        """One row per policy, the best first; those that serve only some of the problems stand below the others."""
        import pandas as pd

        return pd.DataFrame(self._ranked(range(len(self.cases))))

    def by_family(self) -> pd.DataFrame:
        """One row per family and policy."""
        import pandas as pd

        rows = []
        for family in dict.fromkeys(case.family for case in self.cases):
            places = [place for place, case in enumerate(self.cases) if case.family == family]
            rows += [{"family": family, **row} for row in self._ranked(places)]
        return pd.DataFrame(rows)

    def by_problem(self) -> pd.DataFrame:
        """One row per problem and policy; intervals are over runs."""
        import pandas as pd

        return pd.DataFrame(
            [self._problem_row(place, label) for place, outcome in enumerate(self.outcomes) for label in outcome.labels]
        )

    def paired(self, a: str, b: str) -> pd.DataFrame:
        """Policy a against policy b on the problems that both serve: one row per problem, and a last one for all."""
        import pandas as pd

        for label in (a, b):
            if not isinstance(label, str) or label not in self.labels:
                raise unknown_name("policy in this comparison called", label, self.labels)
        places = [place for place, one in enumerate(self.outcomes) if a in one.labels and b in one.labels]
        if not places:
            raise RefusalError(f"There is no problem in this comparison that both {a} and {b} serve.")
        rows, ratios = [], []
        for place in places:
            outcome, means = self.outcomes[place], self.means[place].final
            first, second = outcome.of(a), outcome.of(b)
            ratios.append(logs(means[first]) - logs(means[second]))
            rows.append(
                {
                    "problem": self.cases[place].name,
                    **_columns("difference", means[first] - means[second]),
                    **_columns("ratio", np.exp(ratios[-1])),
                    "correlation": _correlation(outcome.final[first], outcome.final[second]),
                }
            )
        everything = np.exp(average(np.array(ratios), [self.cases[k].draw for k in places], self._rng(places)))
        rows.append({"problem": "all (geometric mean)", **_columns("ratio", everything)})
        return pd.DataFrame(rows)

    def _ranked(self, places: Sequence[int]) -> list[dict[str, Any]]:
        rows = [row for label in self.labels if (row := self._row(label, places))]
        return sorted(rows, key=lambda row: (row["problems"] < len(places), row["relative"]))

    def _row(self, label: str, places: Sequence[int]) -> dict[str, Any]:
        """A policy on those of the problems that it serves; empty if it serves none."""
        served = [place for place in places if label in self.outcomes[place].labels]
        if not served:
            return {}
        at = {place: self.outcomes[place].of(label) for place in served}
        ratios = np.array([self.relatives[place][row] for place, row in at.items()])
        slopes = np.array([self.means[place].growth[row] / self.bounds[place] for place, row in at.items()])
        known = slopes[~np.isnan(slopes[:, 0])]
        middle = np.median(known, axis=0) if len(known) else np.full(1 + REPLICATES, np.nan)
        locked = np.concatenate([self.outcomes[place].locked[row] for place, row in at.items()])
        rng = self._rng(served)
        return {
            "policy": label,
            "problems": len(served),
            **_columns("relative", np.exp(average(ratios, [self.cases[place].draw for place in served], rng))),
            **_largest("worst", np.exp(ratios)),
            "worst_problem": self.cases[served[int(ratios[:, 0].argmax())]].name,
            **_share("locked", locked),
            **_split(locked, [self.outcomes[place].settled_of(row) for place, row in at.items()]),
            **_columns("slope_over_bound", middle),
        }

    def _problem_row(self, place: int, label: str) -> dict[str, Any]:
        case, outcome, means = self.cases[place], self.outcomes[place], self.means[place]
        row = outcome.of(label)
        return {
            "problem": case.name,
            "family": case.family,
            "arms": case.problem.size,
            "policy": label,
            "runs": outcome.final.shape[1],
            **_columns("regret", means.final[row]),
            **_columns("relative", np.exp(self.relatives[place][row])),
            **_share("locked", outcome.locked[row]),
            **_split(outcome.locked[row], [outcome.settled_of(row)]),
            **_columns("slope", means.growth[row]),
            "lower_bound_slope": float(self.bounds[place]),
            **_columns("slope_over_bound", means.growth[row] / self.bounds[place]),
        }

    def _rng(self, places: Sequence[int]) -> np.random.Generator:
        return seeds.generator(SEED, *digest([self.cases[place].name for place in places]))


def _columns(name: str, values: np.ndarray) -> dict[str, float]:
    estimate, low, high = (float(number) for number in interval(values))
    return {name: estimate, f"{name}_low": low, f"{name}_high": high}


def _largest(name: str, values: np.ndarray) -> dict[str, float]:
    """The largest of several numbers, and the largest of the ends of their intervals.

    The upper end holds whichever number is truly the largest. Replicates of the maximum would not do: where many are
    about as large, each of them exceeds the truth.
    """
    estimates, lows, highs = interval(values)
    return {name: float(estimates.max()), f"{name}_low": float(lows.max()), f"{name}_high": float(highs.max())}


def _share(name: str, marks: np.ndarray) -> dict[str, float]:
    low, high = clopper_pearson(int(marks.sum()), len(marks))
    return {name: float(marks.mean()), f"{name}_low": low, f"{name}_high": high}


def _split(locked: np.ndarray, settled: Sequence[np.ndarray | None]) -> dict[str, float]:
    """The shares of runs that settled on a wrong arm and that still explore; NaN where that was not kept."""
    known = [marks for marks in settled if marks is not None]
    if len(known) < len(settled):
        names = [f"{name}{end}" for name in ("settled", "exploring") for end in ("", "_low", "_high")]
        return dict.fromkeys(names, float("nan"))
    marks = np.concatenate(known)
    return _share("settled", marks) | _share("exploring", locked & ~marks)


def _correlation(x: np.ndarray, y: np.ndarray) -> float:
    return float(np.corrcoef(x, y)[0, 1]) if x.std() > 0.0 and y.std() > 0.0 else float("nan")


def _lower_bound(case: Case) -> float:
    try:
        return float(theory.lower_bound(case.problem).total)
    except RefusalError:
        return float("nan")


def with_costs(table: pd.DataFrame, costs: Mapping[str, Mapping[str, Any]]) -> pd.DataFrame:
    """The table with what a step of each policy costs."""
    table = table.copy()
    for name in ("cost_ns", "cost_ratio", "cost_problem"):
        table[name] = [costs.get(label, {}).get(name) for label in table["policy"]]
    return table


def leaderboard_grid(table: pd.DataFrame, title: str, costs: bool) -> Grid:
    """A leaderboard as people see it, with 95 % intervals in brackets."""
    heads = ["policy", "problems", "relative regret", "worst case", "settled on a wrong arm", "still exploring"]
    heads += ["slope / bound"] + (["ns per step", "times MVTS"] if costs else [])
    rows = []
    for row in table.to_dict(orient="records"):
        cells = [row["policy"], str(row["problems"]), with_interval(row, "relative"), with_interval(row, "worst")]
        cells += [with_interval(row, name, percent=True) for name in ("settled", "exploring")]
        cells += [with_interval(row, "slope_over_bound")]
        rows.append(cells + ([f"{row['cost_ns']:.0f}", f"{row['cost_ratio']:.2g}"] if costs else []))
    note = "Relative regret: geometric mean over problems of the ratio to the best policy there. [95 % intervals]"
    return Grid(title, heads, rows, [note])
