"""Standard errors, and intervals for means and shares."""

from __future__ import annotations

import math

import numpy as np

from riskbandits.core.checks import array, number, whole

Z95 = 1.959963984540054  # the normal quantile of two-sided 95 % intervals

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
    """The mean of a sample and its 95 % interval: Student's, widened for the sample's skewness (Hall 1992).

    Regrets are skewed to the right: a symmetric interval is too low too often. Hall's correction moves both ends up;
    since the skewness is itself estimated, the outer one of the two ends is taken on either side. Of 20 log-normal
    regrets (s = 0.8) Student's interval covers the mean in 89 % of cases, Hall's in 93 %, this one in 94.5 %.

    >>> [round(number, 2) for number in mean_interval(np.array([1.0, 1.0, 2.0, 2.0, 3.0, 9.0]))]
    [3.0, -0.18, 12.01]
    """
    from scipy.special import stdtrit

    sample = sample_of(sample)
    size, mean = len(sample), float(sample.mean())
    deviation = float(sample.std(ddof=1)) if size > 1 else math.nan
    if not deviation > 0.0:
        return mean, mean, mean
    skewness = third_moment(sample) / deviation**3
    reach = float(stdtrit(size - 1.0, 0.975)) / math.sqrt(size)
    return mean, *hall_interval(mean, deviation, skewness, reach, size)


def hall_interval(
    value: float, deviation: float, skewness: float, reach: float, size: float = 1.0
) -> tuple[float, float]:
    """The hull of value -+ reach * deviation and of Hall's interval (1992), which follows the skewness.

    With `size` 1, `deviation` is the standard error of the value, `skewness` that of the estimate, and `reach` a
    quantile of Student's distribution. They may also be those of one of `size` equal parts, with the quantile divided
    by the square root of `size`.

    >>> [round(end, 3) for end in hall_interval(0.0, 1.0, 0.3, 2.0)]
    [-2.0, 2.725]
    """
    low, high = value - deviation * reach, value + deviation * reach
    if abs(skewness) < NO_SKEWNESS:
        return low, high
    ends = [
        value - deviation * 3.0 / skewness * float(np.cbrt(1.0 + skewness * (side - skewness / (6.0 * size))) - 1.0)
        for side in (reach, -reach)
    ]
    return min(low, ends[0]), max(high, ends[1])


def sum_interval(value: float, parts: np.ndarray, freedom: float) -> tuple[float, float, float]:
    """The 95 % interval of an estimate whose error is a sum of independent parts with mean 0, and its skewness.

    The parts are those of its linear approximation: weights times influence function. The interval is
    `hall_interval`'s, with the quantile of Student's distribution with `freedom` degrees of freedom.

    >>> [round(end, 2) for end in sum_interval(1.0, np.array([-0.1, -0.1, 0.2]), 2.0)]
    [-0.05, 4.46, 0.41]
    """
    from scipy.special import stdtrit

    largest = float(np.abs(parts).max())
    if not largest > 0.0:
        return value, value, 0.0
    scaled = parts / largest  # cubes of large rewards would be infinite
    spread = float(np.square(scaled).sum())
    skewness = float((scaled**3).sum()) / spread**1.5
    low, high = hall_interval(value, largest * math.sqrt(spread), skewness, float(stdtrit(freedom, 0.975)))
    return low, high, skewness


def third_moment(sample: np.ndarray) -> float:
    """The third central moment of what a sample is drawn from, without bias; 0 where too few runs tell nothing.

    >>> third_moment(np.array([0.0, 0.0, 3.0])), third_moment(np.array([0.0, 1.0]))
    (9.0, 0.0)
    """
    size = len(sample)
    if size < 3:
        return 0.0
    return float(((sample - sample.mean()) ** 3).sum()) * size / ((size - 1.0) * (size - 2.0))


def clopper_pearson(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """The exact interval for a probability: it covers at least as often as it says, for none or all successes too.

    Trials with different probabilities, as those of runs on several problems, make it wider than needed, never
    narrower, for their average (Hoeffding 1956).

    >>> low, high = clopper_pearson(0, 100)
    >>> low, round(high, 4)
    (0.0, 0.0362)
    """
    from scipy.special import betaincinv

    trials = whole("The number of trials", trials)
    successes = whole("The number of successes", successes, least=0, most=trials)
    confidence = number("The confidence", confidence, "a number between 0 and 1", lambda p: 0.0 < p < 1.0)
    tail, failures = 0.5 * (1.0 - confidence), trials - successes
    low = float(betaincinv(successes, failures + 1.0, tail)) if successes else 0.0
    return low, float(betaincinv(successes + 1.0, failures, 1.0 - tail)) if failures else 1.0


def sample_of(values: object, axes: tuple[int, ...] = (1,)) -> np.ndarray:
    """Numbers measured over runs, as an array, or raise. An array is left as it is: a copy might be summed otherwise.

    >>> sample_of([1, 2.5])
    array([1. , 2.5])
    """
    if type(values) is np.ndarray and values.dtype.kind in "biuf" and values.ndim in axes and values.size:
        return values
    return array("A sample", "numbers, one per run", values, axes)
