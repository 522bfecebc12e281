"""Figures: functions (data, ax=None) -> ax. The only room that knows matplotlib."""

from riskbandits.plotting.bounds import plot_bounds, plot_slopes
from riskbandits.plotting.comparison import plot_families, plot_profile, save_comparison
from riskbandits.plotting.over_time import plot_over_time
from riskbandits.plotting.panels import save_panels

__all__ = [
    "plot_bounds",
    "plot_families",
    "plot_over_time",
    "plot_profile",
    "plot_slopes",
    "save_comparison",
    "save_panels",
]
