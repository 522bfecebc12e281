"""Figure S-5 of the paper's supplement: Bernoulli arms over time, rho = 1/9."""

from riskbandits.experiments.figures import numbers, views
from riskbandits.experiments.figures.figure import Figure

FIGURE = Figure(
    name="S-5",
    title="Bernoulli arms, regret over time, rho = 1/9",
    caption=(
        "At rho = 1/9 the arms with p = 0.79 and p = 0.1 are almost tied (see `ber`). Few runs have settled by the "
        "end; with means so far apart, changing between the two is what costs."
    ),
    experiment="bernoulli",
    rhos=(1 / 9,),
    policies=("BMVTS", "BernoulliLCB"),
    tables=numbers.over_time,
    views=views.OVER_TIME,
)
