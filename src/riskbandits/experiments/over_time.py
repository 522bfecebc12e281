"""Figures 2 to 4 of Zhu & Tan (2020): regret over time on their Gaussian arms at three values of rho."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from riskbandits import plotting, problems
from riskbandits.policies import MTS, MVLCB, MVTS, VTS
from riskbandits.result import Result
from riskbandits.study import simulate

HORIZON, RUNS = 30_000, 500
POLICIES = (MTS(), VTS(), MVTS(), MVLCB())


class FigureOverTime(NamedTuple):
    """The settings of one figure."""

    title: str
    rho: float


FIGURES = {
    "fig2": FigureOverTime("Gaussian arms, regret over time, rho = 0.001", 0.001),
    "fig3": FigureOverTime("Gaussian arms, regret over time, rho = 1", 1.0),
    "fig4": FigureOverTime("Gaussian arms, regret over time, rho = 1000", 1000.0),
}


def run(
    figure: FigureOverTime, runs: int = RUNS, seed: int = 0, threads: int | None = None, progress: bool = True
) -> Result:
    """Simulate what a figure shows."""
    problem = problems.zhu_tan_gaussian(figure.rho)
    return simulate(problem, POLICIES, HORIZON, runs, seed, threads=threads, progress=progress)


def draw(results: dict[str, Result], path: Path) -> Path:
    """Draw the figures side by side."""
    panels = [(FIGURES[name].title, result.table()) for name, result in results.items()]
    return plotting.save_panels(panels, path)
