"""The views of the kinds of figure: which drawing of `plotting` shows which numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from riskbandits import plotting
from riskbandits.core.display import counted
from riskbandits.paper.figures.figure import View
from riskbandits.simulation.checkpoints import PAPER

if TYPE_CHECKING:
    import pandas as pd

    from riskbandits.paper.figures.figure import Figure, Tables

BANDS = "Bands: 95 % confidence for the mean."
SETTLED = (
    "Settled on a wrong arm: in the second half of the run a single suboptimal arm received 95 % of the pulls and an "
    "optimal one none. A run that still explores has not settled."
)
FIRST_STEP = 10


def plotted_by_the_paper(figure: Figure, table: pd.DataFrame) -> pd.DataFrame:
    """The rows of the paper's policies at the paper's checkpoints (and at the horizon, if it is another)."""
    steps = {*PAPER, int(table["step"].max())}
    return table[table["policy"].isin(figure.policies) & table["step"].isin(steps)]


def ln_over_time(figure: Figure, tables: Tables) -> Any:
    """The paper's figure."""
    page, table = plotting.page(), plotted_by_the_paper(figure, tables[""])
    return titled(figure, page, plotting.plot_ln_over_time(table, page.subplots()), of_means(table))


def regret_over_time(figure: Figure, tables: Tables) -> Any:
    """All presets, both axes logarithmic. The first steps try every arm once, whatever the policy: left out."""
    page, table = plotting.page(height=3.2), tables[""]
    later = table[table["step"] >= min(FIRST_STEP, table["step"].max())]
    return titled(figure, page, plotting.plot_over_time(later, ax=page.subplots()), of_means(table))


def run_by_run(figure: Figure, tables: Tables) -> Any:
    """The distribution over runs at the horizon."""
    page = plotting.page(height=3.3)
    ax = plotting.plot_runs(tables["runs"], page.subplots())
    runs = counted(runs_in(tables), "run")
    note = f"{runs} per policy, at step {horizon_of(tables)}"
    title = figure.title.replace("over time", "run by run")
    return titled(figure._replace(title=title), page, ax, note, handle=1.6)


def ln_against_rho(figure: Figure, tables: Tables) -> Any:
    """The paper's figure."""
    page, table = plotting.page(), plotted_by_the_paper(figure, tables[""])
    return titled(figure, page, plotting.plot_ln_against(table, page.subplots()), of_means(table))


def regret_against_rho(figure: Figure, tables: Tables) -> Any:
    """All presets."""
    page = plotting.page(height=3.2)
    return titled(figure, page, plotting.plot_against(tables[""], ax=page.subplots()), of_means(tables[""]))


def fans_against_rho(figure: Figure, tables: Tables) -> Any:
    """The distribution over runs for every rho, a panel per policy; below, how many settled on a wrong arm."""
    page = plotting.draw_fans(tables["runs"], plotting.page(plotting.FULL_WIDTH, 6.0))
    page.suptitle(
        f"{in_greek(figure.title)}: {counted(runs_in(tables), 'run')} per policy and ρ, at step {horizon_of(tables)}"
    )
    return page


def titled(figure: Figure, page: Any, ax: Any, note: str | None = None, handle: float = 3.2) -> Any:
    """Title above, legend below."""
    ax.set_title(in_greek(figure.title))
    plotting.legend_below(page, ax, note, handle)
    return page


def of_means(table: pd.DataFrame) -> str:
    """What lines and bands are."""
    runs = counted(int(table["runs"].iloc[0]), "run")
    return f"means over {runs}, with 95 % confidence bands"


def runs_in(tables: Tables) -> int:
    """The number of runs per policy."""
    return int(tables[""]["runs"].iloc[0])


def horizon_of(tables: Tables) -> str:
    """The last step, as people write it."""
    return f"{int(tables['']['step'].max()):,}"


def in_greek(title: str) -> str:
    """A title as it is drawn; terminals get the plain one."""
    return title.replace("rho", "ρ")


OVER_TIME = {
    "paper": View(f"As in the paper: ln of the mean regret at its checkpoints. {BANDS}", ln_over_time),
    "ours": View(f"Mean pseudo-regret, both axes logarithmic, every preset. {BANDS}", regret_over_time),
    "runs": View(
        f"A dot per run at its pseudo-regret at the horizon. {SETTLED}",
        run_by_run,
    ),
}
AGAINST_RHO = {
    "paper": View(f"As in the paper: ln of the mean regret at the horizon. {BANDS}", ln_against_rho),
    "ours": View(f"Mean pseudo-regret at the horizon, every preset. {BANDS}", regret_against_rho),
    "runs": View(
        "Pseudo-regret of the runs at the horizon: mean, median, and where 50 % and 90 % of the runs lie. "
        f"Below, the share of runs that settled on a wrong arm. {SETTLED}",
        fans_against_rho,
    ),
}
