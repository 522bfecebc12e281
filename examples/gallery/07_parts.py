"""
The two parts of regret
=======================

What single pulls lost and what moving between arms cost, on the paper's arms at rho = 1. ``SwitchingAware`` settles on
one of several good arms, and saves on both parts.
"""

import riskbandits as rb

problem = rb.problems.zhu_tan_gaussian(rho=1.0)
policies = [rb.SwitchingAware(), rb.NGTS(), rb.MVTS(), rb.MTS()]
result = rb.simulate(problem, policies, horizon=10_000, runs=200, seed=7, progress=False)

gaps = [rb.metrics.gap_sum(trace)[:, -1].mean() for trace in result.traces]
moves = [rb.metrics.switching_cost(trace)[:, -1].mean() for trace in result.traces]
figure = rb.plotting.page(width=7.2, height=2.8)
axes = figure.subplots()
axes.barh(result.labels, gaps, label="wrong arms")
axes.barh(result.labels, moves, left=gaps, label="switching")
axes.set(xlabel="pseudo-regret after 10 000 steps")
axes.legend(frameon=False)
figure.savefig("parts.svg")
