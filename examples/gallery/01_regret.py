"""
Regret of the paper's policies and of the recommended one
=========================================================

The fifteen Gaussian arms of Zhu & Tan (2020) at rho = 1: mean regret over 200 runs, with 95 % bands. A line that
bends flat belongs to a policy that has found the best arm; a line that stays straight keeps playing wrong ones.
"""

import riskbandits as rb

problem = rb.problems.zhu_tan_gaussian(rho=1.0)
policies = [rb.SwitchingAware(), rb.MVTS(), rb.MTS(), rb.VTS(), rb.MVLCB()]
result = rb.simulate(problem, policies, horizon=30_000, runs=200, seed=7, progress=False)

figure = rb.plotting.page(width=7.2, height=3.6)
axes = result.plot(ax=figure.subplots())
axes.set_title("The paper's fifteen arms, rho = 1")
figure.savefig("regret.svg")
