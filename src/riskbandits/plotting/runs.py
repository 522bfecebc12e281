"""Runs one by one, and the fans that they make: what a mean hides."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.metrics.metric import METRICS
from riskbandits.plotting.axes import (
    add_legend,
    as_it_stands,
    axes,
    plain_numbers,
    row_letters,
    row_names,
    scale_regrets,
    short,
)
from riskbandits.plotting.colours import PALETTE, looks
from riskbandits.plotting.lines import PARAMETERS, scale_parameter

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

METRIC = "exact_pseudo_regret"
GOLDEN = 0.6180339887498949
DOT = (2.2, 5.0)  # the smallest and the largest
MOST_NAMED = 12  # problems whose names there is room for
FANS = ((5, 95, 0.2), (25, 75, 0.35))  # percentiles, and how dark


def plot_runs(table: pd.DataFrame, ax: Axes | None = None, *, legend: bool = False) -> Axes:
    """A row per policy and a dot per run at its pseudo-regret; runs that settled on a wrong arm are crosses.

    `table` has the columns policy, run, exact_pseudo_regret and settled. The share of crosses stands at the right.
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
    ax.set_yticks(range(len(labels)), row_names(ax, labels), fontsize=row_letters(ax, len(labels)))
    ax.set_ylim(len(labels) - 0.5, -0.5)
    if not (table[METRIC] <= 0.0).any():  # on a logarithmic axis these runs would be missing
        ax.set_xscale("log")
        plain_numbers(ax.xaxis)
    ax.grid(True, axis="x", which="major", alpha=0.3)
    ax.set_xlabel(f"{METRICS[METRIC].label} of a run")
    # For the legend alone.
    ax.plot([], [], ".", color="grey", label="one run")
    ax.plot([], [], "x", color="black", markersize=3.5, label="settled on a wrong arm (in %)")
    ax.plot([], [], color="black", linewidth=1.6, label="mean")
    ax.plot([], [], color="black", linewidth=0.7, label="median")
    if legend:
        add_legend(ax)
    return ax


