"""Bounds against rho, and measured growth against bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.core.errors import must_be
from riskbandits.inference.intervals import Z95
from riskbandits.plotting.axes import add_legend, axes
from riskbandits.plotting.colours import PALETTE, looks
from riskbandits.theory import Bound

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

CLEAR: dict[str, Any] = {"bbox": {"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 0.6}}
ABOVE: dict[str, Any] = {"xytext": (-6, 6), "ha": "right", **CLEAR}  # where the numbers of a curve stand
BELOW: dict[str, Any] = {"xytext": (6, -12), "ha": "left", **CLEAR}


def plot_bounds(bounds: Sequence[Bound], ax: Axes | None = None) -> Axes:
    """The total of each bound against rho, both axes logarithmic: solid where the bound applies, dotted elsewhere.

    Each bound must have been computed for an array of rho; rho = 0 cannot be drawn on a logarithmic axis.
    """
    if not bounds or any(np.ndim(bound.rho) != 1 for bound in bounds):
        raise must_be("The bounds of a plot", "a list of bounds, each over an array of rho", list(bounds))
    ax = axes(ax)
    for place, bound in enumerate(bounds):
        colour = PALETTE[place % len(PALETTE)]
        drawn = (np.asarray(bound.rho) > 0.0) & np.isfinite(bound.total) & (bound.total > 0.0)
        total = np.where(drawn, bound.total, np.nan)
        ax.plot(bound.rho, total, color=colour, linestyle=":", linewidth=1.0)
        ax.plot(bound.rho, np.where(bound.applies, total, np.nan), color=colour, label=bound.name)
    ax.set_xscale("log")
    if any(np.isfinite(line.get_ydata()).any() for line in ax.lines):
        ax.set_yscale("log")
    ax.set_xlabel("risk tolerance ρ")
    ax.set_ylabel("pseudo-regret per ln n")
    ax.grid(True, which="major", alpha=0.3)
    add_legend(ax, "dotted: assumptions fail")
    return ax


def plot_slopes(
    table: pd.DataFrame,
    lines: Mapping[str, float],
    anchor: int | None = None,
    quantity: str = "pulls of wrong arms",
    ax: Axes | None = None,
) -> Axes:
    """Measured growth against ln n, its local slopes written beside it, and straight lines with the bounds' slopes.

    `table` has the columns of `metrics.growth_table`; `lines` maps names to slopes per unit of ln n. The lines
    start from the first policy's mean at the step `anchor` (default: the first step): only slopes are compared.
    """
    ax = axes(ax)
    labels = list(dict.fromkeys(table["policy"]))
    highest = table.groupby("policy")["mean"].max().idxmax()
    for label, look in looks(labels).items():
        beside = ABOVE if label == highest else BELOW
        rows = table[table["policy"] == label]
        steps, mean = rows["step"].to_numpy(), rows["mean"].to_numpy()
        half = Z95 * np.nan_to_num(rows["se"].to_numpy())
        ax.errorbar(steps, mean, yerr=half, label=label, color=look.colour, linestyle=look.dash, marker="o", capsize=3)
        for k, slope in enumerate(np.diff(mean) / np.diff(np.log(steps))):
            middle = (np.sqrt(steps[k] * steps[k + 1]), 0.5 * (mean[k] + mean[k + 1]))
            ax.annotate(f"{slope:.3g}", middle, textcoords="offset points", color=look.colour, zorder=4, **beside)
    first = table[table["policy"] == labels[0]]
    start = first.iloc[0] if anchor is None else first[first["step"] == anchor].iloc[0]
    steps = np.geomspace(start["step"], first["step"].max(), 50)
    for place, (name, slope) in enumerate(lines.items()):
        values = start["mean"] + slope * np.log(steps / start["step"])
        colour = PALETTE[::-1][place % len(PALETTE)]
        ax.plot(steps, values, color=colour, linestyle="--", linewidth=1.0, label=f"{name}: {slope:.3g}")
    ax.set_xscale("log")
    ax.set_xlabel("step n")
    ax.set_ylabel(quantity)
    ax.grid(True, which="major", alpha=0.3)
    add_legend(ax, "numbers: growth per unit of ln n")
    return ax
