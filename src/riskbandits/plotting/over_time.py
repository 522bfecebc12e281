"""A metric against the number of steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskbandits.core.errors import unknown_name
from riskbandits.plotting.axes import axes
from riskbandits.plotting.lines import NAMES, draw_lines
from riskbandits.plotting.ticks import plain_numbers

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


def plot_over_time(table: pd.DataFrame, metric: str = "exact_pseudo_regret", ax: Axes | None = None) -> Axes:
    """Mean of a metric over runs with its 95 % band, one line per policy; both axes logarithmic for regrets."""
    if not isinstance(metric, str) or metric not in NAMES:
        raise unknown_name("metric", metric, NAMES)
    ax = axes(ax)
    draw_lines(table, "step", metric, ax, marks_apart=8)
    ax.set_xscale("log")
    plain_numbers(ax.xaxis)
    if metric != "best_arm_share":
        ax.set_yscale("log", nonpositive="mask")
        plain_numbers(ax.yaxis)
    ax.set_xlabel("step")
    ax.set_ylabel(NAMES[metric])
    ax.legend(frameon=False)
    return ax
