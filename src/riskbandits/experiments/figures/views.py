"""The views of the kinds of figure: which drawing of `plotting` shows which numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from riskbandits import plotting
from riskbandits.experiments.figures.figure import View
from riskbandits.simulation.checkpoints import PAPER

if TYPE_CHECKING:
    import pandas as pd

    from riskbandits.experiments.figures.figure import Figure, Tables

BANDS = "Bands: 95 % confidence for the mean."


def plotted_by_the_paper(figure: Figure, table: pd.DataFrame) -> pd.DataFrame:
    """The rows of the paper's policies at the paper's checkpoints (and at the horizon, if it is another)."""
    steps = {*PAPER, int(table["step"].max())}
    return table[table["policy"].isin(figure.policies) & table["step"].isin(steps)]


def ln_over_time(figure: Figure, tables: Tables) -> Any:
    """The paper's figure."""
    page = plotting.page()
    ax = plotting.plot_ln_over_time(plotted_by_the_paper(figure, tables[""]), page.subplots())
    return titled(figure, page, ax, columns=4)


def regret_over_time(figure: Figure, tables: Tables) -> Any:
    """All presets, log-log."""
    page = plotting.page(height=3.2)
    ax = plotting.plot_over_time(tables[""], ax=page.subplots())
    return titled(figure, page, ax)


def run_by_run(figure: Figure, tables: Tables) -> Any:
    """The distribution over runs at the horizon."""
    page = plotting.page()
    ax = plotting.plot_runs(tables["runs"], page.subplots())
    return titled(figure, page, ax, columns=4)


def ln_against_rho(figure: Figure, tables: Tables) -> Any:
    """The paper's figure."""
    page = plotting.page()
    ax = plotting.plot_ln_against(plotted_by_the_paper(figure, tables[""]), page.subplots())
    return titled(figure, page, ax, columns=4)


def regret_against_rho(figure: Figure, tables: Tables) -> Any:
    """All presets."""
    page = plotting.page(height=3.2)
    ax = plotting.plot_against(tables[""], ax=page.subplots())
    return titled(figure, page, ax)


def fans_against_rho(figure: Figure, tables: Tables) -> Any:
    """The distribution over runs for every rho, a panel per policy; below, the share of locked runs."""
    page = plotting.draw_fans(tables["runs"], plotting.page(plotting.FULL_WIDTH, 6.0))
    page.suptitle(figure.title)
    return page


def titled(figure: Figure, page: Any, ax: Any, columns: int = 3) -> Any:
    """Title above, legend below."""
    ax.set_title(figure.title)
    plotting.legend_below(page, ax, columns)
    return page


OVER_TIME = {
    "paper": View(f"As in the paper: ln of the mean regret at its checkpoints. {BANDS}", ln_over_time),
    "ours": View(f"Mean exact pseudo-regret, both axes logarithmic, every preset. {BANDS}", regret_over_time),
    "runs": View(
        "A dot per run at its exact pseudo-regret at the horizon; crosses are runs that locked onto a wrong arm.",
        run_by_run,
    ),
}
AGAINST_RHO = {
    "paper": View(f"As in the paper: ln of the mean regret at the horizon. {BANDS}", ln_against_rho),
    "ours": View(f"Mean exact pseudo-regret at the horizon, every preset. {BANDS}", regret_against_rho),
    "runs": View(
        "Exact pseudo-regret of the runs at the horizon: mean, median, and where 50 % and 90 % of the runs lie. "
        "Below, the share of runs that locked onto a wrong arm.",
        fans_against_rho,
    ),
}
