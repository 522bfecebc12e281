"""The figures of Zhu & Tan (2020) by their numbers in print: `FIGURES["figure-4"]` has `title`, `caption`, `views`, ...

A figure is drawn by `FIGURES[name].draw(view, tables)` from `FIGURES[name].tables(FIGURES[name], outcomes)`, where
`outcomes` is what `experiments.run` gives; `layout` says where `reproduction.reproduce` puts the files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from riskbandits.core.errors import UnknownNameError, shown, unknown_name
from riskbandits.core.notices import say_once
from riskbandits.paper.figures.diagrams import FIGURE_1, FIGURE_2
from riskbandits.paper.figures.figure import Figure, View, needed
from riskbandits.paper.figures.simulated_figures import SIMULATED

__all__ = ["FIGURES", "Figure", "View", "choose", "find", "needed"]

FIGURES = {figure.name: figure for figure in (FIGURE_1, FIGURE_2, *SIMULATED)}
LABELS = {figure.label.lower(): figure for figure in FIGURES.values() if figure.label is not None}
NUMBER = re.compile(r"(?:figure)?[\s_-]*(s?)[\s_-]*([0-9]{1,2})", re.ASCII)
SHORT = re.compile(r"fig[\s._-]*(s?)[\s_-]*([0-9]{1,2})", re.ASCII)


def choose(names: Iterable[str] | None) -> dict[str, Figure]:
    """The figures by these names, in the paper's order; all of them for no names.

    Case does not matter, and `figure 4`, `4` and `S-1` are understood. A label of the source is understood too, and
    what it stands for is said, because `fig3` is not Figure 3.

    >>> list(choose(["S1", "Figure 4"]))
    ['figure-4', 'figure-s1']
    """
    wanted = {find(name).name for name in names or FIGURES}
    return {name: figure for name, figure in FIGURES.items() if name in wanted}


def find(name: str) -> Figure:
    """The figure of that name, or an error with the nearest one."""
    asked = str(name).strip().lower()
    if asked in LABELS:
        figure = LABELS[asked]
        say_once(f"{figure.label} is the label of {figure.number} in the paper's source; {figure.name} is drawn.")
        return figure
    number = NUMBER.fullmatch(asked)
    if number and _name(number) in FIGURES:
        return FIGURES[_name(number)]
    # `fig. 4` would be Figure 4 to one reader and, as `fig4` is a label, Figure 5 to another: it is not guessed.
    short = SHORT.fullmatch(asked)
    if short and _name(short) in FIGURES:
        raise UnknownNameError(f"There is no figure {shown(name)}. Did you mean {_name(short)!r}?")
    raise unknown_name("figure", name, FIGURES)


def _name(match: re.Match[str]) -> str:
    return f"figure-{match[1]}{int(match[2])}"
