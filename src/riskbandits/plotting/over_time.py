"""A metric against the number of steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskbandits.metrics.metric import Metric, find
from riskbandits.plotting.axes import axes
from riskbandits.plotting.lines import draw_lines
from riskbandits.plotting.ticks import plain_numbers
from riskbandits.plotting.words import as_it_stands

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


def plot_over_time(table: pd.DataFrame, metric: str | Metric = "exact_pseudo_regret", ax: Axes | None = None) -> Axes:
    """Mean of a metric over runs with its 95 % band, one line per policy; both axes logarithmic for regrets."""
    drawn = find(metric)
    ax = axes(ax)
    draw_lines(table, "step", drawn.name, ax, marks_apart=8)
    ax.set_xscale("log")
    plain_numbers(ax.xaxis)
    if drawn.logarithmic:
        ax.set_yscale("log", nonpositive="mask")
        plain_numbers(ax.yaxis)
    ax.set_xlabel("step")
    ax.set_ylabel(as_it_stands(drawn.label))
    ax.legend(frameon=False)
    return ax
