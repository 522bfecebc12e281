"""The tables that a result displays: the policies ranked at the horizon, and the arms by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from riskbandits.core.display import Grid, counted, format_number, format_share, format_with_error, listed
from riskbandits.core.errors import ParameterError
from riskbandits.metrics.locking import settled
from riskbandits.metrics.metric import main_metric
from riskbandits.metrics.summary import final_table
from riskbandits.problem import Problem
from riskbandits.simulation.trace import Trace
from riskbandits.theory.locking import known_share

if TYPE_CHECKING:
    import pandas as pd

MOST_NAMED = 8  # arms listed with their values


def best_in_words(problem: Problem) -> str:
    """Which arm is the best, and the value of each.

    >>> import riskbandits as rb
    >>> best_in_words(rb.Problem(rb.GaussianArms([0, 1], [1, 1], names=["bond", "stock"]), rb.MeanVariance(2)))
    'Best arm: stock (value 1); then bond (-1).'
    """
    order = sorted(range(problem.size), key=lambda k: (problem.gaps[k], k))
    best = [k for k in order if problem.gaps[k] == 0.0]
    names = ", ".join(problem.names[k] for k in best[:MOST_NAMED]) + (", ..." if len(best) > MOST_NAMED else "")
    word = "arm" if len(best) == 1 else "arms"
    others = [f"{problem.names[k]} ({format_number(problem.values[k])})" for k in order[len(best) :]]
    if len(others) > MOST_NAMED:
        others = [*others[: MOST_NAMED - 1], f"... {others[-1]}"]
    then = f"; then {', '.join(others)}" if others else ""
    where = (
        "At average features, best" if problem.has_features else "At the first step, best" if problem.drifts else "Best"
    )
    return f"{where} {word}: {names} (value {format_number(problem.values[best[0]])}){then}."


def arm_table(traces: Sequence[Trace]) -> pd.DataFrame:
    """One row per arm: its name, mean, variance, value and gap, whether it is a best one, and its share of pulls."""
    import pandas as pd

    problem = traces[0].problem
    columns: dict[str, Any] = {
        "arm": problem.names,
        "mean": problem.means,
        "variance": problem.variances,
        "value": problem.values,
        "gap": problem.gaps,
        "best": problem.gaps == 0.0,
    }
    for trace in traces:
        columns[f"{trace.label} pulls"] = trace.pulls.mean(axis=0) / trace.horizon
    return pd.DataFrame(columns)


def ranking(traces: Sequence[Trace]) -> Grid:
    """The policies at the horizon, the smallest regret first; `final_table` has every number."""
    problem, first = traces[0].problem, traces[0]
    main = main_metric(problem)
    name = {"exact_pseudo_regret": "pseudo-regret"}.get(main, main.replace("_", " "))
    wrong = settled_shares(traces) if main == "exact_pseudo_regret" else {}
    heads = ["", "policy", f"{name} ± s.e.", "best-arm share", *(["settled"] if wrong else [])]
    rows = []
    for row in final_table(traces).to_dict(orient="records"):
        regret = format_with_error(row[f"{main}_mean"], row[f"{main}_se"])
        shares = [row["best_arm_share_mean"], *([wrong[row["policy"]]] if wrong else [])]
        rows.append([str(row["rank"]), row["policy"], regret, *(format_share(share) for share in shares)])
    title = f"{problem!r}: {counted(first.horizon, 'step')}, {counted(first.runs, 'run')}\n{best_in_words(problem)}"
    return Grid(title, heads, rows, _notes(traces, name, bool(wrong)), left=2)


def settled_shares(traces: Sequence[Trace]) -> dict[str, float]:
    """By label, the share of runs that settled on a wrong arm; empty if half the horizon is no checkpoint."""
    try:
        return {trace.label: float(settled(trace).mean()) for trace in traces}
    except ParameterError:
        return {}


def _notes(traces: Sequence[Trace], name: str, wrong: bool) -> list[str]:
    problem = traces[0].problem
    switching = problem.charges_switching and name == "pseudo-regret"
    gaps = "gaps of the arms played" + (", and the cost of switching between their means" if switching else "")
    notes = [f"{name.capitalize()} at the horizon: {gaps}. Mean over runs ± standard error (s.e.)."]
    if wrong:
        notes.append("Settled: runs that ended on one wrong arm and no longer tried the best one.")
    locking = [trace.label for trace in traces if known_share(trace.policy, problem) > 0.0]
    if locking:
        notes.append(
            f"{listed(locking)} can settle on a wrong arm for good. Standard errors reflect only the runs made: a "
            "failure too rare to occur among them is not included; `compare` allows for it."
        )
    return notes
