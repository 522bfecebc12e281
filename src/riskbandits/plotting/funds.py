"""Arms as points, by what they pay and by what they cost, and where a policy spent its time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskbandits.plotting.colours import PALETTE

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

FULL = 900.0  # the area of the disc of a fund that was held all the time


def plot_funds(funds: pd.DataFrame, shares: pd.DataFrame, ax: Axes, place: int = 0) -> Axes:
    """A point per fund, mean against the mean of its worst days, and a disc whose area is the share of days in it.

    `funds` has the columns name, mean and cvar; `shares` fund, share and best, whose disc has a black edge. `place`
    chooses the colour.
    """
    at = {row.name: (row.cvar, row.mean) for row in funds.itertuples(index=False)}
    ordered = sorted(shares.itertuples(index=False), key=lambda row: at[row.fund])
    for number, row in enumerate(ordered):
        x, y = at[row.fund]
        edge = "black" if row.best else "none"
        ax.scatter([x], [y], s=FULL * row.share, color=PALETTE[place % len(PALETTE)], alpha=0.5, linewidth=0)
        ax.scatter([x], [y], s=max(FULL * row.share, 30.0), facecolor="none", edgecolor=edge, linewidth=1.0)
        ax.plot([x], [y], ".", color="black", markersize=2.5)
        # Neighbours have their names on different sides.
        side, away = (1, "bottom") if number % 2 == 0 else (-1, "top")
        offset = side * (4.0 + math.sqrt(FULL * row.share / math.pi))
        label = f"{row.fund}, {100.0 * row.share:.0f} %"
        ax.annotate(label, (x, y), (0, offset), textcoords="offset points", ha="center", va=away, fontsize=7)
    ax.margins(0.25, 0.25)
    ax.grid(True, which="major", alpha=0.3)
    ax.set_xlabel("mean of the worst day in twenty, %")
    ax.set_ylabel("mean daily return, %")
    return ax
