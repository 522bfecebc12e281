"""One dot per run: what a mean hides."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskbandits.metrics.metric import METRICS
from riskbandits.plotting.axes import as_it_stands, axes, plain_numbers
from riskbandits.plotting.colours import looks

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

METRIC = "exact_pseudo_regret"
GOLDEN = 0.6180339887498949
DOT = (2.2, 5.0)  # the smallest and the largest


def plot_runs(table: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """A row per policy and a dot per run at its pseudo-regret; runs that settled on a wrong arm are crosses.

    `table` has the columns policy, run, exact_pseudo_regret and settled. The share of crosses stands at the
    right.
    """
    ax = axes(ax)
    labels = list(dict.fromkeys(table["policy"]))
    for place, (label, look) in enumerate(looks(labels).items()):
        rows = table[table["policy"] == label]
        values, is_settled = rows[METRIC].to_numpy(), rows["settled"].to_numpy(dtype=bool)
        # Spread evenly by the number of the run: the same picture every time.
        height = place + 0.6 * ((rows["run"].to_numpy() * GOLDEN) % 1.0 - 0.5)
        size = min(max(40.0 / np.sqrt(len(values)), DOT[0]), DOT[1])
        ax.plot(values[~is_settled], height[~is_settled], ".", color=look.colour, markersize=size, markeredgewidth=0.0)
        ax.plot(values[is_settled], height[is_settled], "x", color="black", markersize=2.6, markeredgewidth=0.5)
        for value, width in ((np.mean(values), 1.6), (np.median(values), 0.7)):
            ax.plot([value, value], [place - 0.42, place + 0.42], color="black", linewidth=width, zorder=4)
        share = f"{np.mean(is_settled):.1%}".replace("%", " %")
        ax.text(1.02, place, share, transform=ax.get_yaxis_transform(), va="center", fontsize="small")
    ax.set_yticks(range(len(labels)), [as_it_stands(label) for label in labels])
    ax.set_ylim(len(labels) - 0.5, -0.5)
    ax.set_xscale("log", nonpositive="mask")
    plain_numbers(ax.xaxis)
    ax.grid(True, axis="x", which="major", alpha=0.3)
    ax.set_xlabel(f"{METRICS[METRIC].label} of a run")
    # For the legend alone.
    ax.plot([], [], ".", color="grey", label="one run")
    ax.plot([], [], "x", color="black", markersize=3.5, label="settled on a wrong arm")
    ax.plot([], [], color="black", linewidth=1.6, label="mean")
    ax.plot([], [], color="black", linewidth=0.7, label="median")
    return ax
