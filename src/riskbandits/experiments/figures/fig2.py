"""Figure 2 of the paper: Gaussian arms over time, rho = 0.001."""

from riskbandits.experiments.figures import numbers, views
from riskbandits.experiments.figures.figure import Figure

FIGURE = Figure(
    name="fig2",
    title="Gaussian arms, regret over time, rho = 0.001",
    caption="Which policy learns fastest.",
    experiment="gaussian",
    rhos=(0.001,),
    policies=("MTS", "VTS", "MVTS", "MVLCB"),
    tables=numbers.over_time,
    views=views.OVER_TIME,
)
