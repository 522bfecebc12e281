"""The two figures of the paper that need no simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits import plotting
from riskbandits.paper.figures.figure import Figure, View
from riskbandits.paper.figures.figure_views import titled
from riskbandits.problems import zhu_tan_bernoulli

if TYPE_CHECKING:
    from riskbandits.paper.experiments import Outcomes
    from riskbandits.paper.figures.figure import Tables

SKETCH_RHO, SKETCH_LEVEL = 0.2, -0.1  # those of the paper's sketch
RHOS = (1 / 9, 4 / 9, 8 / 9)


def tables(figure: Figure, outcomes: Outcomes) -> Tables:
    """The parabolas on a grid of p; and the points on them: arms, best arms, other roots."""
    import pandas as pd

    p = np.linspace(0.0, 1.0, 201)
    curves = [pd.DataFrame({"rho": rho, "p": p, "value": rho * p - p * (1.0 - p)}) for rho in (SKETCH_RHO, *RHOS)]
    return {"": pd.concat(curves, ignore_index=True), "points": pd.concat([_sketched(), *map(_points, RHOS)])}


def _sketched() -> Any:
    """The two probabilities whose value is the sketch's level."""
    import pandas as pd

    middle, half = 0.5 * (1.0 - SKETCH_RHO), np.sqrt(0.25 * (1.0 - SKETCH_RHO) ** 2 + SKETCH_LEVEL)
    roots = [middle - half, middle + half]
    return pd.DataFrame({"rho": SKETCH_RHO, "p": roots, "value": SKETCH_LEVEL, "kind": ["best", "root"]})


def _points(rho: float) -> Any:
    """The arms of the paper's Bernoulli problem, and the other root if there is one."""
    import pandas as pd

    problem = zhu_tan_bernoulli(rho)
    kinds = np.where(problem.gaps == 0.0, "best", "arm")
    arms = pd.DataFrame({"rho": rho, "p": problem.means, "value": problem.values, "kind": kinds})
    root = 1.0 - rho - problem.means[problem.best_arm]
    if not 0.0 <= root <= 1.0:
        return arms
    value = problem.values[problem.best_arm]
    return pd.concat([arms, pd.DataFrame({"rho": [rho], "p": [root], "value": [value], "kind": ["root"]})])


def sketch(figure: Figure, tables: Tables) -> Any:
    """The paper's sketch."""
    curves, points = (table[table["rho"] == SKETCH_RHO] for table in (tables[""], tables["points"]))
    page = plotting.page(height=2.4)
    plotting.plot_parabola(curves, points, page.subplots()).set_title(figure.title)
    return page


def with_arms(figure: Figure, tables: Tables) -> Any:
    """The parabolas of the paper's experiments, with their arms."""
    curves, points = (table[table["rho"] != SKETCH_RHO] for table in (tables[""], tables["points"]))
    page = plotting.page(height=3.4)
    return titled(figure, page, plotting.plot_parabolas(curves, points, page.subplots()))


FIGURE_1 = Figure(
    name="figure-1",
    label="ber",
    title="Value of a Bernoulli arm",
    caption=(
        r"Two success probabilities, $p_1$ and $1 - \rho - p_1$, are worth the same, so a wrong arm can look best in "
        r"two ways. On the paper's arms the second is met, almost, at rho = 1/9: the arm with $p = 0.1$."
    ),
    experiment=None,
    rhos=RHOS,
    policies=(),
    tables=tables,
    views={
        "paper": View("As in the paper: the parabola at rho = 0.2 and the two probabilities worth -0.1.", sketch),
        "ours": View("The parabolas of Figures S-1 to S-3 with the paper's arms on them.", with_arms),
    },
)


def no_tables(figure: Figure, outcomes: Outcomes) -> Tables:
    """A diagram has no numbers."""
    return {}


def diagram(figure: Figure, tables: Tables) -> Any:
    """Boxes and arrows."""
    page = plotting.page(plotting.FULL_WIDTH, 3.0)
    plotting.draw_mvts(page.subplots()).set_title(figure.title)
    return page


FIGURE_2 = Figure(
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
