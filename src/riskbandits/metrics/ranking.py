"""The tables that a result displays: the policies ranked at the horizon, and the arms by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from riskbandits.core.display import Grid, counted, format_interval, format_with_error
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
    others = [f"{problem.names[k]} ({problem.values[k]:.4g})" for k in order[len(best) :]]
    if len(others) > MOST_NAMED:
        others = [*others[: MOST_NAMED - 1], f"... {others[-1]}"]
    then = f"; then {', '.join(others)}" if others else ""
    return f"Best {word}: {names} (value {problem.values[best[0]]:.4g}){then}."


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
    """The policies at the horizon, the smallest regret first."""
    problem, first = traces[0].problem, traces[0]
    charged, main = problem.charges_switching and not problem.drifts, main_metric(problem)
    name = "dynamic regret" if problem.drifts else "pseudo-regret"
    heads = ["", "policy", f"{name} ± standard error", "95 % interval", "5 % .. 95 % of runs"]
    heads += ["regret ± standard error", "pseudo-regret as printed ± s.e."] if charged else []
    heads += ["best-arm share"]
    rows = []
    for row in final_table(traces).to_dict(orient="records"):
        mean, error = row[f"{main}_mean"], row[f"{main}_se"]
        cells = [str(row["rank"]), row["policy"], format_with_error(mean, error), format_interval(mean, error)]
        cells += [f"{row[f'{main}_q05']:.4g} .. {row[f'{main}_q95']:.4g}"]
        if charged:
            cells += [format_with_error(row["regret_mean"], row["regret_se"])]
            cells += [format_with_error(row["pseudo_regret_mean"], row["pseudo_regret_se"])]
        rows.append([*cells, f"{row['best_arm_share_mean']:.1%}"])
    title = f"{problem!r}: {counted(first.horizon, 'step')}, {counted(first.runs, 'run')}\n{best_in_words(problem)}"
    notes = [f"Means over runs at the horizon, ranked by {name}; the interval is that of its mean."]
    locking = [trace.label for trace in traces if known_share(trace.policy, problem) > 0.0]
    if locking:
        notes.append(
            f"{', '.join(locking)} can settle on a wrong arm for good. Intervals are by the spread of these runs: "
            "they do not count such runs that are too rare to be met here (those of compare do)."
        )
    if charged:
        notes.append("Pseudo-regret: gaps of the arms played and the cost of switching between their means.")
        notes.append("s.e.: standard error.")
    elif not problem.drifts:
        notes.append("Pseudo-regret: gaps of the arms played.")
    return Grid(title, heads, rows, notes, left=2)
