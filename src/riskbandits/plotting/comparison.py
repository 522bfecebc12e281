"""Comparison plots: relative regret per family of problems, and performance profiles."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from riskbandits.core import files
from riskbandits.plotting.axes import add_legend, axes, short
from riskbandits.plotting.colours import looks

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

EVERYTHING = "all problems"
BAND = 0.8  # of the height between two families, for their policies
HEIGHT_PER_DOT = 0.09
AXIS = "pseudo-regret relative to the best policy"


def plot_families(families: pd.DataFrame, leaderboard: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """A dot per family and policy: geometric mean over problems of the regret relative to the best, 95 % interval.

    The tables are those of a `Comparison`. Policies stand in the order of the leaderboard, the best on top.
    """
    import pandas as pd

    labels = leaderboard["policy"].tolist()
    table = pd.concat([leaderboard.assign(family=EVERYTHING), families], ignore_index=True)
    names = list(dict.fromkeys(table["family"]))
    ax = axes(ax, figure_size(len(names), len(labels)))
    # Looks follow the order of the alphabet, so that a policy keeps its colour when its rank changes.
    colours = looks(sorted(labels))
    for rank, label in enumerate(labels):
        rows = table[table["policy"] == label]
        offset = BAND * ((rank + 0.5) / len(labels) - 0.5)
        places = np.array([names.index(family) for family in rows["family"]]) + offset
        middle = rows["relative"].to_numpy()
        ends = np.abs(rows[["relative_low", "relative_high"]].to_numpy() - middle[:, None]).T
        ax.errorbar(
            middle,
            places,
            xerr=ends,
            fmt=colours[label].marker,
            color=colours[label].colour,
            label=short(label),
            markersize=4,
            elinewidth=1,
        )
    for place in range(1, len(names)):
        ax.axhline(place - 0.5, color="#cccccc", linewidth=0.6, zorder=0)
    ax.axvline(1.0, color="#777777", linewidth=0.8, zorder=0)
    ax.set_xscale("log")
    _plain_ticks(ax)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_yticks(range(len(names)), [short(name) for name in names])
    ax.set_xlabel(AXIS)
    ax.grid(True, axis="x", which="major", alpha=0.3)
    ax.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return ax


def plot_profile(problems: pd.DataFrame, labels: Sequence[str], ax: Axes | None = None) -> Axes:
    """Performance profiles: the share of the problems a policy supports with a relative regret of at most x."""
    ax = axes(ax)
    colours = looks(sorted(labels))
    furthest = float(problems["relative"].max())
    for label in labels:
        ratios = np.sort(np.maximum(problems.loc[problems["policy"] == label, "relative"].to_numpy(), 1.0))
        shares = np.arange(1, len(ratios) + 1) / len(ratios)
        x = np.concatenate([[1.0], ratios, [furthest]])
        y = np.concatenate([[0.0], shares, [1.0]])
        ax.step(x, y, where="post", color=colours[label].colour, linestyle=colours[label].dash, label=short(label))
    ax.set_xscale("log")
    _plain_ticks(ax)
    ax.set_ylim(0.0, 1.02)
    ax.set_xlabel(f"{AXIS}, at most")
    ax.set_ylabel("share of problems")
    ax.grid(True, which="major", alpha=0.3)
    add_legend(ax)
    return ax


def _plain_ticks(ax: Axes) -> None:
    """Ratios are read as 2 and 5, not as powers of ten."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def save_comparison(families: pd.DataFrame, leaderboard: pd.DataFrame, path: Path) -> Path:
    """Draw `plot_families` into a file."""
    # A figure of its own, without pyplot: nothing global changes and no window can open.
    from matplotlib.figure import Figure

    names = families["family"].nunique() + 1
    figure = Figure(figsize=figure_size(names, len(leaderboard)), layout="constrained")
    plot_families(families, leaderboard, ax=figure.subplots())
    with files.replacing(path) as temporary:
        figure.savefig(temporary, dpi=150, format=path.suffix.removeprefix("."))
    return path


def figure_size(families: int, policies: int) -> tuple[float, float]:
    """Inches that leave room for each dot."""
    return 8.5, 1.4 + HEIGHT_PER_DOT * families * max(policies, 3)
