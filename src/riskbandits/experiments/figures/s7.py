"""Figure S-7 of the paper's supplement: Bernoulli arms over time, rho = 8/9."""

from riskbandits.experiments.figures import numbers, views
from riskbandits.experiments.figures.figure import Figure

FIGURE = Figure(
    name="S-7",
    title="Bernoulli arms, regret over time, rho = 8/9",
    caption=("As at rho = 4/9: BMVTS levels off early, and every LCB pays more than ten times as much."),
    experiment="bernoulli",
    rhos=(8 / 9,),
    policies=("BMVTS", "BernoulliLCB"),
    tables=numbers.over_time,
    views=views.OVER_TIME,
)
