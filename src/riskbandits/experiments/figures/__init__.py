"""The figures of Zhu & Tan (2020) by name: `FIGURES["fig2"]` has `title`, `caption`, `experiment`, `views`, `draw`.

A figure is drawn by `FIGURES[name].draw(view, tables)` from `FIGURES[name].tables(FIGURES[name], outcomes)`, where
`outcomes` is what `experiment.run` gives; `layout` says where `reproduction.reproduce` puts the files.
"""

from riskbandits.experiments.figures import ber, fig2, fig3, fig4, fig5, fig6, s5, s6, s7
from riskbandits.experiments.figures.figure import Figure, View, needed

FIGURES = {module.FIGURE.name: module.FIGURE for module in (fig2, fig3, fig4, fig5, fig6, s5, s6, s7, ber)}

__all__ = ["FIGURES", "Figure", "View", "needed"]
