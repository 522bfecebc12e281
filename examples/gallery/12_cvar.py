"""
Risk that is not variance
=========================

Harvests that fail in some years: the two crops are alike on average, but differ in the mean of the worst tenth of
years.
"""

import numpy as np

import riskbandits as rb

weights, places, spread = [[0.97, 0.03], [0.8, 0.2]], [[0.55, 0.2], [0.62, 0.15]], [[0.1, 0.1], [0.1, 0.1]]
arms = rb.TruncatedGaussianMixtureArms(weights, places, spread, lows=[0, 0], highs=[1, 1], names=["oats", "wheat"])
problem = rb.Problem(arms, rb.CVaR(level=0.1))
values = {"mean": problem.means, "CVaR": problem.values}
rng, figure = np.random.default_rng(7), rb.plotting.page(width=7.2, height=2.8)
for k, axes in enumerate(figure.subplots(1, 2, sharex=True, sharey=True)):
    axes.hist([problem.arms.draw(k, rng) for _ in range(5000)], bins=50, color="tab:blue")
    for (name, value), style in zip(values.items(), ("-", "--"), strict=True):
        axes.axvline(value[k], color="black", linestyle=style, label=f"{name} {value[k]:.2f}")
    axes.set(title=arms.names[k], xlabel="harvest")
    axes.legend(framealpha=1.0)
figure.savefig("cvar.svg")
