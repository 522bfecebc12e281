"""The numbers behind figures that are simulated, and who did best in each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from riskbandits.inference.intervals import Z95
from riskbandits.inference.rare import TAIL
from riskbandits.metrics import exact_pseudo_regret, locked, settled
from riskbandits.paper.claims.measurements import rare_disasters
from riskbandits.results.result import Result
from riskbandits.results.sweep_result import SweepResult

if TYPE_CHECKING:
    import pandas as pd

    from riskbandits.paper.experiments import Outcomes
    from riskbandits.paper.figures.figure import Figure, Tables
    from riskbandits.simulation.trace import Trace


def over_time(figure: Figure, outcomes: Outcomes) -> Tables:
    """A row per policy and checkpoint; and a row per policy and run, at the horizon."""
    outcome = selected(figure, outcomes)
    return {"": outcome.table(), "runs": runs_table(outcome)}


def at_the_horizon(figure: Figure, outcomes: Outcomes) -> Tables:
    """A row per rho and policy, and a row per rho, policy and run, all at the horizon."""
    outcome = selected(figure, outcomes)
    return {"": ends(outcome).table(), "runs": runs_table(outcome)}


def selected(figure: Figure, outcomes: Outcomes) -> SweepResult:
    """The part of an outcome that a figure shows."""
    outcome = outcomes[str(figure.experiment)]
    return SweepResult(outcome.name, figure.rhos, [outcome.at(rho) for rho in figure.rhos])


def ends(outcome: SweepResult) -> SweepResult:
    """The same without any checkpoint but the last: summarising the others takes seconds."""

    def end(trace: Trace) -> Trace:
        return trace._replace(checkpoints=trace.checkpoints[-1:], sums=trace.sums[:, -1:])

    results = [Result([end(trace) for trace in one.traces], one.settings, one.versions) for one in outcome.results]
    return SweepResult(outcome.name, outcome.values, results)


def runs_table(outcome: SweepResult) -> pd.DataFrame:
    """One row per rho, policy and run: its exact pseudo-regret at the horizon, whether it ended on no best arm
    (`locked`), and whether it settled on a wrong one (`settled`).
    """
    import pandas as pd

    parts = []
    for value, result in zip(outcome.values, outcome.results, strict=True):
        part = result.runs(metrics=["exact_pseudo_regret"]).drop(columns="step")
        part.insert(0, outcome.name, value)
        for mark in (locked, settled):
            part[mark.__name__] = np.concatenate([mark(trace) for trace in result.traces])
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def rank_policies(tables: Mapping[str, Tables], shown: Mapping[str, SweepResult]) -> pd.DataFrame:
    """A row per figure, rho and policy, the best first: the mean, its 95 % interval, and shares of runs that
    ended on no best arm (`locked_share`) and that settled on a wrong one (`settled_share`).

    `tables` are those of simulated figures, by name, and `shown` what they show. The upper ends count disasters that
    are too rare for the runs to hold as many as they should (`claims.measurements.rare_disasters`).
    """
    import pandas as pd

    if not tables:
        return pd.DataFrame()
    return pd.concat([_ranked(name, one, shown[name]) for name, one in tables.items()], ignore_index=True)


def _ranked(name: str, tables: Tables, outcome: SweepResult) -> pd.DataFrame:
    main, runs = tables[""], tables["runs"]
    last = main[main["step"] == main["step"].max()]
    share = runs.groupby(["rho", "policy"])[["locked", "settled"]].mean().add_suffix("_share")
    kept = last[["rho", "policy", "step", "runs", "exact_pseudo_regret_mean", "exact_pseudo_regret_se"]]
    rows = kept.join(share, on=["rho", "policy"])
    mean, half = rows["exact_pseudo_regret_mean"], Z95 * rows["exact_pseudo_regret_se"]
    rises = _rises(outcome)
    rise = [rises[key] for key in zip(rows["rho"], rows["policy"], strict=True)]
    rows = rows.assign(exact_pseudo_regret_low=mean - half, exact_pseudo_regret_high=mean + half + rise)
    rows.insert(0, "figure", name)
    rows.insert(3, "rank", rows.groupby("rho")["exact_pseudo_regret_mean"].rank(method="min").astype(int))
    return rows.sort_values(["rho", "rank"], kind="stable")


def _rises(outcome: SweepResult) -> dict[tuple[float, str], float]:
    """By rho and policy, what rare disasters may add to the mean at the horizon."""
    found = {}
    for rho, result in zip(outcome.values, ends(outcome).results, strict=True):
        for trace in result.traces:
            rare = rare_disasters(trace, exact_pseudo_regret(trace)[:, -1], trace.horizon)
            found[rho, trace.label] = 0.0 if rare is None else rare.rise(TAIL)
    return found
