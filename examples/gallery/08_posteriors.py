"""
What Thompson sampling draws
============================

An arm was played twenty times. ``MVTS`` draws its mean with variance 1/T whatever the rewards showed; ``NGTS`` draws
the variance first, and then the mean from a distribution whose width depends on that variance.
"""

import numpy as np

import riskbandits as rb

rng, pulls = np.random.default_rng(7), 20
rewards = rng.normal(0.5, 0.2, pulls)
mean, squares = rewards.mean(), pulls * rewards.var()
precision = rng.gamma(0.5 + pulls / 2, 1 / (0.5 + squares / 2), 1000)
own = rng.gamma(pulls / 2, 1 / (squares / 2), 1000)
drawn = {"MVTS": (rng.normal(mean, pulls**-0.5, 1000), 1 / precision)}
drawn["NGTS"] = (rng.normal(mean, (pulls * own) ** -0.5), 1 / own)
figure = rb.plotting.page(width=7.2, height=3.2)
for (name, points), axes in zip(drawn.items(), figure.subplots(1, 2, sharex=True, sharey=True), strict=True):
    axes.plot(*points, ".", markersize=2, alpha=0.5, rasterized=True)
    axes.plot(0.5, 0.04, "k+", markersize=10)
    axes.set(title=f"{name} (+ is the truth)", xlabel="drawn mean", ylabel="drawn variance")
    axes.label_outer()
figure.savefig("posteriors.svg")
