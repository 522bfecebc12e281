"""A metric as a line with its band per policy: over time, and at the horizon against a parameter such as rho."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskbandits.core.errors import must_be, unknown_name
from riskbandits.inference.intervals import Z95
from riskbandits.metrics.metric import Metric, find
from riskbandits.plotting.axes import (
    add_legend,
    as_it_stands,
    axes,
    marker_size,
    plain_numbers,
    scale_regrets,
    short,
    whole_thousands,
)
from riskbandits.plotting.colours import looks

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

PARAMETERS = {"rho": "risk tolerance ρ", "level": "level of the lower tail", "aversion": "risk aversion"}
WIDE = 30.0  # values whose largest is so many times the smallest get a logarithmic axis
LABEL = "ln(regret)"


def draw_lines(
    table: pd.DataFrame, along: str, metric: str, ax: Axes, marks_apart: int = 1, logarithm: bool = False
) -> None:
    """Mean of a metric over runs and its 95 % band against the column `along`, or the natural logarithm of both.

    Values that are not positive cannot be drawn on a log axis and are left out. Every `marks_apart`-th point gets a
    marker, staggered between lines, so that coinciding lines are both visible.
    """
    needed = ["policy", along, f"{metric}_mean", f"{metric}_se"]
    if not hasattr(table, "columns") or any(name not in table.columns for name in needed):
        raise must_be("The table of a plot", f"a pandas table with the columns {', '.join(needed)}", table)
    labels = list(dict.fromkeys(table["policy"]))
    for place, (label, look) in enumerate(looks(labels).items()):
        rows = table[table["policy"] == label]
        x, mean = rows[along].to_numpy(), rows[f"{metric}_mean"].to_numpy()
        half = Z95 * np.nan_to_num(rows[f"{metric}_se"].to_numpy())
        low, high = mean - half, mean + half
        if metric == "best_arm_share":
            low, high = np.clip((low, high), 0.0, 1.0)
        if logarithm:
            mean, low, high = (np.log(np.where(values > 0.0, values, np.nan)) for values in (mean, low, high))
        apart = min(marks_apart, len(rows))
        # Dashed lines above solid ones, for the same reason.
        ax.plot(
            x,
            mean,
            label=short(label),
            color=look.colour,
            linestyle=look.dash,
            marker=look.marker,
            markersize=marker_size(ax),
            markevery=(place * apart // len(labels), apart),
            zorder=2 + (look.dash != "-"),
        )
        ax.fill_between(x, low, high, color=look.colour, alpha=0.2, linewidth=0)
    ax.grid(True, which="major", alpha=0.3)


def plot_over_time(table: pd.DataFrame, metric: str | Metric = "exact_pseudo_regret", ax: Axes | None = None) -> Axes:
    """Mean of a metric over runs with its 95 % band, one line per policy; both axes logarithmic for regrets."""
    drawn = find(metric)
    ax = axes(ax)
    draw_lines(table, "step", drawn.name, ax, marks_apart=8)
    ax.set_xscale("log")
    plain_numbers(ax.xaxis)
    if drawn.logarithmic:
        scale_regrets(ax)
    ax.set_xlabel("step")
    ax.set_ylabel(as_it_stands(drawn.label))
    add_legend(ax)
    return ax


def plot_against(
    table: pd.DataFrame, parameter: str = "rho", metric: str | Metric = "exact_pseudo_regret", ax: Axes | None = None
) -> Axes:
    """Mean of a metric over runs with its 95 % band at the last step, one line per policy.

    `table` is that of a sweep over `parameter`. Regrets have a logarithmic axis, and so has the parameter
    if its values are positive numbers of different orders of magnitude; words stand side by side.
    """
    drawn = find(metric)
    if parameter not in table:
        raise unknown_name("column", parameter, table.columns)
    ax = axes(ax)
    last = table[table["step"] == table["step"].max()]
    if last[parameter].dtype.kind not in "iufb":  # words are the marks on the axis
        last = last.assign(**{parameter: [as_it_stands(word) for word in last[parameter]]})
    draw_lines(last, parameter, drawn.name, ax)
    scale_parameter(last[parameter], ax)
    if drawn.logarithmic:
        scale_regrets(ax)
    ax.set_xlabel(PARAMETERS.get(parameter, as_it_stands(parameter)))
    ax.set_ylabel(f"{as_it_stands(drawn.label)} at step {int(last['step'].iloc[0]):,}")
    add_legend(ax)
    return ax


def scale_parameter(values: pd.Series, ax: Axes) -> None:
    """A logarithmic axis for numbers of different orders of magnitude."""
    if values.dtype.kind in "iuf" and np.min(values) > 0 and np.max(values) >= WIDE * np.min(values):
        ax.set_xscale("log")
        plain_numbers(ax.xaxis)


def plot_ln_over_time(table: pd.DataFrame, ax: Axes) -> Axes:
    """Ln of the mean regret at the steps of the table, with its 95 % band."""
    draw_lines(table, "step", "regret", ax, logarithm=True)
    whole_thousands(ax.xaxis)
    ax.set_xlabel("step")
    ax.set_ylabel(LABEL)
    return ax


def plot_ln_against(table: pd.DataFrame, ax: Axes, parameter: str = "rho") -> Axes:
    """Ln of the mean regret at the last step against a parameter, with its 95 % band."""
    last = table[table["step"] == table["step"].max()]
    draw_lines(last, parameter, "regret", ax, logarithm=True)
    scale_parameter(last[parameter], ax)
    ax.set_xlabel(PARAMETERS.get(parameter, parameter))
    ax.set_ylabel(f"{LABEL} at step {int(last['step'].iloc[0]):,}")
    return ax
