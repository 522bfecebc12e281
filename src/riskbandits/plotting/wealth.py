"""Money over time: growth of 1 unit, and how far it fell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.metrics.wealth import drawdowns, wealth
from riskbandits.plotting.colours import MARKERS, PALETTE
from riskbandits.plotting.ticks import plain_numbers
from riskbandits.plotting.words import as_it_stands

if TYPE_CHECKING:
    from matplotlib.axes import Axes

EVERY = 20  # days between points that are drawn
BAND = (5, 95)


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
