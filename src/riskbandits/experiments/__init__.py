"""The paper's experiments: settings as data, one module per kind of figure."""

from riskbandits.experiments.over_time import FIGURES, FigureOverTime

__all__ = ["FIGURES", "FigureOverTime"]
