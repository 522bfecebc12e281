"""Figures as files: a page in the size of a printed column, and files that are the same whenever the content is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from riskbandits.core import files
from riskbandits.core.checks import number
from riskbandits.core.errors import must_be, unknown_name
from riskbandits.plotting.axes import SHORT, in_columns, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMN, FULL_WIDTH = 3.5, 7.2  # inches
RATIO, WIDER = 0.7, 0.3  # of height to width without the legend, up to a column and beyond
DOTS_PER_INCH = 300
PACKING: dict[str, Any] = {
    "png": {"pil_kwargs": {"compress_level": 3}}
}  # a tenth larger than usual, in two thirds of the time
MARGIN = 0.02  # of the width, beside a legend
MANY = 6  # labels; more of them are shortened, to stand in two columns
STYLE: dict[Any, Any] = {
    "font.family": "STIXGeneral",  # comes with matplotlib, fits papers, and PDFs with it take half the time
    "mathtext.fontset": "stix",
    "font.size": 9.0,
    "axes.titlesize": 9.5,
    "axes.labelsize": 9.0,
    "xtick.labelsize": 8.0,
    "ytick.labelsize": 8.0,
    "legend.fontsize": 8.0,
    "lines.linewidth": 1.2,
    "lines.markersize": 3.5,
    "axes.linewidth": 0.6,
    "grid.linewidth": 0.4,
    "pdf.fonttype": 42,  # journals refuse the default
    "svg.hashsalt": "riskbandits",
}
# Files carry no time, so that an unchanged figure is an unchanged file.
METADATA: dict[str, dict[str, None]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}


STYLES = {"article": STYLE}


def style(name: str = "article") -> AbstractContextManager[object]:
    """Draw in a style, whatever the user's own settings are: "article" is that of the paper's figures.

    Serif letters of 8 to 9 points, thin lines, small markers, and fonts that journals accept in a PDF. It holds from
    here on or, in `with rb.plotting.style("article"):`, until the end of the block.
    """
    import matplotlib as mpl

    if not isinstance(name, str) or name not in STYLES:
        raise unknown_name("style of figures", name, STYLES)
    before = dict(mpl.rcParams.copy())
    before.pop("backend", None)  # it may be chosen in the block
    block = ExitStack()
    block.callback(mpl.rcParams.update, before)
    mpl.rcdefaults()
    mpl.rcParams.update(STYLES[name])
    return block


def in_style(draw: Callable[[Axes], Axes], name: str | None, width: float | None, ax: object = None) -> Axes:
    """Let a function draw on new axes in a style: a figure of that width in inches, with the legend below the axes.

    It is as high as the legend needs, so that many policies do not take the room of the data.
    """
    if ax is not None:
        raise must_be("ax", "None with a style or a width, which make a figure of their own", ax)
    inches = COLUMN if width is None else width
    wide = number("width", inches, "a number of inches from 1 to 100", lambda one: 1.0 <= one <= 100.0)
    high = RATIO * min(wide, COLUMN) + WIDER * max(wide - COLUMN, 0.0)
    with style(name or "article"):
        figure = page(wide, high)
        ax = draw(figure.subplots())
        if ax.get_legend_handles_labels()[1]:
            legend = legend_below(figure, ax)
            figure.set_size_inches(wide, high + legend.get_window_extent().height / figure.dpi)
    return ax


def page(width: float = COLUMN, height: float = 3.0) -> Figure:
    """An empty figure of that size in inches, without pyplot: nothing global changes and no window can open."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def legend_below(figure: Any, ax: Axes, note: str | None = None, handle: float = 3.2) -> Any:
    """Put the legend of `ax` below everything, where it covers no line, under a note on what is drawn; return it.

    `handle` is the length of the lines in it, in letters.
    """
    legend = ax.get_legend()
    if legend is not None:
        legend.remove()
    handles, labels = ax.get_legend_handles_labels()
    if len(labels) > MANY:
        labels = shortened(labels, SHORT) or labels

    def made(columns: int) -> Any:
        return figure.legend(
            handles,
            labels,
            loc="outside lower center",
            ncols=columns,
            frameon=False,
            title=note,
            title_fontproperties={"size": STYLE["legend.fontsize"]},
            alignment="center",
            handlelength=handle,
            columnspacing=1.2,
        )

    return in_columns(made, len(labels), (1.0 - 2.0 * MARGIN) * figure.bbox.width)


def save(figure: Figure, paths: Sequence[Path]) -> None:
    """Write a figure to files, each in the format that its name ends in."""
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
        figure.set_layout_engine(None)  # what it arranged stays; arranging takes longer than drawing
    for path in paths:
        kind = path.suffix.removeprefix(".")
        with files.replacing(path) as temporary:
            packing = PACKING.get(kind, {})
            figure.savefig(temporary, dpi=DOTS_PER_INCH, format=kind, metadata=METADATA.get(kind), **packing)
