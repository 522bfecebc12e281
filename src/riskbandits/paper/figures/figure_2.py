"""Figure 2, a diagram: how MVTS works, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from riskbandits import plotting
from riskbandits.paper.figures.figure import Figure, View

if TYPE_CHECKING:
    from riskbandits.paper.experiments import Outcomes
    from riskbandits.paper.figures.figure import Tables


def no_tables(figure: Figure, outcomes: Outcomes) -> Tables:
    """A diagram has no numbers."""
    return {}


def diagram(figure: Figure, tables: Tables) -> Any:
    """Boxes and arrows."""
    page = plotting.page(plotting.FULL_WIDTH, 3.0)
    plotting.draw_mvts(page.subplots()).set_title(figure.title)
    return page


FIGURE = Figure(
    name="figure-2",
    label=None,
    title="How MVTS works",
    caption=(
        "Each step draws a plausible mean and a plausible precision for every arm from what is known of it, plays the "
        "arm whose draw is worth most, and learns from its reward. Arms that were played often are drawn close to "
        "their sample mean and variance, others far from them: that is how they get their chance."
    ),
    experiment=None,
    rhos=(),
    policies=(),
    tables=no_tables,
    views={
        "paper": View("The subject of the paper's diagram, drawn here anew: a step of MVTS, again and again.", diagram)
    },
)
