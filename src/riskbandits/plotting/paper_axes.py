"""The axes of Zhu & Tan (2020): the natural logarithm of the mean regret, over time and against rho."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskbandits.plotting.against import PARAMETERS, scale_parameter
from riskbandits.plotting.lines import draw_lines
from riskbandits.plotting.ticks import whole_thousands

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

LABEL = "ln(regret)"


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
    ax.set_ylabel(f"{LABEL} at step {int(last['step'].iloc[0]):,}".replace(",", " "))
    return ax
