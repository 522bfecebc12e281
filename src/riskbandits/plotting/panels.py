"""Several plots over time beside each other, in one file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from riskbandits import files
from riskbandits.plotting.over_time import plot_over_time

if TYPE_CHECKING:
    import pandas as pd


def save_panels(panels: Sequence[tuple[str, pd.DataFrame]], path: Path, metric: str = "exact_pseudo_regret") -> Path:
    """Draw one panel per (title, table) and write the figure to `path`."""
    # A figure of its own, without pyplot: nothing global changes and no window can open.
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5.2 * len(panels), 4.4), layout="constrained")
    for ax, (title, table) in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
        plot_over_time(table, metric, ax=ax)
        ax.set_title(title, fontsize=10)
    with files.replacing(path) as temporary:
        figure.savefig(temporary, dpi=150, format=path.suffix.removeprefix("."))
    return path
