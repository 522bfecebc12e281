"""What policies with a history cost per step, beside the same choices with every weight drawn.

python benchmarks/histories.py [STEPS] [RUNS]
"""

from __future__ import annotations

import sys
import time
from typing import Any, NamedTuple

import numpy as np

import riskbandits as rb

MEANS = np.array(rb.problems.ZHU_TAN_MEANS)
GAUSSIAN = rb.GaussianArms(rb.problems.ZHU_TAN_MEANS, rb.problems.ZHU_TAN_VARIANCES)
BETA = rb.BetaArms(4.0 * MEANS, 4.0 * (1.0 - MEANS))


class EveryWeight(NamedTuple):
    """The mean-variance without bounds: nothing is left out."""

    rho: float = 1.0

    def value(self, mean: float, variance: float) -> float:
        return self.rho * mean - variance


class EveryWeightCVaR(NamedTuple):
    """CVaR without bounds and without its tail."""

    level: float = 0.05

    def value(self, mean: float, variance: float) -> float:
        return mean

    def sample_value(self, values: Any, weights: Any) -> float:
        total = 0.0
        for i in range(weights.shape[0]):
            total += weights[i]
        left = self.level * total
        below = 0.0
        for i in range(weights.shape[0]):
            taken = min(weights[i], left)
            below += taken * values[i]
            left -= taken
        return below / (self.level * total)


CASES = [
    (
        "NPTS:anchor_free, Gaussian arms",
        rb.NPTS.anchor_free(),
        GAUSSIAN,
        rb.MeanVariance(1.0),
        EveryWeight(1.0),
    ),
    ("NPTS, Beta arms", rb.NPTS(), BETA, rb.MeanVariance(1.0), EveryWeight(1.0)),
    ("NPTS (as BCVTS), Beta arms, CVaR 0.05", rb.NPTS(), BETA, rb.CVaR(0.05), EveryWeightCVaR(0.05)),
]


def microseconds(policy: Any, problem: rb.Problem, steps: int, runs: int) -> float:
    rb.simulate(problem, [policy], horizon=20, runs=1, workers=1, progress=False)  # compiles
    started = time.process_time()
    rb.simulate(problem, [policy], horizon=steps, runs=runs, workers=1, progress=False)
    return (time.process_time() - started) / (steps * runs) * 1e6


def main() -> None:
    steps, runs = (int(word) for word in [*sys.argv[1:], "30000", "2"][:2])
    print(f"{runs} runs of {steps:,} steps on 15 arms, microseconds of one core per step:")
    for name, policy, arms, risk, every in CASES:
        fast = microseconds(policy, rb.Problem(arms, risk), steps, runs)
        slow = microseconds(policy, rb.Problem(arms, every), steps, runs)
        minutes = fast * 1e-6 * 100 * 30_000 / 2 / 60
        note = f"; 100 such runs on two cores: {minutes:.1f} minutes" if steps == 30_000 else ""
        print(f"{name}: {fast:.0f}, every weight {slow:.0f}, ratio {slow / fast:.1f}{note}", flush=True)


if __name__ == "__main__":
    main()
