"""Tables that compare policies at the horizon: the paper's at every rho, and the recommended ones beside them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from riskbandits.core.display import counted
from riskbandits.core.errors import ParameterError
from riskbandits.inference.intervals import Z95, standard_error
from riskbandits.inference.rare import TAIL
from riskbandits.metrics import best_arm_share, exact_pseudo_regret, locked, settled
from riskbandits.paper.claims.measurements import rare_disasters
from riskbandits.paper.experiments import BETTER, EXPERIMENTS, Outcomes
from riskbandits.paper.report.content import Cell, Column, Table
from riskbandits.paper.report.formatting import mean_and_sides, number_cell, percent, rho_cell, text_cell
from riskbandits.results.sweep_result import SweepResult
from riskbandits.simulation.trace import Trace

COLUMNS = (
    Column("rho"),
    Column("policy", numeric=False),
    Column("pseudo-regret ± 95 %"),
    Column("times the best"),
    Column("runs settled on a wrong arm"),
    Column("runs still exploring"),
    Column("pulls of the best arm"),
)


class Standing(NamedTuple):
    """How a policy stands at one rho, at the horizon."""

    rho: float
    policy: str
    mean: float
    half: float  # of the 95 % interval; NaN for a single run
    rise: float  # by which rare disasters may lift the mean beyond that
    ratio: float  # to the smallest mean at this rho
    settled: float  # on a wrong arm, share of runs; NaN where the checkpoints do not tell
    exploring: float  # neither on a wrong arm nor on a best one, share of runs
    excess: float  # mean regret of runs that settled there over that of the others; NaN where there are none of either
    best_arm: float  # share of pulls


def standings(outcome: SweepResult) -> list[Standing]:
    """One per rho and policy, the smallest regret first within each rho."""
    found = []
    for rho, result in zip(outcome.values, outcome.results, strict=True):
        ends = {trace.label: exact_pseudo_regret(_at_the_end(trace))[:, -1] for trace in result.traces}
        least = min(float(values.mean()) for values in ends.values())
        rows = [_standing(rho, trace, ends[trace.label], least) for trace in result.traces]
        found += sorted(rows, key=lambda row: row.mean)
    return found


def table(name: str, title: str, rows: Sequence[Standing], horizon: int, runs: int) -> Table:
    """The standings of one experiment."""
    caption = (
        f"{title}: pseudo-regret after {counted(horizon, 'step')}, mean over {counted(runs, 'run')} with 95 % "
        "interval; the smallest mean at each rho in bold."
    )
    return Table(f"comparison-{name}", caption, COLUMNS, tuple(_cells(row) for row in rows))


def _cells(row: Standing) -> tuple[Cell, ...]:
    best = "best" if row.ratio == 1.0 else ""
    return (
        rho_cell(row.rho),
        text_cell(row.policy, best),
        Cell(mean_and_sides(row.mean, row.half, row.rise), row.mean, best),
        number_cell(row.ratio),
        _share_cell(row.settled, "warn" if row.settled > 0.0 else ""),
        _share_cell(row.exploring),
        Cell(percent(row.best_arm), row.best_arm),
    )


def mean_and_error(trace: Trace, values: np.ndarray) -> tuple[float, float, float]:
    """The mean of a regret per run at the horizon, half of its 95 % interval, and what rare disasters may add to it."""
    rare = rare_disasters(trace, values, trace.horizon)
    return float(values.mean()), Z95 * float(standard_error(values)), 0.0 if rare is None else rare.rise(TAIL)


def _standing(rho: float, trace: Trace, values: np.ndarray, least: float) -> Standing:
    mean, half, rise = mean_and_error(trace, values)
    ratio = mean / least if least > 0.0 else (1.0 if mean == least else math.inf)
    share = float(best_arm_share(_at_the_end(trace)).mean())
    return Standing(rho, trace.label, mean, half, rise, ratio, *_wrong(trace, values), share)


def _wrong(trace: Trace, values: np.ndarray) -> tuple[float, float, float]:
    """Shares of runs that settled on a wrong arm and that still explore; the former's regret over the others'."""
    try:
        lost = locked(trace)
    except ParameterError:  # half the horizon is not a checkpoint
        return math.nan, math.nan, math.nan
    wrong = settled(trace)
    shares = float(wrong.mean()), float((lost & ~wrong).mean())
    if wrong.all() or not wrong.any():
        return *shares, math.nan
    return *shares, float(values[wrong].mean() / values[~wrong].mean())


def _share_cell(share: float, mark: str = "") -> Cell:
    return Cell(percent(share), -1.0 if math.isnan(share) else share, mark)


def _at_the_end(trace: Trace) -> Trace:
    """The trace with its last checkpoint only: the others cost time and are not shown."""
    return trace._replace(checkpoints=trace.checkpoints[-1:], sums=trace.sums[:, -1:])


def better_tables(outcomes: Outcomes) -> tuple[Table, ...]:
    """One per experiment of which both the paper's policies and the recommended ones were simulated."""
    pairs = [(paper, f"better-{paper}") for paper in EXPERIMENTS]
    return tuple(_better_table(outcomes, *pair) for pair in pairs if all(name in outcomes for name in pair))


def _better_table(outcomes: Outcomes, paper: str, ours: str) -> Table:
    known, new = outcomes[paper], outcomes[ours]
    first = new.results[0].traces[0]
    heads = [Column(f"{label} ± 95 %") for label in new.labels]
    columns = (
        Column("rho"),
        *heads,
        Column("best of the paper's ± 95 %"),
        Column("which", numeric=False),
        Column("paper's / ours"),
    )
    rows = []
    for rho, found in zip(new.values, new.results, strict=True):
        theirs = min((_end(trace) for trace in known.at(rho).traces), key=lambda one: one[1])
        mine = [_end(trace) for trace in found.traces]
        least = min(mean for _, mean, *_ in mine)
        smallest = min(least, theirs[1])
        cells = [
            Cell(mean_and_sides(mean, *sides), mean, "best" if mean == smallest else "")
            for _, mean, *sides in (*mine, theirs)
        ]
        rows.append(
            (
                rho_cell(rho),
                *cells,
                text_cell(theirs[0]),
                number_cell(theirs[1] / least if least > 0.0 else math.inf),
            )
        )
    steps, runs = counted(first.horizon, "step"), counted(first.runs, "run")
    caption = (
        f"{BETTER[ours].title}: pseudo-regret after {steps}, mean over {runs} with 95 % interval; "
        "the smallest at each rho in bold. The last column is the best of the paper's policies divided by the best of "
        "ours."
    )
    return Table(ours, caption, columns, tuple(rows))


def _end(trace: Trace) -> tuple[str, float, float, float]:
    """A policy's label, its mean at the horizon, half of the 95 % interval, and what rare disasters may add."""
    return trace.label, *mean_and_error(trace, exact_pseudo_regret(trace)[:, -1])
