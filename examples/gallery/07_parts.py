"""
The two parts of regret
=======================

What pulls of wrong arms lost, and what moving between arms cost. Two of these three arms are equally good, but their
means differ, so that moving between them is variance. ``SwitchingAware`` settles on one of them; the other policies
keep playing both, and lose most of their regret by it.
"""

import riskbandits as rb

arms = rb.GaussianArms(means=[0.1, 1.0, 0.5], variances=[0.01, 0.91, 0.8])  # worth 0.09, 0.09 and -0.3
policies = [rb.SwitchingAware(), rb.NGTS(), rb.MVTS(), rb.MTS()]
problem = rb.Problem(arms, rb.MeanVariance(rho=1.0))
result = rb.simulate(problem, policies, horizon=5_000, runs=200, seed=7, progress=False)

gaps = [rb.metrics.gap_sum(trace)[:, -1].mean() for trace in result.traces]
moves = [rb.metrics.switching_cost(trace)[:, -1].mean() for trace in result.traces]
for label, gap, move in zip(result.labels, gaps, moves, strict=True):
    print(f"{label:15} lost {gap:.0f} by wrong arms and {move:.0f} by switching")
figure = rb.plotting.page(width=7.2, height=2.8)
axes = figure.subplots()
axes.barh(result.labels, gaps, color="#D55E00", label="wrong arms")
axes.barh(result.labels, moves, left=gaps, color="#56B4E9", label="switching")
axes.invert_yaxis()
axes.set(xlabel="pseudo-regret after 5000 steps")
rb.plotting.legend_below(figure, axes)
figure.savefig("parts.svg")
