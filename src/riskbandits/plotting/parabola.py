"""The value of a Bernoulli arm, rho p - p(1 - p): a parabola, so that two probabilities are worth the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from riskbandits.plotting.colours import DASHES, PALETTE

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


def plot_parabola(curve: pd.DataFrame, points: pd.DataFrame, ax: Axes) -> Axes:
    """One parabola, the value of the best arm, and the two probabilities that have it: the sketch of the paper.

    `curve` has the columns p and value; `points` the two probabilities, with the column kind: "best" or "root".
    """
    ax.plot(curve["p"], curve["value"], color="black")
    level = points["value"].iloc[0]
    ax.plot([0.0, 1.0], [level, level], color=PALETTE[0], linestyle=":")
    ax.plot([0.0], [level], "o", color="black", clip_on=False)
    ax.annotate("$\\mathrm{MV}_1$", (0.0, level), xytext=(4, -10), textcoords="offset points")
    names = {"best": "$p_1$", "root": "$1-\\rho-p_1$"}
    for p, value, kind in points[["p", "value", "kind"]].itertuples(index=False):
        ax.plot([p, p], [value, 0.0], color="black", linestyle=":")
        ax.plot([p], [0.0], "o", color="black")
        ax.annotate(names[kind], (p, 0.0), xytext=(0, 6), textcoords="offset points", ha="center")
    ax.axhline(0.0, color="black", linewidth=0.6)
    ax.set_xlim(0.0, 1.0)
    ax.set_xlabel("success probability p")
    ax.set_ylabel("$\\rho p-p(1-p)$")
    return ax


def plot_parabolas(curves: pd.DataFrame, points: pd.DataFrame, ax: Axes) -> Axes:
    """A parabola per rho with arms on it as dots; the best arm is filled, the other root of its value a cross.

    `points` has the columns rho, p, value and kind: "arm", "best" or "root".
    """
    for place, (rho, curve) in enumerate(curves.groupby("rho", sort=True)):
        colour = PALETTE[place % len(PALETTE)]
        ax.plot(curve["p"], curve["value"], color=colour, linestyle=DASHES[place % len(DASHES)], label=f"ρ = {rho:.3g}")
        for kind, marker, face in (("arm", "o", "white"), ("best", "o", colour), ("root", "X", colour)):
            rows = points[(points["rho"] == rho) & (points["kind"] == kind)]
            size = 3.0 if kind == "arm" else 6.0
            ax.plot(rows["p"], rows["value"], marker, color=colour, markerfacecolor=face, markersize=size, zorder=4)
        best = points[(points["rho"] == rho) & (points["kind"] == "best")]
        ax.axhline(best["value"].iloc[0], color=colour, linewidth=0.5, linestyle=":")
    ax.plot([], [], "o", color="grey", markerfacecolor="white", label="arm of the paper")
    ax.plot([], [], "o", color="grey", markersize=6.0, label="best arm, $p_1$")
    ax.plot([], [], "X", color="grey", markersize=6.0, label="$1-\\rho-p_1$: as good")
    ax.set_xlim(0.0, 1.0)
    ax.set_xlabel("success probability p")
    ax.set_ylabel("value $\\rho p-p(1-p)$")
    ax.grid(True, alpha=0.3)
    return ax
