"""
Arms that change
================

After step 2000 the best arm becomes the worst. A policy that never forgets goes on playing it for a long time;
``Discounted`` and ``Restarting`` soon change over.
"""

import riskbandits as rb

before = rb.GaussianArms(means=[0.5, 0.0], variances=[0.1, 0.1])
after = rb.GaussianArms(means=[0.0, 0.5], variances=[0.1, 0.1])
problem = rb.Problem(rb.PiecewiseArms([(1, before), (2001, after)]), rb.MeanVariance(rho=1.0))
policies = [rb.NGTS(), rb.Discounted(rb.NGTS(), half_life=300), rb.Restarting(rb.NGTS())]
steps = range(100, 6001, 100)
result = rb.simulate(problem, policies, horizon=6_000, runs=100, seed=7, checkpoints=steps, progress=False)

figure = rb.plotting.page(width=7.2, height=3.2)
axes = figure.subplots()
for label, table in result.table().groupby("policy", sort=False):
    axes.plot(table["step"], table["dynamic_regret_mean"], label=label)
axes.axvline(2000, color="grey", linewidth=0.8)
axes.set(xlabel="step", ylabel="dynamic regret")
axes.legend(frameon=False)
figure.savefig("drift.svg")
