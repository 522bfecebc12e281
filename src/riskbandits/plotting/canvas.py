"""Figures as files: a page in the size of a printed column, and files that are the same whenever the content is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from riskbandits.core import files
from riskbandits.core.checks import number
from riskbandits.core.errors import unknown_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMN, FULL_WIDTH = 3.5, 7.2  # inches
RATIO = 0.85  # of height to width, with a legend below
DOTS_PER_INCH = 300
PACKING: dict[str, Any] = {
    "png": {"pil_kwargs": {"compress_level": 3}}
}  # a tenth larger than usual, in two thirds of the time
LETTERS_PER_INCH = 18  # in a legend
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


@contextmanager
def style(name: str = "article") -> Iterator[None]:
    """Draw in a style, whatever the user's own settings are: "article" is that of the paper's figures.

    Serif letters of 8 to 9 points, thin lines, small markers, and fonts that journals accept in a PDF.
    """
    import matplotlib as mpl

    if not isinstance(name, str) or name not in STYLES:
        raise unknown_name("style of figures", name, STYLES)
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(STYLES[name])
        yield


def printed() -> AbstractContextManager[None]:
    """Draw in the style of the pages."""
    return style("article")


def in_style(draw: Callable[[Axes], Axes], name: str, width: float = COLUMN, height: float | None = None) -> Axes:
    """Let a function draw on new axes in a style: a figure of that width in inches, its legend below the axes."""
    wide = number("width", width, "a number of inches from 1 to 100", lambda inches: 1.0 <= inches <= 100.0)
    with style(name):
        figure = page(wide, RATIO * wide if height is None else height)
        ax = draw(figure.subplots())
        if ax.get_legend_handles_labels()[1]:
            legend_below(figure, ax)
    return ax


def page(width: float = COLUMN, height: float = 3.0) -> Figure:
    """An empty figure of that size in inches, without pyplot: nothing global changes and no window can open."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def legend_below(figure: Any, ax: Axes, note: str | None = None, handle: float = 3.2) -> None:
    """Put the legend of `ax` below everything, where it covers no line, under a note on what is drawn.

    `handle` is the length of the lines in it, in letters.
    """
    legend = ax.get_legend()
    if legend is not None:
        legend.remove()
    handles, labels = ax.get_legend_handles_labels()
    letters = figure.get_figure(root=True).get_figwidth() * LETTERS_PER_INCH
    fitting = int(letters / (handle + 4.0 + max(len(str(label).replace("$", "")) for label in labels)))
    columns = max(1, min(fitting, len(labels)))
    rows = -(-len(labels) // columns)
    figure.legend(
        handles,
        labels,
        loc="outside lower center",
        ncols=-(-len(labels) // rows),
        frameon=False,
        title=note,
        title_fontproperties={"size": STYLE["legend.fontsize"]},
        alignment="center",
        handlelength=handle,
        columnspacing=1.2,
    )


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
