"""
A dot per run: what means hide
==============================

Mean regret hides the few runs that settle on a wrong arm for good. Each dot is one run at the horizon; crosses are
runs that settled on a wrong arm, and their share is given on the right.
"""

import riskbandits as rb

problem = rb.problems.zhu_tan_gaussian(rho=1.0)
policies = [rb.SwitchingAware(), rb.NGTS(), rb.MVTS(), rb.VTS()]
result = rb.simulate(problem, policies, horizon=10_000, runs=200, seed=7, progress=False)

figure = rb.plotting.page(width=7.2, height=3.2)
result.plot("runs", ax=figure.subplots())
figure.savefig("runs.svg")
