"""A metric at the horizon against a parameter, such as rho."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskbandits.core.errors import unknown_name
from riskbandits.metrics.metric import Metric, find
from riskbandits.plotting.axes import axes
from riskbandits.plotting.lines import draw_lines
from riskbandits.plotting.ticks import plain_numbers
from riskbandits.plotting.words import as_it_stands

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

PARAMETERS = {"rho": "risk tolerance ρ", "level": "level of the lower tail", "aversion": "risk aversion"}
WIDE = 30.0  # values whose largest is so many times the smallest get a logarithmic axis


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
        ax.set_yscale("log", nonpositive="mask")
        plain_numbers(ax.yaxis)
    ax.set_xlabel(PARAMETERS.get(parameter, as_it_stands(parameter)))
    ax.set_ylabel(f"{as_it_stands(drawn.label)} at step {int(last['step'].iloc[0]):,}".replace(",", " "))
    ax.legend(frameon=False)
    return ax


def scale_parameter(values: pd.Series, ax: Axes) -> None:
    """A logarithmic axis for numbers of different orders of magnitude."""
    if values.dtype.kind in "iuf" and np.min(values) > 0 and np.max(values) >= WIDE * np.min(values):
        ax.set_xscale("log")
        plain_numbers(ax.xaxis)
