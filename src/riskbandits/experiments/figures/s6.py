"""Figure S-6 of the paper's supplement: Bernoulli arms over time, rho = 4/9."""

from riskbandits.experiments.figures import numbers, views
from riskbandits.experiments.figures.figure import Figure

FIGURE = Figure(
    name="S-6",
    title="Bernoulli arms, regret over time, rho = 4/9",
    caption=(
        "At rho = 4/9 the regret of BMVTS levels off early. The LCB that the paper plots is still exploring at the "
        "end; the tightest constant helps, and does not close the gap."
    ),
    experiment="bernoulli",
    rhos=(4 / 9,),
    policies=("BMVTS", "BernoulliLCB"),
    tables=numbers.over_time,
    views=views.OVER_TIME,
)
