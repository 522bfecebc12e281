"""The figures of Zhu & Tan (2020) by their numbers in print: `FIGURES["figure-4"]` has `title`, `caption`, `views`, ...

A figure is drawn by `FIGURES[name].draw(view, tables)` from `FIGURES[name].tables(FIGURES[name], outcomes)`, where
`outcomes` is what `experiments.run` gives; `layout` says where `reproduction.reproduce` puts the files.
"""

from riskbandits.paper.figures.figure import Figure, View, needed
from riskbandits.paper.figures.simulated import SIMULATED
from riskbandits.paper.figures.unsimulated import FIGURE_1, FIGURE_2

FIGURES = {figure.name: figure for figure in (FIGURE_1, FIGURE_2, *SIMULATED)}

__all__ = ["FIGURES", "Figure", "View", "needed"]
