"""Which arm is best for which range of rho."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.plotting.axes import as_it_stands, axes, plain_numbers
from riskbandits.plotting.colours import PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS = 200
AROUND = 10.0  # how far the axis goes beyond the first and the last switch
HATCHES = ("", "//", "..", "xx")  # when the colours have all been used
LEAST_TO_NAME = 0.12  # of the width of the axis, for a name inside an area
LEAST_APART = 0.06  # of it, for two numbers side by side


def plot_frontier(frontier: Any, ax: Axes | None = None) -> Axes:
    """For every rho, the share of resamples in which each arm is the best, as stacked areas; switches are lines.

    Without resamples the shares are 1 and 0, and the areas simply show the best arm.
    """
    ax = axes(ax)
    switches = [one for one in frontier.switches if one > 0.0]
    low, high = (switches[0] / AROUND, switches[-1] * AROUND) if switches else (0.01, 100.0)
    beside = [one * factor for one in switches for factor in (1 - 1e-9, 1 + 1e-9)]
    rhos = np.sort([*np.geomspace(low, high, POINTS), *beside])
    shares = frontier.shares(rhos)
    shown = [k for k in range(len(frontier.names)) if shares[:, k].max() > 0.0]
    shown.sort(key=lambda k: (k not in frontier.arms, frontier.arms.index(k) if k in frontier.arms else k))
    areas = ax.stackplot(
        rhos,
        100.0 * shares[:, shown].T,
        labels=[as_it_stands(frontier.names[k]) for k in shown],
        colors=[PALETTE[place % len(PALETTE)] for place in range(len(shown))],
        alpha=0.55,
        linewidth=0.0,
    )
    for place, area in enumerate(areas):
        area.set_hatch(HATCHES[place // len(PALETTE) % len(HATCHES)])
    edges = [low, *switches, high]
    for arm, left, right in zip(frontier.arms[-len(edges) + 1 :], edges, edges[1:], strict=False):
        if np.log(right / left) > LEAST_TO_NAME * np.log(high / low):
            name = as_it_stands(frontier.names[arm])
            ax.text(np.sqrt(left * right), 50.0, name, ha="center", va="center", fontsize="medium")
    last = 0.0
    for switch in switches:
        ax.axvline(switch, color="black", linewidth=0.8)
        if np.log(switch / max(last, low)) > LEAST_APART * np.log(high / low):
            at = (switch, 1.0)
            ax.annotate(
                f"{switch:.3g}", at, (0, 2), ("data", "axes fraction"), "offset points", ha="center", fontsize="small"
            )
            last = switch
    ax.set_xscale("log")
    plain_numbers(ax.xaxis)
    ax.set_xlim(low, high)
    ax.set_ylim(0.0, 100.0)
    ax.set_xlabel("risk tolerance ρ, in units of the rewards")
    if frontier.is_estimated:
        ax.set_ylabel("resamples in which the arm is the best, %")
    else:
        ax.set_yticks([])
        ax.set_ylabel("the best arm")
    ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False, title="arm")
    return ax
