"""
Which arms were played
======================

The share of pulls of every arm, the best arm first.
"""

import riskbandits as rb

names = ["bond", "fund", "stock", "gold"]
arms = rb.GaussianArms(means=[0.05, 0.20, 0.35, 0.15], variances=[0.01, 0.05, 0.40, 0.10], names=names)
problem = rb.Problem(arms, rb.MeanVariance(rho=1.0))
policies = [rb.SwitchingAware(), rb.NGTS(), rb.MVLCB()]
result = rb.simulate(problem, policies, horizon=2_000, runs=100, seed=7, progress=False)

figure = rb.plotting.page(width=7.2, height=2.8)
result.plot("pulls", ax=figure.subplots())
figure.savefig("pulls.svg")
