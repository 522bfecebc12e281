"""Standard errors, and intervals for means and shares."""

from __future__ import annotations

import math

import numpy as np

from riskbandits.core.checks import number, whole

Z95 = 1.959963984540054  # the normal quantile of two-sided 95 % intervals


def standard_error(values: np.ndarray) -> np.ndarray:
    """The standard error of the mean over the first axis, which is that of runs; NaN for a single run.

    >>> float(standard_error(np.array([1.0, 2.0, 3.0, 6.0])).round(3))
    1.08
    """
    if len(values) < 2:
        return np.full(np.shape(values)[1:], math.nan)
    return np.asarray(values.std(axis=0, ddof=1) / math.sqrt(len(values)))


def clopper_pearson(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """The exact interval for a probability: it covers at least as often as it says, for none or all successes too.

    Trials with different probabilities, as those of runs on several problems, make it wider than needed, never
    narrower, for their average (Hoeffding 1956).

    >>> low, high = clopper_pearson(0, 100)
    >>> low, round(high, 4)
    (0.0, 0.0362)
    """
    from scipy.stats import binomtest

    trials = whole("The number of trials", trials)
    successes = whole("The number of successes", successes, least=0, most=trials)
    confidence = number("The confidence", confidence, "a number between 0 and 1", lambda p: 0.0 < p < 1.0)
    found = binomtest(successes, trials).proportion_ci(confidence, method="exact")
    return float(found.low), float(found.high)
