"""Figure 3 of the paper: Gaussian arms over time, rho = 1."""

from riskbandits.experiments.figures import numbers, views
from riskbandits.experiments.figures.figure import Figure

FIGURE = Figure(
    name="fig3",
    title="Gaussian arms, regret over time, rho = 1",
    caption="Which policy learns fastest.",
    experiment="gaussian",
    rhos=(1.0,),
    policies=("MTS", "VTS", "MVTS", "MVLCB"),
    tables=numbers.over_time,
    views=views.OVER_TIME,
)
