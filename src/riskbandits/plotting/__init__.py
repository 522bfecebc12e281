"""Figures: functions (data, ax=None) -> ax. The only package that imports matplotlib."""

from riskbandits.plotting.bounds import plot_bounds, plot_slopes
from riskbandits.plotting.canvas import COLUMN, FULL_WIDTH, in_style, legend_below, page, save, style
from riskbandits.plotting.comparison import plot_families, plot_profile, save_comparison
from riskbandits.plotting.diagrams import draw_mvts, plot_parabola, plot_parabolas
from riskbandits.plotting.evaluation import plot_evaluation
from riskbandits.plotting.frontier import plot_frontier
from riskbandits.plotting.lines import plot_against, plot_ln_against, plot_ln_over_time, plot_over_time
from riskbandits.plotting.pulls import plot_named, plot_pulls
from riskbandits.plotting.runs import (
    draw_fans,
    plot_costs,
    plot_fan,
    plot_fans_over_problems,
    plot_fans_over_time,
    plot_relative_runs,
    plot_runs,
    plot_settled_share,
)
from riskbandits.plotting.wealth import plot_drawdowns, plot_funds, plot_wealth

__all__ = [
    "COLUMN",
    "FULL_WIDTH",
    "draw_fans",
    "draw_mvts",
    "in_style",
    "legend_below",
    "page",
    "plot_against",
    "plot_bounds",
    "plot_costs",
    "plot_drawdowns",
    "plot_evaluation",
    "plot_families",
    "plot_fan",
    "plot_fans_over_problems",
    "plot_fans_over_time",
    "plot_frontier",
    "plot_funds",
    "plot_ln_against",
    "plot_ln_over_time",
    "plot_named",
    "plot_over_time",
    "plot_parabola",
    "plot_parabolas",
    "plot_profile",
    "plot_pulls",
    "plot_relative_runs",
    "plot_runs",
    "plot_settled_share",
    "plot_slopes",
    "plot_wealth",
    "save",
    "save_comparison",
    "style",
]