def plot_relative_runs(table: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """The runs of a comparison, a dot each at its regret over the best policy's mean on the same problem.

    `table` has the columns problem, policy, run, relative and settled.
    """
    marks = table["settled"].map(bool, na_action="ignore").fillna(False).astype(bool)
    ax = plot_runs(table.assign(**{METRIC: table["relative"], "settled": marks}), ax)
    ax.set_xlabel(f"relative {METRICS[METRIC].label} of a run")
    add_legend(ax)
    return ax


def plot_fans_over_problems(table: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """The same against the problems, in their order: the median, 50 and 90 % of runs of each policy."""
    problems = {name: place for place, name in enumerate(dict.fromkeys(table["problem"]), start=1)}
    places = table["problem"].map(problems)
    ax = plot_fans_over_time(table.assign(**{METRIC: table["relative"], "problem": places}), ax, "problem")
    ax.set_xscale("linear")
    if len(problems) <= MOST_NAMED:
        ax.set_xticks(list(problems.values()), [short(name) for name in problems], rotation=45, ha="right")
    else:
        ax.set_xlabel("problem, by its place in the suite")
    ax.set_ylabel(f"relative {METRICS[METRIC].label} of runs")
    return ax


def plot_costs(table: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """The runs of a rule, a dot each at the rewards that it used; those that named a wrong arm are crosses.

    `table` has the columns run, rewards and correct.
    """
    ax = axes(ax)
    height = 0.6 * ((table["run"].to_numpy() * GOLDEN) % 1.0 - 0.5)
    right, used = table["correct"].to_numpy(dtype=bool), table["rewards"].to_numpy()
    ax.plot(used[right], height[right], ".", color=PALETTE[0], markeredgewidth=0.0, label="one run")
    ax.plot(used[~right], height[~right], "x", color="black", markersize=3.5, label="named a wrong arm")
    ax.axvline(float(np.mean(used)), color="black", linewidth=1.6, label="mean")
    ax.axvline(float(np.median(used)), color="black", linewidth=0.7, label="median")
    ax.set_yticks([])
    ax.set_ylim(-0.5, 0.5)
    plain_numbers(ax.xaxis)
    ax.grid(True, axis="x", alpha=0.3)
    ax.set_xlabel("rewards that a run used")
    add_legend(ax)
    return ax


def draw_fans(table: pd.DataFrame, figure: Figure, parameter: str = "rho") -> Figure:
    """Fill a figure with a fan per policy and, below them, the shares of runs that settled on a wrong arm.

    `table` has the columns policy, run, exact_pseudo_regret, settled and one for the parameter.
    """
    labels = list(dict.fromkeys(table["policy"]))
    columns = 3 if len(labels) % 3 == 0 else 2
    rows = -(-len(labels) // columns)
    above, below = figure.subfigures(2, 1, squeeze=False, height_ratios=[rows, 1.0])[:, 0]
    panels = above.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for ax, label in zip(panels.ravel(), labels, strict=False):
        plot_fan(table[table["policy"] == label], ax, parameter)
    for ax in panels.ravel():
        plain_numbers(ax.yaxis)  # now that all share one
        ax.minorticks_off()
        ax.set_visible(bool(ax.lines))
    for ax in panels[-1]:
        ax.set_xlabel(PARAMETERS.get(parameter, parameter))
    above.supylabel(f"{METRICS[METRIC].label} of runs", fontsize="medium")
    handles, names = panels[0, 0].get_legend_handles_labels()
    above.legend([_in_grey(one) for one in handles], names, loc="outside lower center", ncols=4, frameon=False)
    ax = plot_settled_share(table, below.subplots(), parameter)
    ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, handlelength=3.2)
    return figure


def _in_grey(handle: Any) -> Any:
    """A copy for a legend that stands for panels of different colours."""
    twin = copy.copy(handle)
    twin.set_color("grey")
    return twin


def plot_fan(table: pd.DataFrame, ax: Axes, parameter: str = "rho") -> Axes:
    """The pseudo-regret of one policy's runs against a parameter: mean, median, and where 50 and 90 % of runs lie."""
    label = table["policy"].iloc[0]
    look = looks([label])[label]
    groups = table.groupby(parameter, sort=True)[METRIC]
    x, runs = np.array(list(groups.groups)), [group.to_numpy() for _, group in groups]
    for low, high, alpha in FANS:
        edges = np.array([np.percentile(values, (low, high)) for values in runs])
        name = f"{high - low} % of runs"
        ax.fill_between(x, edges[:, 0], edges[:, 1], color=look.colour, alpha=alpha, linewidth=0, label=name)
    ax.plot(x, [np.median(values) for values in runs], color="black", linewidth=0.7, label="median")
    ax.plot(
        x,
        [np.mean(values) for values in runs],
        color="black",
        linestyle="",
        marker="o",  # in all panels, as in the legend that they share
        markersize=2.5,
        label="mean",
    )
    scale_parameter(table[parameter], ax)
    ax.set_yscale("log", nonpositive="mask")
    ax.grid(True, which="major", alpha=0.3)
    ax.set_title(label)
    return ax


def plot_fans_over_time(table: pd.DataFrame, ax: Axes | None = None, along: str = "step") -> Axes:
    """The pseudo-regret of runs against the step or a parameter, a fan per policy: the median, 50 and 90 % of runs.

    `table` has the columns policy, exact_pseudo_regret and one for the step or the parameter, a row per run.
    """
    ax = axes(ax)
    for label, look in looks(list(dict.fromkeys(table["policy"]))).items():
        groups = table[table["policy"] == label].groupby(along, sort=True)[METRIC]
        steps = np.array(list(groups.groups))
        levels = groups.quantile(np.array([0.05, 0.25, 0.5, 0.75, 0.95])).unstack().to_numpy()
        for low, high, alpha in ((0, 4, 0.12), (1, 3, 0.22)):
            ax.fill_between(steps, levels[:, low], levels[:, high], color=look.colour, alpha=alpha, linewidth=0)
        mark = look.marker if len(steps) == 1 else ""  # a line of one point cannot be seen
        ax.plot(steps, levels[:, 2], color=look.colour, linestyle=look.dash, marker=mark, label=short(label))
    scale_parameter(table[along], ax)
    scale_regrets(ax)
    ax.grid(True, which="major", alpha=0.3)
    ax.set_xlabel(PARAMETERS.get(along, as_it_stands(along)))
    ax.set_ylabel(f"{METRICS[METRIC].label} of runs")
    add_legend(ax)
    return ax


def plot_settled_share(table: pd.DataFrame, ax: Axes, parameter: str = "rho") -> Axes:
    """The share of runs that settled on a wrong arm, one line per policy, against a parameter."""
    for label, look in looks(list(dict.fromkeys(table["policy"]))).items():
        share = 100.0 * table[table["policy"] == label].groupby(parameter, sort=True)["settled"].mean()
        line = ax.plot(share.index, share, label=label, color=look.colour, linestyle=look.dash, marker=look.marker)
        line[0].set_clip_on(False)
    scale_parameter(table[parameter], ax)
    ax.set_ylim(0.0, 100.0)
    ax.set_ylabel("settled on a wrong arm, %")
    ax.set_xlabel(PARAMETERS.get(parameter, parameter))
    ax.grid(True, which="major", alpha=0.3)
    return ax
