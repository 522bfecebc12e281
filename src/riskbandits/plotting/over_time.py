"""A metric against the number of steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from riskbandits.errors import unknown_name
from riskbandits.plotting.colours import looks

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

NAMES = {
    "regret": "regret",
    "pseudo_regret": "pseudo-regret (as printed)",
    "exact_pseudo_regret": "pseudo-regret",
    "best_arm_share": "share of best-arm pulls",
}
Z95 = 1.959964


def plot_over_time(table: pd.DataFrame, metric: str = "exact_pseudo_regret", ax: Axes | None = None) -> Axes:
    """Mean of a metric over runs with its 95 % band, one line per policy; both axes logarithmic for regrets."""
    import matplotlib.pyplot as plt

    if metric not in NAMES:
        raise unknown_name("metric", metric, NAMES)
    if ax is None:
        _, ax = plt.subplots(figsize=(7, 4.5), layout="constrained")
    labels = list(dict.fromkeys(table["policy"]))
    for label, look in looks(labels).items():
        rows = table[table["policy"] == label]
        steps, mean = rows["step"].to_numpy(), rows[f"{metric}_mean"].to_numpy()
        half = Z95 * np.nan_to_num(rows[f"{metric}_se"].to_numpy())
        # Dashed lines above solid ones, so that lines which coincide are both seen.
        ax.plot(steps, mean, label=label, color=look.colour, linestyle=look.dash, zorder=2 + (look.dash != "-"))
        ax.fill_between(steps, mean - half, mean + half, color=look.colour, alpha=0.2, linewidth=0)
    ax.set_xscale("log")
    if metric != "best_arm_share":
        ax.set_yscale("log", nonpositive="mask")
    ax.set_xlabel("step")
    ax.set_ylabel(NAMES[metric])
    ax.grid(True, which="major", alpha=0.3)
    ax.legend(frameon=False)
    return ax
