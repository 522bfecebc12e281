"""Tables of a comparison: policies over all problems, per family, per problem, and two policies against each other."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits import theory
from riskbandits.core import seeds
from riskbandits.core.display import Grid, format_ratio, format_share, with_interval
from riskbandits.core.errors import RefusalError, unknown_name
from riskbandits.core.records import digest
from riskbandits.inference.bootstrap import interval
from riskbandits.inference.intervals import clopper_pearson, mean_interval
from riskbandits.results.rare_events import MeanShift, mean_shift
from riskbandits.results.relative import average, relative
from riskbandits.results.run_samples import PARTS, ResampledMeans, RunSamples, log_regrets, resample_means
from riskbandits.suites import Case

if TYPE_CHECKING:
    import pandas as pd

SEED = 95  # of the bootstrap: a table is the same whenever it is made


class LeaderboardData:
    """The data of a leaderboard: bootstrap means, ratios and bounds of each problem, computed once."""

    def __init__(
        self,
        cases: Sequence[Case],
        kept: Sequence[RunSamples],
        labels: Sequence[str],
        policies: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        self.cases, self.kept, self.labels = list(cases), list(kept), list(labels)
        self.policies = dict(policies or {})  # as plain data, by label, where they are known

    @cached_property
    def means(self) -> list[ResampledMeans]:
        """Bootstrap means per problem, keyed by its name: other problems do not change them."""
        pairs = zip(self.cases, self.kept, strict=True)
        return [resample_means(kept, seeds.generator(SEED, *digest(case.name))) for case, kept in pairs]

    @cached_property
    def relatives(self) -> list[np.ndarray]:
        """Log ratios to the best policy, per problem."""
        return [relative(means) for means in self.means]

    @cached_property
    def shifts(self) -> list[MeanShift]:
        """Per problem, what rare disasters of which the runs hold too few may add to the means."""
        pairs = zip(self.cases, self.kept, strict=True)
        return [mean_shift(case.problem, kept, self.policies) for case, kept in pairs]

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
            [self._problem_row(place, label) for place, kept in enumerate(self.kept) for label in kept.labels]
        )

    def paired(self, a: str, b: str) -> pd.DataFrame:
        """Policy a against policy b on the problems that both serve: one row per problem, and a last one for all."""
        import pandas as pd

        for label in (a, b):
            if not isinstance(label, str) or label not in self.labels:
                raise unknown_name("policy in this comparison called", label, self.labels)
        places = [place for place, one in enumerate(self.kept) if a in one.labels and b in one.labels]
        if not places:
            raise RefusalError(f"There is no problem in this comparison that both {a} and {b} support.")
        rows, ratios, moves = [], [], []
        for place in places:
            kept, means, shifts = self.kept[place], self.means[place].final, self.shifts[place]
            first, second = kept.of(a), kept.of(b)
            ratios.append(log_regrets(means[first]) - log_regrets(means[second]))
            moves.append((shifts.log_final[first], shifts.log_final[second]))
            difference = _difference(kept, first, second)
            ratio = interval(ratios[-1], self._runs(place), PARTS)
            rows.append(
                {
                    "problem": self.cases[place].name,
                    **_columns("difference", _moved(difference, shifts.final[first], shifts.final[second])),
                    **_columns("ratio", np.exp(_moved(ratio, *moves[-1]))),
                    "correlation": _correlation(kept.final[first], kept.final[second]),
                }
            )
        everything = self._average(places, ratios, moves)
        rows.append({"problem": "all (geometric mean)", **_columns("ratio", np.exp(everything))})
        return pd.DataFrame(rows)

    def _ranked(self, places: Sequence[int]) -> list[dict[str, Any]]:
        rows = [row for label in self.labels if (row := self._row(label, places))]
        return sorted(rows, key=lambda row: (row["problems"] < len(places), row["relative"]))

    def _row(self, label: str, places: Sequence[int]) -> dict[str, Any]:
        """A policy on those of the problems that it serves; empty if it serves none."""
        served = [place for place in places if label in self.kept[place].labels]
        if not served:
            return {}
        at = {place: self.kept[place].of(label) for place in served}
        ratios = np.array([self.relatives[place][row] for place, row in at.items()])
        moves = [self._moves(place, row) for place, row in at.items()]
        each = np.array([self._relative(place, row) for place, row in at.items()])
        locked = np.concatenate([self.kept[place].locked[row] for place, row in at.items()])
        return {
            "policy": label,
            "problems": len(served),
            **_columns("relative", np.exp(self._average(served, ratios, moves))),
            # The upper end holds whichever ratio is truly the largest. Replicates of the maximum would not do: where
            # many are about as large, each of them exceeds the truth.
            **_columns("worst", each.max(axis=0)),
            "worst_problem": self.cases[served[int(ratios[:, 0].argmax())]].name,
            **_share("locked", locked),
            **_split(locked, [self.kept[place].settled[row] for place, row in at.items()]),
            **_columns("slope_over_bound", self._median_slope(at)),
        }

    def _problem_row(self, place: int, label: str) -> dict[str, Any]:
        case, kept, shifts = self.cases[place], self.kept[place], self.shifts[place]
        row = kept.of(label)
        slope = _moved(mean_interval(kept.growth[row]), shifts.growth[row])
        return {
            "problem": case.name,
            "family": case.family,
            "arms": case.problem.size,
            "policy": label,
            "runs": kept.final.shape[1],
            **_columns("regret", _moved(mean_interval(kept.final[row]), shifts.final[row])),
            **_columns("relative", self._relative(place, row)),
            **_share("locked", kept.locked[row]),
            **_split(kept.locked[row], [kept.settled[row]]),
            **_columns("slope", slope),
            "lower_bound_slope": float(self.bounds[place]),
            **_columns("slope_over_bound", slope / self.bounds[place]),
        }

    def _runs(self, place: int) -> int:
        return int(self.kept[place].final.shape[1])

    def _moves(self, place: int, row: int) -> tuple[float, float]:
        """How far rare disasters may move the log ratio to the best policy: this one's up, and the best one's down."""
        shifts, best = self.shifts[place].log_final, int(self.means[place].final[:, 0].argmin())
        return float(shifts[row]), float(shifts[best]) if best != row else 0.0

    def _relative(self, place: int, row: int) -> np.ndarray:
        """The ratio to the best policy of a problem and the ends of its interval."""
        log_ratio = interval(self.relatives[place][row], self._runs(place), PARTS)
        return np.exp(_moved(log_ratio, *self._moves(place, row)))

    def _average(
        self, places: Sequence[int], log_ratios: Any, moves: Sequence[tuple[float, float]]
    ) -> tuple[float, float, float]:
        up, down = np.array(moves).T
        draws = [self.cases[place].draw for place in places]
        return average(np.asarray(log_ratios), draws, min(map(self._runs, places)), up, down)

    def _median_slope(self, at: Mapping[int, int]) -> np.ndarray:
        """The median over problems of growth over its lower bound, and the ends of its interval over runs."""
        known = {place: row for place, row in at.items() if not np.isnan(self.bounds[place])}
        if not known:
            return np.full(3, np.nan)
        slopes = np.array([self.means[place].growth[row] / self.bounds[place] for place, row in known.items()])
        shifts = np.array([self.shifts[place].growth[row] / self.bounds[place] for place, row in known.items()])
        middle = np.median(slopes, axis=0)
        up = float(np.median(slopes[:, 0] + shifts) - middle[0])
        return _moved(interval(middle, min(map(self._runs, known)), PARTS), up)


def _difference(kept: RunSamples, first: int, second: int) -> tuple[float, float, float]:
    """The mean regret of one policy less that of another; run by run where they met the same rewards."""
    own, other = kept.final[first], kept.final[second]
    if kept.paired:
        return mean_interval(own - other)
    (mean, low, high), (subtracted, least, most) = mean_interval(own), mean_interval(other)
    below, above = math.hypot(mean - low, most - subtracted), math.hypot(high - mean, subtracted - least)
    return mean - subtracted, mean - subtracted - below, mean - subtracted + above


def _moved(ends: tuple[Any, Any, Any], up: float, down: float = 0.0) -> np.ndarray:
    """An estimate and its interval with the ends moved outwards."""
    estimate, low, high = (float(number) for number in ends)
    return np.array([estimate, low - down, high + up])


def _columns(name: str, ends: Any) -> dict[str, float]:
    estimate, low, high = (float(number) for number in ends)
    return {name: estimate, f"{name}_low": low, f"{name}_high": high}


def _share(name: str, marks: np.ndarray) -> dict[str, float]:
    low, high = clopper_pearson(int(marks.sum()), len(marks))
    return {name: float(marks.mean()), f"{name}_low": low, f"{name}_high": high}


def _split(locked: np.ndarray, settled: Sequence[np.ndarray]) -> dict[str, float]:
    """The shares of runs that settled on a wrong arm and that still explore."""
    marks = np.concatenate(settled)
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
    """A leaderboard as people see it, with 95 % intervals in brackets; the table has every number."""
    partly = table["problems"].nunique() > 1
    heads = ["policy", *(["problems"] if partly else []), "relative regret", "worst", "settled"]
    heads += ["ns per step", "times MVTS"] if costs else []
    rows = []
    for row in table.to_dict(orient="records"):
        cells = [row["policy"], *([str(row["problems"])] if partly else []), with_interval(row, "relative")]
        cells += [format_ratio(row["worst"]), format_share(row["settled"])]
        rows.append(cells + ([f"{row['cost_ns']:.0f}", format_ratio(row["cost_ratio"])] if costs else []))
    notes = [
        "Relative regret: pseudo-regret over that of the best policy on the same problem, geometric mean over "
        "problems [95 % interval]; worst: the largest of these ratios. The best policy is picked by one half of the "
        "runs and measured on the other, so that with few runs a ratio can be below 1.",
        "Settled: runs that ended on one wrong arm and no longer tried the best one.",
    ]
    return Grid(title, heads, rows, notes)
