"""The recommended policies beside the paper's, on the paper's arms."""

from __future__ import annotations

import math

from riskbandits.core.display import counted
from riskbandits.metrics import exact_pseudo_regret
from riskbandits.paper.experiments import BETTER, EXPERIMENTS, Outcomes
from riskbandits.paper.report.content import Cell, Column, Table
from riskbandits.paper.report.formatting import mean_and_sides, number_cell, rho_cell, text_cell
from riskbandits.paper.report.ranking import LOPSIDED, mean_and_error
from riskbandits.simulation.trace import Trace


def tables(outcomes: Outcomes) -> tuple[Table, ...]:
    """One per experiment of which both the paper's policies and the recommended ones were simulated."""
    pairs = [(paper, f"better-{paper}") for paper in EXPERIMENTS]
    return tuple(_table(outcomes, *pair) for pair in pairs if all(name in outcomes for name in pair))


def _table(outcomes: Outcomes, paper: str, ours: str) -> Table:
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
        cells = [Cell(mean_and_sides(mean, *sides), mean, "best" if mean == least else "") for _, mean, *sides in mine]
        rows.append(
            (
                rho_cell(rho),
                *cells,
                Cell(mean_and_sides(*theirs[1:]), theirs[1]),
                text_cell(theirs[0]),
                number_cell(theirs[1] / least if least > 0.0 else math.inf),
            )
        )
    steps, runs = counted(first.horizon, "step"), counted(first.runs, "run")
    caption = (
        f"{BETTER[ours].title}: pseudo-regret after {steps}, mean over {runs} with 95 % interval; "
        "the smallest of ours in bold, and the ratio of the best of the paper's policies at that rho to it. "
        f"{LOPSIDED}"
    )
    return Table(ours, caption, columns, tuple(rows))


def _end(trace: Trace) -> tuple[str, float, float, float]:
    """A policy's label, its mean at the horizon, half of the 95 % interval, and what rare disasters may add."""
    return trace.label, *mean_and_error(trace, exact_pseudo_regret(trace)[:, -1])
