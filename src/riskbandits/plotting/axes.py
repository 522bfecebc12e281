"""The axes a figure is drawn on: those passed by the caller, or new ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from riskbandits.core.errors import must_be

if TYPE_CHECKING:
    from matplotlib.axes import Axes

USUAL = (7.0, 4.5)  # inches


def axes(ax: Any, size: tuple[float, float] = USUAL) -> Axes:
    """Return the axes, or new ones of that size for None."""
    import matplotlib.pyplot as plt
    from matplotlib.axes import Axes

    if ax is None:
        return plt.subplots(figsize=size, layout="constrained")[1]
    if not isinstance(ax, Axes):
        raise must_be("ax", "axes of matplotlib, or None for new ones", ax)
    return ax
