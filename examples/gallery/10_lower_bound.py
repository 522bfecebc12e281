"""
Against what no policy can beat
===============================

Regret against ln n: in the long run, the regret of any policy that works on every problem grows at least as fast as
the dashed line. (``anytime``: a policy that knows where the run ends explores less towards it.)
"""

import numpy as np

import riskbandits as rb

problem = rb.Problem(rb.GaussianArms(means=[0.2, 0.5, 0.9], variances=[0.1, 0.2, 1.0]), rb.MeanVariance(rho=1.0))
policies = [rb.NGTS(anytime=True), rb.MVTS()]
result = rb.simulate(problem, policies, horizon=100_000, runs=100, seed=7, progress=False)

figure = rb.plotting.page(width=7.2, height=3.2)
axes = figure.subplots()
for label, table in result.table().groupby("policy", sort=False):
    axes.plot(np.log(table["step"]), table["exact_pseudo_regret_mean"], label=label)
end = np.log(100_000)
axes.plot([0, end], [0, end * rb.theory.lower_bound(problem).total], "k--", label="slope of the lower bound")
axes.set(xlabel="ln n", ylabel="pseudo-regret")
axes.legend(frameon=False)
figure.savefig("lower_bound.svg")
