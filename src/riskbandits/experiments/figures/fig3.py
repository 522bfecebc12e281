"""Figure 3 of the paper: Gaussian arms over time, rho = 1."""

from riskbandits.experiments.figures import numbers, views
from riskbandits.experiments.figures.figure import Figure

FIGURE = Figure(
    name="fig3",
    title="Gaussian arms, regret over time, rho = 1",
    caption=(
        "At rho = 1 mean and variance both count. MTS and MVTS are close, and so are their runs. The mean of VTS is "
        "close to theirs and typical of no run: most are far better, the others stay with a wrong arm and pay several "
        "times as much. MV-LCB is behind with every preset."
    ),
    experiment="gaussian",
    rhos=(1.0,),
    policies=("MTS", "VTS", "MVTS", "MVLCB"),
    tables=numbers.over_time,
    views=views.OVER_TIME,
)
