"""Axes of a figure: those passed by the caller or new ones, the names on them, and readable numbers on log scales."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.core.errors import must_be

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

USUAL = (7.0, 4.5)  # inches
LONGEST_NAME = 32  # letters
SMALL = 4.5  # inches: narrower axes get smaller marks
LINE = 0.17  # inches that a line of letters takes
GAP = 4.0  # points between the axes' own letters and a legend
WIDEST, TALLEST = 0.88, 0.4  # a legend, as a share of the room that its axes have
SHORT = 18  # letters of which two stand side by side in a column of a journal
SIZES = (
    (LONGEST_NAME, "small"),
    (SHORT, "small"),
    (SHORT, "x-small"),
    (10, "xx-small"),
)  # letters of a label, and their size
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


def add_legend(ax: Axes, title: str | None = None) -> None:
    """A legend below the axes, where it covers no data: in smaller letters where it would leave them too little room.

    To be called when the axes have their names: it stands below these.
    """
    from matplotlib.transforms import ScaledTranslation

    handles, labels = ax.get_legend_handles_labels()
    if not labels:
        return
    figure = ax.get_figure(root=True)
    assert figure is not None
    if figure.get_layout_engine() is None:
        figure.set_layout_engine("constrained")  # else what stands below the axes would be cut off
    wide, high = (inches * figure.dpi for inches in room(ax))
    names = ax.xaxis.get_tightbbox()
    below = (0.0 if names is None else ax.bbox.y0 - names.y0) / figure.dpi + GAP / 72.0
    place = ax.transAxes + ScaledTranslation(0.0, -below, figure.dpi_scale_trans)
    beside = ax.yaxis.get_tightbbox()
    free = WIDEST * wide - (0.0 if beside is None else ax.bbox.x0 - beside.x0)  # about the width of the axes
    for letters, size in SIZES:
        words = shortened(labels, letters)
        if not words:
            return

        def made(columns: int, words: list[str] = words, size: str = size) -> Any:
            options: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, 0.0), "borderaxespad": 0.0}
            return ax.legend(
                handles,
                words,
                ncols=columns,
                fontsize=size,
                title=title,
                title_fontsize=size,
                frameon=False,
                handlelength=2.4,
                columnspacing=1.2,
                bbox_transform=place,
                **options,
            )

        legend = in_columns(made, len(labels), WIDEST * wide)
        if legend.get_window_extent().width > free:  # it begins under the names at the left
            legend.set_loc("upper right")
            legend.set_bbox_to_anchor((1.0, 0.0), place)
        if legend.get_window_extent().height <= TALLEST * high:
            return


def shortened(labels: Sequence[str], letters: int) -> list[str]:
    """Labels of a legend in at most so many letters; none if two would have the same name."""
    words = [short(label.replace(r"\$", "$"), letters) for label in labels]
    return words if len(set(words)) == len(set(labels)) else []


def in_columns(made: Callable[[int], Any], entries: int, width: float) -> Any:
    """The legend that `made(columns)` gives in as many columns as that width in pixels holds, equally long ones."""
    for columns in range(entries, 0, -1):
        legend = made(columns)
        if columns == 1 or legend.get_window_extent().width <= width:
            break
        legend.remove()
    rows = -(-entries // columns)
    if -(-entries // rows) == columns:
        return legend
    legend.remove()
    return made(-(-entries // rows))


def marker_size(ax: Axes) -> float | None:
    """Points that suit axes of this width; None for matplotlib's own."""
    return 3.5 if room(ax)[0] < SMALL else None


def row_letters(ax: Axes, rows: int) -> str:
    """The size of letters in which the names of so many rows stand below each other."""
    inches = room(ax)[1] / (rows + 4)  # below the rows stand an axis and a legend
    return "medium" if inches > LINE else "small" if inches > 0.8 * LINE else "xx-small"


def row_names(ax: Axes, labels: Sequence[str]) -> list[str]:
    """The names of rows, beside axes: in narrow ones so short that most of the width is left to the data."""
    return (shortened(labels, SHORT) if room(ax)[0] < SMALL else []) or [short(label) for label in labels]


def room(ax: Axes) -> tuple[float, float]:
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


def scale_regrets(ax: Axes) -> None:
    """A logarithmic axis for the lines that were drawn, unless one has no positive value: it would be missing."""
    if all((np.asarray(line.get_ydata(), dtype=float) > 0.0).any() for line in ax.get_lines()):
        ax.set_yscale("log", nonpositive="mask")
        plain_numbers(ax.yaxis)


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
