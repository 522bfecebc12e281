"""Arms as points, by what they pay and by what they cost, and where a policy spent its time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskbandits.plotting.colours import PALETTE
from riskbandits.plotting.words import as_it_stands

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

FULL = 900.0  # the area of the disc of a fund that was held all the time


def plot_funds(funds: pd.DataFrame, shares: pd.DataFrame, ax: Axes, place: int = 0) -> Axes:
    """A point per fund, mean against the mean of its worst days, and a disc whose area is the share of days in it.

    `funds` has the columns name, mean and cvar; `shares` fund, share and best, whose disc has a black edge. `place`
    chooses the colour.
    """
    at = dict(zip(funds["name"], zip(funds["cvar"].tolist(), funds["mean"].tolist(), strict=True), strict=True))
    held = zip(shares["fund"], shares["share"].tolist(), shares["best"], strict=True)
    for number, (fund, share, best) in enumerate(sorted(held, key=lambda one: at[one[0]])):
        x, y = at[fund]
        area, edge = FULL * share, "black" if best else "none"
        ax.scatter([x], [y], s=area, color=PALETTE[place % len(PALETTE)], alpha=0.5, linewidth=0)
        ax.scatter([x], [y], s=max(area, 30.0), facecolor="none", edgecolor=edge, linewidth=1.0)
        ax.plot([x], [y], ".", color="black", markersize=2.5)
        # Neighbours have their names on different sides.
        side, anchor = (1, "bottom") if number % 2 == 0 else (-1, "top")
        offset = (0.0, side * (4.0 + math.sqrt(area / math.pi)))
        label = f"{as_it_stands(fund)}, {100.0 * share:.0f} %"
        ax.annotate(label, (x, y), offset, textcoords="offset points", ha="center", va=anchor, fontsize=7)
    ax.margins(0.25, 0.25)
    ax.grid(True, which="major", alpha=0.3)
    ax.set_xlabel("mean of the worst day in twenty, %")
    ax.set_ylabel("mean daily return, %")
    return ax
