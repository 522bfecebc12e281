"""What other choices would have paid, with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskbandits.plotting.axes import axes, short
from riskbandits.plotting.colours import PALETTE

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

HEIGHT, HEIGHT_PER_TARGET = 1.2, 0.35


def plot_evaluation(table: pd.DataFrame, measure: str, ax: Axes | None = None) -> Axes:
    """The value of each target with its 95 % interval; the table is that of an `Evaluation`."""
    ax = axes(ax, (7.2, HEIGHT + HEIGHT_PER_TARGET * len(table)))
    values = table["value"].to_numpy(dtype=float)
    ends = np.abs(table[["low", "high"]].to_numpy(dtype=float).T - values)
    places = np.arange(len(table))
    ax.errorbar(values, places, xerr=ends, fmt="o", color=PALETTE[0], capsize=3)
    ax.set_yticks(places, [short(name) for name in table["target"]])
    ax.set_ylim(len(table) - 0.5, -0.5)
    ax.set_xlabel(f"value by {measure}, with 95 % interval")
    ax.grid(True, axis="x", alpha=0.3)
    return ax
