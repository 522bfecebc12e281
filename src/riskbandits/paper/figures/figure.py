"""What a figure of the paper is: settings as data, its numbers as tables, and the views in which it is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.paper.experiments import Experiment, Outcomes

if TYPE_CHECKING:
    import pandas as pd

Tables = Mapping[str, "pd.DataFrame"]


class View(NamedTuple):
    """One way to draw a figure."""

    caption: str  # what is drawn: axes, bands, marks
    draw: Callable[[Figure, Tables], Any]  # gives a matplotlib figure that belongs to no window


class Figure(NamedTuple):
    """One figure of the paper.

    `tables` gives the numbers by name: "" is the figure's main table, "runs" has a row per run. They are
    all that a view sees, so a figure can be redrawn from its files.
    """

    name: str  # after the number in print: "figure-4", "figure-s1"
    label: str | None  # in the LaTeX source, where it is one off: `fig3` is Figure 4
    title: str
    caption: str  # what to see
    experiment: str | None  # a name in `experiments.EXPERIMENTS`; None if nothing is simulated
    rhos: tuple[float, ...]  # the slice of the experiment that is shown
    policies: tuple[str, ...]  # labels of those that the paper plots; our own view shows all
    tables: Callable[[Figure, Outcomes], Tables]
    views: Mapping[str, View]  # "paper", "ours" (except of a diagram) and, if simulated, "runs"

    @property
    def number(self) -> str:
        """As it is printed: "Figure 4", "Figure S-1"."""
        return self.name.replace("figure-s", "Figure S-").replace("figure-", "Figure ")

    def draw(self, view: str, tables: Tables) -> Any:
        """The figure in one of its views, as a matplotlib figure."""
        return self.views[view].draw(self, tables)


def needed(figures: Mapping[str, Figure], experiments: Mapping[str, Experiment]) -> dict[str, Experiment]:
    """The experiments from which figures are drawn, with those values of rho only that one of them shows."""
    wanted: dict[str, set[float]] = {}
    for figure in figures.values():
        if figure.experiment is not None:
            wanted.setdefault(figure.experiment, set()).update(figure.rhos)
    return {
        name: experiment._replace(rhos=tuple(rho for rho in experiment.rhos if rho in wanted[name]))
        for name, experiment in experiments.items()
        if name in wanted
    }
