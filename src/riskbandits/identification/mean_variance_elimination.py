"""Elimination for the mean-variance of Gaussian rewards."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from riskbandits.core.records import NonNegative
from riskbandits.identification.contract import Decision
from riskbandits.identification.elimination import eliminate
from riskbandits.policies.support.contract import refuse_unless_mean_variance


class MeanVarianceElimination(NamedTuple):
    """Sample until the best mean-variance is clear, for Gaussian rewards.

    Use it to identify the best arm with a given probability of being right, if rewards are close to Gaussian: the
    bounds are those of Student's t for the mean and of chi-square for the variance, and with other tails the guarantee
    is lost. `within` >= 0 also accepts an arm whose value is at most that much below the best one's.

    An arm's value rho mu - s^2 lies between rho (m - w) - s_high^2 and rho (m + w) - s_low^2; each of the four bounds
    gets half the error (1 - confidence)/(2 K r (r + 1)) of a value's bound at the r-th look.

    Reference: ours, modelled on Even-Dar, Mannor & Mansour, Action Elimination and Stopping Conditions, 2006.

    >>> import riskbandits as rb
    >>> problem = rb.Problem(rb.GaussianArms(means=[0, 1], variances=[1, 1]), rb.MeanVariance(rho=2))
    >>> rb.identify(problem, MeanVarianceElimination(), confidence=0.9, runs=20, seed=1, progress=False).errors
    0
    """

    within: NonNegative = 0.0

    def choose(self, samples: object, risk: Any, budget: int, confidence: float | None) -> Decision:
        assert confidence is not None
        rho = float(risk.rho)
        return eliminate(samples, budget, confidence, self.within, lambda x, error: value_bounds(x, rho, error))

    def fixed_confidence(self) -> bool:
        return True

    def refuses(self, risk: Any, arms: Any) -> str | None:
        """Bounds on mean and variance bound the mean-variance."""
        return refuse_unless_mean_variance(self, risk)


def value_bounds(rewards: np.ndarray, rho: float, error: float) -> tuple[float, float]:
    """Bounds for rho mu - s^2 of a Gaussian, each wrong with probability at most `error`."""
    from scipy.special import chdtri, stdtrit

    size = len(rewards)
    mean, squares = float(rewards.mean()), float(((rewards - rewards.mean()) ** 2).sum())
    half = 0.5 * error
    width = -float(stdtrit(size - 1, half)) * math.sqrt(squares / (size - 1) / size)
    least_variance = squares / float(chdtri(size - 1, half))
    largest_variance = squares / float(chdtri(size - 1, 1.0 - half)) if squares > 0.0 else 0.0
    return rho * (mean - width) - largest_variance, rho * (mean + width) - least_variance
