"""The figures of Zhu & Tan (2020) by their numbers in print: `FIGURES["figure-4"]` has `title`, `caption`, `views`, ...

A figure is drawn by `FIGURES[name].draw(view, tables)` from `FIGURES[name].tables(FIGURES[name], outcomes)`, where
`outcomes` is what `experiments.run` gives; `layout` says where `reproduction.reproduce` puts the files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from riskbandits.core.errors import unknown_name
from riskbandits.core.notices import say_once
from riskbandits.paper.figures.diagrams import FIGURE_1, FIGURE_2
from riskbandits.paper.figures.figure import Figure, View, needed
from riskbandits.paper.figures.simulated_figures import SIMULATED

__all__ = ["FIGURES", "Figure", "View", "choose", "find", "needed"]

FIGURES = {figure.name: figure for figure in (FIGURE_1, FIGURE_2, *SIMULATED)}
LABELS = {figure.label.lower(): figure for figure in FIGURES.values() if figure.label is not None}
NUMBER = re.compile(r"(?:fig(?:ure)?)?[\s._-]*(s?)[\s_-]*([0-9]{1,2})", re.ASCII)


def choose(names: Iterable[str] | None) -> dict[str, Figure]:
    """The figures by these names, in the paper's order; all of them for no names.

    Case does not matter, and `figure 4`, `fig4`, `4` and `S-1` are understood: the number in print. Labels of the
    paper's source are understood where no figure has that number in print (`S-5`), and what they stand for is said.

    >>> list(choose(["S1", "Figure 4"]))
    ['figure-4', 'figure-s1']
    """
    wanted = {find(name).name for name in names or FIGURES}
    return {name: figure for name, figure in FIGURES.items() if name in wanted}


def find(name: str) -> Figure:
    """The figure of that name, or an error with the nearest one."""
    asked = str(name).strip().lower()
    number = NUMBER.fullmatch(asked)
    if number and _name(number) in FIGURES:
        return FIGURES[_name(number)]
    if asked in LABELS:
        figure = LABELS[asked]
        say_once(f"{figure.label} is the label of {figure.number} in the paper's source; {figure.name} is drawn.")
        return figure
    raise unknown_name("figure", name, FIGURES)


def _name(match: re.Match[str]) -> str:
    return f"figure-{match[1]}{int(match[2])}"
