"""Which arm is best for which range of rho."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.plotting.axes import USUAL, add_legend, axes, plain_numbers, room, short
from riskbandits.plotting.colours import PALETTE
from riskbandits.plotting.pulls import OTHERS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS = 200
MOST = 12  # arms with an area of their own; the others share one
AROUND = 10.0  # how far the axis goes beyond the first and the last switch
HATCHES = ("", "//", "..", "xx")  # when the colours have all been used
LEAST_TO_NAME = 0.12  # of the width of the axis, for a name inside an area
LETTER = 0.024  # of it, for each letter of the name
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
    shown.sort(key=lambda k: (k not in frontier.arms, -shares[:, k].max()))
    shown, rest = shown[:MOST], shown[MOST:]
    shown.sort(key=lambda k: (k not in frontier.arms, frontier.arms.index(k) if k in frontier.arms else k))
    heights = [shares[:, k] for k in shown] + ([shares[:, rest].sum(axis=1)] if rest else [])
    others = "1 other arm" if len(rest) == 1 else f"{len(rest)} other arms"
    areas = ax.stackplot(
        rhos,
        100.0 * np.array(heights),
        labels=[short(frontier.names[k]) for k in shown] + ([others] if rest else []),
        colors=[PALETTE[place % len(PALETTE)] for place in range(len(shown))] + ([OTHERS] if rest else []),
        alpha=0.55,
        linewidth=0.0,
    )
    for place, area in enumerate(areas[: len(shown)]):
        area.set_hatch(HATCHES[place // len(PALETTE) % len(HATCHES)])
    edges = [low, *switches, high]
    span = np.log(high / low) * max(1.0, USUAL[0] / room(ax)[0])  # letters do not shrink with the page
    for arm, left, right in zip(frontier.arms[-len(edges) + 1 :], edges, edges[1:], strict=False):
        name = short(frontier.names[arm])
        if np.log(right / left) > max(LEAST_TO_NAME, LETTER * len(name)) * span:
            ax.text(np.sqrt(left * right), 50.0, name, ha="center", va="center", fontsize="medium")
    last = 0.0
    for switch in switches:
        ax.axvline(switch, color="black", linewidth=0.8)
        if np.log(switch / max(last, low)) > LEAST_APART * span:
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
        ax.set_ylabel("share of resamples it leads, %")
    else:
        ax.set_yticks([])
        ax.set_ylabel("the best arm")
    add_legend(ax, "arm")
    return ax
