"""Figure 4 of the paper: Gaussian arms over time, rho = 1000."""

from riskbandits.experiments.figures import numbers, views
from riskbandits.experiments.figures.figure import Figure

FIGURE = Figure(
    name="fig4",
    title="Gaussian arms, regret over time, rho = 1000",
    caption=(
        "At rho = 1000 almost only the mean counts. MTS and MVTS coincide. MV-LCB is behind them with the constants "
        "that the paper plots and slightly ahead with those of Sani et al. VTS never draws a mean, and most of its "
        "runs stay with a wrong arm."
    ),
    experiment="gaussian",
    rhos=(1000.0,),
    policies=("MTS", "VTS", "MVTS", "MVLCB"),
    tables=numbers.over_time,
    views=views.OVER_TIME,
)
