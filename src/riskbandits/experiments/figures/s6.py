"""Figure S-6 of the paper's supplement: Bernoulli arms over time, rho = 4/9."""

from riskbandits.experiments.figures import numbers, views
from riskbandits.experiments.figures.figure import Figure

FIGURE = Figure(
    name="S-6",
    title="Bernoulli arms, regret over time, rho = 4/9",
    caption="Which policy learns fastest.",
    experiment="bernoulli",
    rhos=(4 / 9,),
    policies=("BMVTS", "BernoulliLCB"),
    tables=numbers.over_time,
    views=views.OVER_TIME,
)
