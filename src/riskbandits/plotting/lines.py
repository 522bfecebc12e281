"""A line with its band per policy: what plots over time and against a parameter share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskbandits.core.errors import must_be
from riskbandits.inference.intervals import Z95
from riskbandits.plotting.colours import looks
from riskbandits.plotting.words import as_it_stands

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


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
        if logarithm:
            mean, low, high = (np.log(np.where(values > 0.0, values, np.nan)) for values in (mean, low, high))
        # Dashed lines above solid ones, for the same reason.
        ax.plot(
            x,
            mean,
            label=as_it_stands(label),
            color=look.colour,
            linestyle=look.dash,
            marker=look.marker,
            markevery=(place * marks_apart // max(1, len(labels)), marks_apart),
            zorder=2 + (look.dash != "-"),
        )
        ax.fill_between(x, low, high, color=look.colour, alpha=0.2, linewidth=0)
    ax.grid(True, which="major", alpha=0.3)
