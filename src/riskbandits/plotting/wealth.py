"""Money over time: growth of 1 unit, how far it fell, and the funds that it was in."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.metrics.wealth import drawdowns, wealth
from riskbandits.plotting.axes import as_it_stands, plain_numbers
from riskbandits.plotting.colours import MARKERS, PALETTE

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

EVERY = 20  # days between points that are drawn
BAND = (5, 95)
FULL = 900.0  # the area of the disc of a fund that was held all the time


def plot_wealth(days: Any, lives: Mapping[str, np.ndarray], held: Mapping[str, np.ndarray], ax: Axes) -> Axes:
    """Growth of 1 unit: the median over lives and where 90 % of them lie; in grey, funds that were simply held.

    `lives` holds daily returns in percent, (lives, days), by name; `held` those of funds, (days,).
    """
    _draw(days, {name: wealth(found) for name, found in lives.items()}, ax)
    for name, daily in held.items():
        worth = wealth(daily)
        points = _points(len(worth))
        ax.plot(np.asarray(days)[points], worth[points], color="grey", linewidth=0.5, zorder=1)
        ax.annotate(
            as_it_stands(name), (days[-1], worth[-1]), (3, 0), textcoords="offset points", va="center", fontsize=6.5
        )
    ax.set_yscale("log")
    plain_numbers(ax.yaxis)
    ax.set_ylabel("growth of 1")
    return ax


def plot_drawdowns(days: Any, lives: Mapping[str, np.ndarray], ax: Axes) -> Axes:
    """How far wealth stands below its highest point so far, in percent: median and 90 % of the lives."""
    _draw(days, {name: drawdowns(wealth(found)) for name, found in lives.items()}, ax)
    ax.set_ylabel("below its peak, %")
    return ax


def _draw(days: Any, lines: Mapping[str, np.ndarray], ax: Axes) -> None:
    points = _points(len(days))
    days = np.asarray(days)[points]
    for place, (name, found) in enumerate(lines.items()):
        low, high = np.percentile(found[:, points], BAND, axis=0)
        colour, marker = PALETTE[place % len(PALETTE)], MARKERS[place % len(MARKERS)]
        apart = max(1, len(days) // 8)
        marks = (place * apart // len(lines), apart)
        middle = np.median(found[:, points], axis=0)
        ax.plot(days, middle, color=colour, label=as_it_stands(name), marker=marker, markevery=marks, linewidth=1.0)
        ax.fill_between(days, low, high, color=colour, alpha=0.15, linewidth=0)
    ax.margins(x=0.07)
    ax.grid(True, which="major", alpha=0.3)


def _points(days: int) -> np.ndarray:
    """The days that are drawn, the last one among them."""
    return np.unique(np.append(np.arange(0, days, EVERY), days - 1))


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
