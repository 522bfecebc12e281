"""Figure 5 of the paper: Gaussian arms, regret at the horizon against rho."""

from riskbandits.experiments.figures import numbers, views
from riskbandits.experiments.figures.figure import Figure
from riskbandits.experiments.zhu_tan import GAUSSIAN_RHOS

FIGURE = Figure(
    name="fig5",
    title="Gaussian arms, regret against rho",
    caption="Which policy learns fastest.",
    experiment="gaussian",
    rhos=GAUSSIAN_RHOS,
    policies=("MTS", "VTS", "MVTS", "MVLCB"),
    tables=numbers.at_the_horizon,
    views=views.AGAINST_RHO,
)
