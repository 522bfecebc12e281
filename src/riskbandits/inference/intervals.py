"""Standard errors, and intervals for means and shares."""

from __future__ import annotations

import math

import numpy as np

from riskbandits.core.checks import array, number, whole
from riskbandits.core.display import Z95 as Z95  # the same in what people read and in what is decided

NO_SKEWNESS = 1e-6  # below this the correction is nothing but rounding


def standard_error(values: np.ndarray) -> np.ndarray:
    """The standard error of the mean over the first axis, which is that of runs; NaN for a single run.

    >>> float(standard_error(np.array([1.0, 2.0, 3.0, 6.0])).round(3))
    1.08
    """
    values = sample_of(values, axes=(1, 2, 3))
    if len(values) < 2:
        return np.full(np.shape(values)[1:], math.nan)
    return np.asarray(values.std(axis=0, ddof=1) / math.sqrt(len(values)))


def mean_interval(sample: np.ndarray) -> tuple[float, float, float]:
    """The mean of a sample and its 95 % interval: Student's, corrected for the sample's skewness (Hall 1992).

    Regrets are skewed to the right: a symmetric interval is too low too often. Of 40 log-normal ones it covers the mean
    in 92 % of cases, where this one does in 94 %.

    >>> [round(number, 2) for number in mean_interval(np.array([1.0, 1.0, 2.0, 2.0, 3.0, 9.0]))]
    [3.0, 0.68, 15.73]
    """
    from scipy.special import stdtrit

    sample = sample_of(sample)
    size, mean = len(sample), float(sample.mean())
    deviation = float(sample.std(ddof=1)) if size > 1 else math.nan
    if not deviation > 0.0:
        return mean, mean, mean
    skewness = float(np.mean(((sample - mean) / deviation) ** 3))
    reach = float(stdtrit(size - 1.0, 0.975)) / math.sqrt(size)
    if abs(skewness) < NO_SKEWNESS:
        return mean, mean - deviation * reach, mean + deviation * reach
    ends = [
        mean - deviation * 3.0 / skewness * float(np.cbrt(1.0 + skewness * (side - skewness / (6.0 * size))) - 1.0)
        for side in (reach, -reach)
    ]
    return mean, min(ends[0], mean), max(ends[1], mean)


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


def sample_of(values: object, axes: tuple[int, ...] = (1,)) -> np.ndarray:
    """Numbers measured over runs, as an array, or raise. An array is left as it is: a copy might be summed otherwise.

    >>> sample_of([1, 2.5])
    array([1. , 2.5])
    """
    if type(values) is np.ndarray and values.dtype.kind in "biuf" and values.ndim in axes and values.size:
        return values
    return array("A sample", "numbers, one per run", values, axes)
