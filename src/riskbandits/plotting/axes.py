"""Axes of a figure: those passed by the caller or new ones, the names on them, and readable numbers on log scales."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.core.errors import must_be

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

USUAL = (7.0, 4.5)  # inches
LONGEST_NAME = 32  # letters
SMALL = 4.5  # inches: in narrower axes a legend would cover the data
SHORT_LABEL = 18  # letters of which two fit side by side
BELOW = 0.5  # inches below the axes, for their numbers and name
FEW_DECADES, LESS_THAN_ONE = 1.8, 0.6


def axes(ax: Any, size: tuple[float, float] = USUAL) -> Axes:
    """Return the axes, or new ones of that size for None."""
    import matplotlib.pyplot as plt
    from matplotlib.axes import Axes

    if ax is None:
        return plt.subplots(figsize=size, layout="constrained")[1]
    if not isinstance(ax, Axes):
        raise must_be("ax", "axes of matplotlib, or None for new ones", ax)
    return ax


def add_legend(ax: Axes, **options: Any) -> None:
    """A legend inside the axes where they are large, and below them where it would cover the data."""
    wide, high = _room(ax)
    if wide >= SMALL:
        ax.legend(frameon=False, **options)
        return
    labels = ax.get_legend_handles_labels()[1]
    ncols = 2 if len(labels) > 1 and max(map(len, labels)) <= SHORT_LABEL else 1
    below = {"loc": "upper center", "bbox_to_anchor": (0.5, -BELOW / max(high - BELOW, BELOW)), "ncols": ncols}
    ax.legend(frameon=False, handlelength=2.4, **{"fontsize": "small", **below, **options})


def marker_size(ax: Axes) -> float | None:
    """Points that suit axes of this width; None for matplotlib's own."""
    return 3.5 if _room(ax)[0] < SMALL else None


def _room(ax: Axes) -> tuple[float, float]:
    """The width and height in inches that axes share with nobody."""
    figure, grid = ax.get_figure(root=True), ax.get_gridspec()
    rows, columns = (1, 1) if grid is None else grid.get_geometry()
    return (USUAL[0], USUAL[1]) if figure is None else (figure.get_figwidth() / columns, figure.get_figheight() / rows)


def as_it_stands(name: object) -> str:
    r"""A name for matplotlib, which would treat text between two dollar signs as a formula.

    >>> print(as_it_stands("50 $ or 60 $"))
    50 \$ or 60 \$
    """
    return str(name).replace("$", r"\$")


def short(name: object, most: int = LONGEST_NAME) -> str:
    """A name for a legend or beside an axis: of a long one the beginning and the end, which leave room for the data.

    >>> short("A very long name of a fund, accumulating, EUR hedged")
    'A very long name of … EUR hedged'
    """
    text = str(name)
    if len(text) > most:
        end = most // 3
        text = f"{text[: most - end - 3].rstrip()} … {text[-end:].lstrip()}"
    return as_it_stands(text)


def plain_numbers(axis: Axis) -> None:
    """Label a logarithmic axis with plain numbers, however many or few orders of magnitude it spans.

    To be called when everything is drawn. (matplotlib's own labels are set as formulas, which takes most of the time
    of a drawing, and are left out where an axis spans no power of ten.)
    """
    from matplotlib import ticker

    low, high = sorted(axis.get_view_interval())
    decades = np.log10(high / low) if low > 0.0 else np.inf
    if decades < LESS_THAN_ONE:
        axis.set_major_locator(ticker.MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]))
        axis.set_minor_locator(ticker.NullLocator())
    elif decades < FEW_DECADES:
        axis.set_major_locator(ticker.LogLocator(subs=(1.0, 2.0, 5.0)))
        axis.set_minor_locator(ticker.NullLocator())
    else:
        axis.set_major_locator(ticker.LogLocator(numticks=8))
        axis.set_minor_locator(ticker.LogLocator(subs=(2.0, 5.0)))
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, place: tick_label(value)))
    axis.set_minor_formatter(ticker.NullFormatter())


def whole_thousands(axis: Axis) -> None:
    """Label a linear axis of steps with few numbers."""
    from matplotlib import ticker

    axis.set_major_locator(ticker.MaxNLocator(4, integer=True))
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, place: tick_label(value)))


def tick_label(value: float) -> str:
    """A number in few characters.

    >>> [tick_label(value) for value in (0.001, 0.25, 2000.0, 30_000.0, 250_000.0, 1e6, 2e-5)]
    ['0.001', '0.25', '2000', '30k', '250k', '1M', '2e-05']
    """
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= max(size, 1e4):
            return f"{value / size:.4g}{letter}"
    return f"{value:.4g}"
