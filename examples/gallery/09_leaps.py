"""
A run costs its regret, not its horizon
=======================================

Time for sixteen runs of ``MVTS`` on the paper's arms at rho = 1000: scoring every arm at every step costs the horizon;
lazy sampling draws only what can matter, and leaps over steps at which the leader is certain to be played.
"""

from time import perf_counter

import riskbandits as rb

problem = rb.problems.zhu_tan_gaussian(rho=1000.0)
figure = rb.plotting.page(width=7.2, height=3.2)
axes = figure.subplots()
for method, longest in {"plain": 5, "walk": 6, "lazy": 9}.items():
    horizons, seconds = [10**power for power in range(2, longest + 1)], []
    for horizon in [10, *horizons]:  # the first is for the compiler
        start = perf_counter()
        rb.simulate(problem, [rb.MVTS()], horizon=horizon, runs=16, method=method, workers=1, progress=False)
        seconds.append(perf_counter() - start)
    axes.loglog(horizons, seconds[1:], "o-", label=f'method="{method}"')
axes.set(xlabel="horizon", ylabel="seconds for 16 runs")
axes.legend(frameon=False)
figure.savefig("leaps.svg")
