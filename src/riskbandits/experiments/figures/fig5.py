"""Figure 5 of the paper: Gaussian arms, regret at the horizon against rho."""

from riskbandits.experiments.figures import numbers, views
from riskbandits.experiments.figures.figure import Figure
from riskbandits.experiments.zhu_tan import GAUSSIAN_RHOS

FIGURE = Figure(
    name="fig5",
    title="Gaussian arms, regret against rho",
    caption=(
        "MVTS follows VTS where rho is small and MTS where it is large. Whether it beats MV-LCB at every rho depends "
        "on the constants: with those that the paper plots it does, with those of Sani et al. not for the largest "
        "rho. The means of VTS from rho = 0.1 on, and of MTS for small rho, come from two kinds of run."
    ),
    experiment="gaussian",
    rhos=GAUSSIAN_RHOS,
    policies=("MTS", "VTS", "MVTS", "MVLCB"),
    tables=numbers.at_the_horizon,
    views=views.AGAINST_RHO,
)
