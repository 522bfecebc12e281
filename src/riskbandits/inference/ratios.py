"""Ratios of means with intervals and one-sided tests: the one kind of number by which claims are decided."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np


class Ratio(NamedTuple):
    """A numerator over a positive denominator, both estimated, with the variances of the two estimates.

    A test of "the ratio is above c" asks whether numerator - c denominator is above 0, so that at c = 1 it is the
    comparison of two means with Welch's standard error; the interval is what those tests leave (Fieller). Degrees of
    freedom are those of the smaller sample, which is on the safe side. A value that was computed has variances 0.
    """

    numerator: float
    denominator: float
    numerator_variance: float = 0.0
    denominator_variance: float = 0.0
    covariance: float = 0.0
    freedom: float = math.inf

    @property
    def value(self) -> float:
        """The ratio."""
        return self.numerator / self.denominator if self.denominator != 0.0 else math.nan

    def interval(self, error: float = 0.05) -> tuple[float, float]:
        """The values that a two-sided test at that level does not reject; everything where the data say too little."""
        if not math.isfinite(self.value):
            return -math.inf, math.inf
        quantile = _quantile(1.0 - error / 2.0, self.freedom) if self._estimated else 0.0
        square = quantile * quantile
        leading = self.denominator**2 - square * self.denominator_variance
        middle = self.numerator * self.denominator - square * self.covariance
        last = self.numerator**2 - square * self.numerator_variance
        root = middle**2 - leading * last
        if not (leading > 0.0 and root >= 0.0):
            exact = not self._estimated
            return (self.value, self.value) if exact else (-math.inf, math.inf)
        return (middle - math.sqrt(root)) / leading, (middle + math.sqrt(root)) / leading

    def p_above(self, limit: float) -> float:
        """The p-value against "the ratio is at most `limit`"."""
        difference = self.numerator - limit * self.denominator
        variance = self.numerator_variance - 2.0 * limit * self.covariance + limit**2 * self.denominator_variance
        if math.isnan(difference) or math.isnan(variance):
            return 1.0
        if variance <= 0.0:
            return 0.0 if difference > 0.0 else 1.0
        return _upper_tail(difference / math.sqrt(variance), self.freedom)

    def p_below(self, limit: float) -> float:
        """The p-value against "the ratio is at least `limit`"."""
        # numerator < limit * denominator is -numerator > -limit * denominator.
        return self._replace(numerator=-self.numerator, covariance=-self.covariance).p_above(-limit)

    @property
    def _estimated(self) -> bool:
        return not (self.numerator_variance == 0.0 and self.denominator_variance == 0.0)


def of_means(above: np.ndarray, below: np.ndarray) -> Ratio:
    """The ratio of the means of two independent samples."""
    return Ratio(
        float(above.mean()),
        float(below.mean()),
        mean_variance(above),
        mean_variance(below),
        freedom=min(len(above), len(below)) - 1.0,
    )


def of_mean(sample: np.ndarray, unit: float = 1.0) -> Ratio:
    """The mean of a sample in a known unit."""
    return Ratio(float(sample.mean()), unit, mean_variance(sample), freedom=len(sample) - 1.0)


def of_difference(first: np.ndarray, second: np.ndarray) -> Ratio:
    """The mean of one independent sample less that of another."""
    variance = mean_variance(first) + mean_variance(second)
    freedom = min(len(first), len(second)) - 1.0
    return Ratio(float(first.mean() - second.mean()), 1.0, variance, freedom=freedom)


def of_paired(above: np.ndarray, below: np.ndarray) -> Ratio:
    """The ratio of the means of two quantities measured on the same runs."""
    runs = len(above)
    if runs < 2:
        return Ratio(float(above.mean()), float(below.mean()), math.nan, math.nan, freedom=0.0)
    spread = np.cov(above, below) / runs
    variances = (float(spread[0, 0]), float(spread[1, 1]), float(spread[0, 1]))
    return Ratio(float(above.mean()), float(below.mean()), *variances, freedom=runs - 1.0)


def of_spread(sample: np.ndarray) -> Ratio:
    """The standard deviation of a sample over its mean, as one ratio of correlated estimates."""
    if len(sample) < 2 or (deviation := float(sample.std(ddof=1))) == 0.0:
        return Ratio(0.0, float(sample.mean()), math.nan, math.nan, freedom=0.0)
    # The deviation is, to first order, the mean of these.
    influence = deviation + ((sample - sample.mean()) ** 2 - deviation**2) / (2.0 * deviation)
    return of_paired(influence, sample)._replace(numerator=deviation)


def computed(value: float) -> Ratio:
    """A number that follows from formulas alone."""
    return Ratio(value, 1.0)


def mean_variance(sample: np.ndarray) -> float:
    """The squared standard error of a mean; not known from a single run."""
    return float(sample.var(ddof=1) / len(sample)) if len(sample) > 1 else math.nan


def _quantile(share: float, freedom: float) -> float:
    from scipy.special import ndtri, stdtrit

    if math.isinf(freedom):
        return float(ndtri(share))
    return float(stdtrit(freedom, share)) if freedom >= 1.0 else math.nan


def _upper_tail(value: float, freedom: float) -> float:
    from scipy.special import ndtr, stdtr

    if math.isinf(freedom):
        return float(ndtr(-value))
    return float(stdtr(freedom, -value)) if freedom >= 1.0 else 1.0
