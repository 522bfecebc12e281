"""Random problems: arms that change at once, that walk, and that stay. A problem is named by its number."""

from __future__ import annotations

import numpy as np

import riskbandits as rb

HORIZON = 10_000
ARMS = 5
RHO = 1.0
SEED = 11  # of the problems; runs have seeds of their own
LOWEST_VARIANCE = 0.05


def moments(rng: np.random.Generator, arms: int) -> tuple[np.ndarray, np.ndarray]:
    """Means between 0 and 1, and variances between 0.05 and 1, where both matter for rho = 1."""
    return rng.uniform(0.0, 1.0, arms), rng.uniform(LOWEST_VARIANCE, 1.0, arms)


def changing(number: int, every: int | None, arms: int = ARMS, horizon: int = HORIZON) -> rb.Problem:
    """Gaussian arms that are drawn anew every so many steps; None: never.

    >>> [first for first, _ in changing(3, 4000).pieces]
    [1, 4001, 8001]
    """
    rng = np.random.default_rng([SEED, number, arms])
    starts = range(1, horizon + 1, horizon if every is None else every)
    return _problem([(first, rb.GaussianArms(*moments(rng, arms))) for first in starts])


def coins(number: int, every: int | None, arms: int = ARMS) -> rb.Problem:
    """The same with rewards 0 and 1."""
    rng = np.random.default_rng([SEED, number, arms, 1])
    starts = range(1, HORIZON + 1, HORIZON if every is None else every)
    return _problem([(first, rb.BernoulliArms(rng.uniform(0.02, 0.98, arms))) for first in starts])


def walking(number: int, size: float) -> rb.Problem:
    """Gaussian arms whose means move by N(0, size^2) every 100 steps, and whose variances by as many per cent."""
    first = moments(np.random.default_rng([SEED, number, 2]), ARMS)
    arms = rb.WalkingArms.random(*first, steps=HORIZON, every=100, mean_step=size, variance_step=size, seed=number)
    return rb.Problem(arms, rb.MeanVariance(RHO))


def staying(number: int) -> rb.Problem:
    """Gaussian arms that stay what they are."""
    return rb.Problem(
        rb.GaussianArms(*moments(np.random.default_rng([SEED, number, ARMS]), ARMS)), rb.MeanVariance(RHO)
    )


def _problem(pieces: list[tuple[int, object]]) -> rb.Problem:
    return rb.Problem(rb.PiecewiseArms(pieces), rb.MeanVariance(RHO))
