"""Figure 6 of the paper: Bernoulli arms, regret at the horizon against rho."""

from riskbandits.experiments.figures import numbers, views
from riskbandits.experiments.figures.figure import Figure
from riskbandits.experiments.zhu_tan import BERNOULLI_RHOS

FIGURE = Figure(
    name="fig6",
    title="Bernoulli arms, regret against rho",
    caption=(
        "BMVTS is ahead of every LCB at every rho. At rho = 1/9 two arms with very different means are almost tied, "
        "few runs have settled by the end, and changing between the two is what costs."
    ),
    experiment="bernoulli",
    rhos=BERNOULLI_RHOS,
    policies=("BMVTS", "BernoulliLCB"),
    tables=numbers.at_the_horizon,
    views=views.AGAINST_RHO,
)
