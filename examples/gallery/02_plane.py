"""
Arms in the plane of mean and variance
======================================

Every arm is a point. All points on a dotted line have the same mean-variance, rho times the mean minus the variance;
the best arm is the one on the lowest line, furthest to the right. A larger rho makes the lines steeper and lets
bolder arms win.
"""

import numpy as np

import riskbandits as rb

figure = rb.plotting.page(width=7.2, height=3.2)
for rho, axes in zip((0.05, 1.0, 20.0), figure.subplots(1, 3, sharey=True), strict=True):
    problem = rb.problems.zhu_tan_gaussian(rho)
    best, means = problem.best_arm, np.linspace(-0.05, 0.95)
    for value in problem.values[best] - np.linspace(0.0, 1.0, 5):
        axes.plot(means, rho * means - value, ":", color="grey", linewidth=0.8)
    axes.plot(problem.means, problem.variances, "o", color="tab:blue")
    axes.plot(problem.means[best], problem.variances[best], "o", color="tab:red", markersize=9)
    axes.set(title=f"rho = {rho:g}", xlabel="mean", ylabel="variance", xlim=(0, 0.9), ylim=(0, 1))
    axes.label_outer()
figure.savefig("plane.svg")
