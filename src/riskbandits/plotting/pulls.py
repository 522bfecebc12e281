"""Which arms were played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from riskbandits.plotting.axes import add_legend, axes, row_letters, row_names, short
from riskbandits.plotting.colours import PALETTE

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

MOST = 7  # arms that have a colour of their own; the others share one
OTHERS = "#BBBBBB"
MANY = 25  # arms whose names must be small
LETTERS_IN_A_ROW = 72  # of names side by side
LONGEST = 20  # letters of the name of an arm


def plot_pulls(table: pd.DataFrame, labels: Sequence[str], ax: Axes | None = None) -> Axes:
    """A bar per policy, cut into the shares of its pulls that went to each arm, the best arm first.

    `table` has a row per arm: arm (its name), gap, best, and a column "LABEL pulls" per policy.
    """
    ax = axes(ax)
    order = table.sort_values("gap", kind="stable")
    named, rest = order.iloc[:MOST], order.iloc[MOST:]
    starts = dict.fromkeys(labels, 0.0)
    for place, (_, row) in enumerate(named.iterrows()):
        name = f"{short(row['arm'], LONGEST)}{' (best)' if row['best'] else ''}"
        _stack(ax, labels, starts, [100.0 * row[f"{label} pulls"] for label in labels], PALETTE[place], name)
    if len(rest):
        widths = [100.0 * float(rest[f"{label} pulls"].sum()) for label in labels]
        _stack(ax, labels, starts, widths, OTHERS, f"{len(rest)} other arms")
    ax.set_yticks(range(len(labels)), row_names(ax, labels), fontsize=row_letters(ax, len(labels)))
    ax.invert_yaxis()
    ax.set_xlim(0.0, 100.0)
    ax.set_xlabel("share of pulls, %")
    add_legend(ax, "arm")
    return ax


def plot_named(table: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """How often a rule names each arm (bars), and the share of rewards it looks at from it (dots); the best is starred.

    `table` has a row per arm: arm (its name), named, rewards and maybe best.
    """
    ax = axes(ax)
    best = table["best"] if "best" in table else [False] * len(table)
    names = [f"{short(name)}{' *' if star else ''}" for name, star in zip(table["arm"], best, strict=True)]
    places = list(range(len(table)))
    ax.bar(places, 100.0 * table["named"], color=PALETTE[0], alpha=0.75, label="named, % of runs")
    ax.plot(places, 100.0 * table["rewards"] / table["rewards"].sum(), "o", color="black", label="share of rewards, %")
    if len(names) * max(map(len, names)) > LETTERS_IN_A_ROW:
        size = "medium" if len(names) <= MANY else "xx-small"
        ax.set_xticks(places, names, rotation=90, fontsize=size)
    else:
        ax.set_xticks(places, names)
    ax.set_ylim(0.0, 100.0)
    ax.set_xlabel("arm (* the best)")
    add_legend(ax)
    return ax


def _stack(
    ax: Axes, labels: Sequence[str], starts: dict[str, float], widths: list[float], colour: str, name: str
) -> None:
    ax.barh(range(len(labels)), widths, left=list(starts.values()), color=colour, alpha=0.75, label=name, height=0.7)
    for label, width in zip(labels, widths, strict=True):
        starts[label] += width
