"""This package, by its public functions."""

from problem import CHANCES, STEPS

import riskbandits as rb

RUNS = 1_000


def runs(policy: str, number: int, seed: int) -> float:
    """The mean share of pulls of the best arm."""
    record = {"thompson": rb.BernoulliTS(), "ucb1": rb.UCB1()}[policy]
    problem = rb.Problem(rb.BernoulliArms(CHANCES), rb.Mean())
    result = rb.simulate(
        problem, [record], horizon=STEPS, runs=number, seed=seed, checkpoints=[STEPS], workers=1, progress=False
    )
    return float(result.traces[0].pulls[:, -1].mean() / STEPS)
