"""Figure 2 of the paper: Gaussian arms over time, rho = 0.001."""

from riskbandits.experiments.figures import numbers, views
from riskbandits.experiments.figures.figure import Figure

FIGURE = Figure(
    name="fig2",
    title="Gaussian arms, regret over time, rho = 0.001",
    caption=(
        "At rho = 0.001 almost only the variance counts. VTS and MVTS soon stop paying. MTS is ahead at first, then "
        "its mean goes on growing: it never draws a variance, so a few of its runs stay with a wrong arm. The "
        "regret of MV-LCB is still growing fast at the end, whatever its constants."
    ),
    experiment="gaussian",
    rhos=(0.001,),
    policies=("MTS", "VTS", "MVTS", "MVLCB"),
    tables=numbers.over_time,
    views=views.OVER_TIME,
)
