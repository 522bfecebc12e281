"""
Against what no policy can beat
===============================

Regret against ln n: in the long run, the regret of a policy that works on every problem grows at least as fast as the
straight line does. Only slopes are compared, so the line starts on the first curve. ``NGTS`` keeps close to the bound;
``MVTS`` grows faster. (``anytime``: a policy that knows where the run ends explores less towards it.)
"""

import riskbandits as rb

problem = rb.Problem(rb.GaussianArms(means=[0.2, 0.5, 0.9], variances=[0.1, 0.2, 1.0]), rb.MeanVariance(rho=1.0))
policies, steps = [rb.NGTS(anytime=True), rb.MVTS()], [10**power for power in range(3, 8)]
result = rb.simulate(problem, policies, horizon=steps[-1], runs=400, seed=7, checkpoints=steps, progress=False)

whole = rb.metrics.local_slopes(result.traces, steps=[steps[0], steps[-1]])
for label, slope, error in whole[["policy", "slope", "slope_se"]].itertuples(index=False):
    print(f"{label:19} grows by {slope:.1f} ± {error:.1f} per unit of ln n")
bound = {"lower bound": rb.theory.lower_bound(problem).total}
figure = rb.plotting.page(width=7.2, height=3.6)
rb.plotting.plot_slopes(rb.metrics.growth_table(result.traces), bound, quantity="pseudo-regret", ax=figure.subplots())
figure.savefig("lower_bound.svg")
