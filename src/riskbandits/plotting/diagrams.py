"""The paper's two diagrams: mean-variance of Bernoulli arms as a parabola, and a step of MVTS."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from riskbandits.plotting.colours import DASHES, PALETTE

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

ROWS = {"1": 3.05, "2": 2.15, "K": 0.75}  # the arms that are shown, and how high
KNOWN, DRAWN, WORTH, PLAYED, REWARD = 0.86, 3.32, 5.62, 7.1, 8.5  # the middles of the columns
HALF_HEIGHT = 0.34
MIDDLE = 0.5 * (ROWS["1"] + ROWS["K"])
BACK = -0.25  # the way back, below everything


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


def draw_mvts(ax: Axes) -> Axes:
    """A step of MVTS from left to right, with the way back below; nothing in it is measured or random."""
    known, drawn, chosen, seen = PALETTE[0], PALETTE[2], PALETTE[1], PALETTE[5]
    for arm, height in ROWS.items():
        _box(ax, KNOWN, height, 0.68, f"arm ${arm}$:  $T_{arm},\\ m_{arm},\\ S_{arm}$", known)
        draws = (
            f"$\\tau_{arm}\\sim\\mathrm{{Gamma}}(\\frac{{1}}{{2}}+\\frac{{T_{arm}}}{{2}},"
            f"\\ \\frac{{1}}{{2}}+\\frac{{S_{arm}}}{{2}})$\n$\\theta_{arm}\\sim\\mathrm{{N}}(m_{arm},\\ 1/T_{arm})$"
        )
        _box(ax, DRAWN, height, 1.2, draws, drawn)
        _box(ax, WORTH, height, 0.62, f"$\\rho\\,\\theta_{arm}-1/\\tau_{arm}$", drawn)
        _arrow(ax, (KNOWN + 0.68, height), (DRAWN - 1.2, height))
        _arrow(ax, (DRAWN + 1.2, height), (WORTH - 0.62, height))
        _arrow(ax, (WORTH + 0.62, height), (PLAYED - 0.5, MIDDLE + 0.25 * (height - MIDDLE)))
    for column in (KNOWN, DRAWN, WORTH):
        ax.text(column, 0.5 * (ROWS["2"] + ROWS["K"]), "$\\vdots$", ha="center", va="center", fontsize=11.0)
    _box(ax, PLAYED, MIDDLE, 0.5, "arm $i$ of\nthe largest\nvalue", chosen, 0.55)
    _box(ax, REWARD, MIDDLE, 0.5, "reward\n$X$\nof arm $i$", seen, 0.55)
    _arrow(ax, (PLAYED + 0.5, MIDDLE), (REWARD - 0.5, MIDDLE))
    ax.plot([REWARD, REWARD, KNOWN], [MIDDLE - 0.55, BACK, BACK], color="black", linewidth=0.9, zorder=1)
    # What comes back belongs to one of the arms, whichever it was: the arrow ends at a frame around them all.
    bottom, top = ROWS["K"] - HALF_HEIGHT - 0.12, ROWS["1"] + HALF_HEIGHT + 0.12
    left, right = KNOWN - 0.82, KNOWN + 0.82
    frame = ([left, right, right, left, left], [bottom, bottom, top, top, bottom])
    ax.plot(*frame, color=known, linestyle=":", linewidth=0.9, zorder=1)
    _arrow(ax, (KNOWN, BACK), (KNOWN, bottom))
    learnt = "$T_i\\leftarrow T_i+1$,   $m_i$: mean of arm $i$'s rewards,   $S_i$: sum of squared deviations from it"
    ax.text(0.5 * (KNOWN + REWARD), BACK + 0.06, learnt, ha="center", va="bottom", fontsize=8.0)
    headings = {KNOWN: "What is known", DRAWN: "Draw", WORTH: "Value", PLAYED: "Play", REWARD: "See"}
    for column, heading in headings.items():
        ax.text(column, ROWS["1"] + 0.68, heading, ha="center", va="center", fontweight="bold")
    then = "learn, for arm $i$ only; then the next step"
    ax.text(0.5 * (KNOWN + REWARD), BACK - 0.08, then, ha="center", va="top", fontsize=8.0)
    ax.set_xlim(0.0, REWARD + 0.54)
    ax.set_ylim(BACK - 0.4, ROWS["1"] + 0.8)
    ax.set_axis_off()
    return ax


def _box(
    ax: Axes, x: float, y: float, half_width: float, text: str, colour: str, half_height: float = HALF_HEIGHT
) -> None:
    from matplotlib.patches import FancyBboxPatch

    corner, size = (x - half_width, y - half_height), (2.0 * half_width, 2.0 * half_height)
    style: Any = {"boxstyle": "round,pad=0,rounding_size=0.08", "edgecolor": colour, "linewidth": 1.1}
    ax.add_patch(FancyBboxPatch(corner, *size, facecolor="white", zorder=2, **style))
    ax.add_patch(FancyBboxPatch(corner, *size, facecolor=colour, alpha=0.12, zorder=2, **style))
    ax.text(x, y, text, ha="center", va="center", fontsize=8.5, linespacing=1.35, zorder=3)


def _arrow(ax: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    look: Any = {"arrowstyle": "-|>", "color": "black", "linewidth": 0.9, "mutation_scale": 8.0}
    ax.annotate("", end, start, arrowprops={**look, "shrinkA": 0.0, "shrinkB": 0.0}, zorder=1)
