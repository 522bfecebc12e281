"""Ratios of means with intervals and one-sided tests: the one kind of number by which claims are decided."""

from __future__ import annotations

import math
from functools import partial
from typing import NamedTuple

import numpy as np

from riskbandits.core.display import counted
from riskbandits.core.errors import must_be
from riskbandits.inference.intervals import Z95, sample_of, third_moment
from riskbandits.inference.rare import Rare, Rise, guard

HALVINGS = 50  # of the logarithm of a p-value


class Ratio(NamedTuple):
    """A numerator over a positive denominator, both estimated, with the variances of the two estimates.

    A test of "the ratio is above c" asks whether numerator - c denominator is above 0, so that at c = 1 it is the
    comparison of two means with Welch's standard error; the interval is what those tests leave (Fieller). Degrees of
    freedom are those of the smaller sample, which is on the safe side. A value that was computed has variances 0.

    Rare disasters that the runs may hold too few of (`inference.rare`) are counted against either answer: the
    numerator may be higher (`rise`) or lower (`fall`) than its estimate by that much, and the denominator higher
    (`rise_below`). So is the skewness of the runs, which Student's quantiles leave out (`_skewed`).
    """

    numerator: float
    denominator: float
    numerator_variance: float = 0.0
    denominator_variance: float = 0.0
    covariance: float = 0.0
    freedom: float = math.inf
    rise: Rise | None = None
    fall: Rise | None = None
    rise_below: Rise | None = None

    @property
    def value(self) -> float:
        """The ratio."""
        return self.numerator / self.denominator if self.denominator != 0.0 else math.nan

    def interval(self, error: float = 0.05) -> tuple[float, float]:
        """The values that a two-sided test at that level does not reject; everything where the data say too little."""
        if not math.isfinite(self.value):
            return -math.inf, math.inf
        up, down, below = (0.0 if one is None else one(error / 2.0) for one in (self.rise, self.fall, self.rise_below))
        ends = [
            self._moved(numerator, denominator)._fieller(error)
            for numerator in {0.0, up, -down}
            for denominator in {0.0, below}
        ]
        return min(low for low, _ in ends), max(high for _, high in ends)

    def p_above(self, limit: float) -> float:
        """The p-value against "the ratio is at most `limit`"."""
        if (self.fall is None and self.rise_below is None) or not self._estimated:
            return self._p_above(limit)
        # An error so large that even so much bad luck leaves the difference above 0; more error means less of it.
        low, high = max(self._p_above(limit), 1e-12), 0.5
        if self._unlucky(limit, high) >= high:
            return self._unlucky(limit, high)
        for _ in range(HALVINGS):
            middle = math.sqrt(low * high)
            low, high = (middle, high) if self._unlucky(limit, middle) > middle else (low, middle)
        return high

    def p_below(self, limit: float) -> float:
        """The p-value against "the ratio is at least `limit`"."""
        # numerator < limit * denominator is -numerator > -limit * denominator.
        turned = self._replace(numerator=-self.numerator, covariance=-self.covariance, rise=self.fall, fall=self.rise)
        return turned.p_above(-limit)

    def scaled(self, factor: float) -> Ratio:
        """The ratio times a number: of the same two quantities, the lower one in another unit."""
        below = self.rise_below
        return self._replace(
            denominator=self.denominator / factor,
            denominator_variance=self.denominator_variance / factor**2,
            covariance=self.covariance / factor,
            rise_below=None if below is None else (lambda error: below(error) / factor),
        )

    def _p_above(self, limit: float) -> float:
        """The p-value if the sample holds as many disasters as it should."""
        difference = self.numerator - limit * self.denominator
        variance = self.numerator_variance - 2.0 * limit * self.covariance + limit**2 * self.denominator_variance
        if math.isnan(difference) or math.isnan(variance):
            return 1.0
        if variance <= 0.0:
            return 0.0 if difference > 0.0 else 1.0
        return _upper_tail(difference / math.sqrt(variance), self.freedom)

    def _unlucky(self, limit: float, error: float) -> float:
        """The p-value if the sample holds fewer disasters than it should, by as much as happens with that error."""
        fall = 0.0 if self.fall is None else self.fall(error)
        below = 0.0 if self.rise_below is None or limit <= 0.0 else self.rise_below(error)
        return self._moved(-fall, below)._p_above(limit)

    def _moved(self, numerator: float, denominator: float) -> Ratio:
        return self._replace(numerator=self.numerator + numerator, denominator=self.denominator + denominator)

    def _fieller(self, error: float) -> tuple[float, float]:
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

    @property
    def _estimated(self) -> bool:
        return not (self.numerator_variance == 0.0 and self.denominator_variance == 0.0)


def of_means(above: np.ndarray, below: np.ndarray, rare: Rare | None = None, rare_below: Rare | None = None) -> Ratio:
    """The ratio of the means of two independent samples."""
    above, below = sample_of(above), sample_of(below)
    ratio = Ratio(
        float(above.mean()),
        float(below.mean()),
        mean_variance(above),
        mean_variance(below),
        freedom=min(len(above), len(below)) - 1.0,
        rise=_rise(above, rare),
        rise_below=_rise(below, rare_below),
    )
    return _skewed(ratio, _third_of_mean(above) - _finite(ratio.value) ** 3 * _third_of_mean(below))


def of_mean(sample: np.ndarray, unit: float = 1.0, rare: Rare | None = None) -> Ratio:
    """The mean of a sample in a known unit."""
    freedom = len(sample) - 1.0
    ratio = Ratio(float(sample.mean()), unit, mean_variance(sample), freedom=freedom, rise=_rise(sample, rare))
    return _skewed(ratio, _third_of_mean(sample))


def of_difference(
    first: np.ndarray, second: np.ndarray, rare: Rare | None = None, rare_second: Rare | None = None
) -> Ratio:
    """The mean of one independent sample less that of another."""
    variance = mean_variance(first) + mean_variance(second)
    freedom = min(len(first), len(second)) - 1.0
    difference = float(first.mean() - second.mean())
    rise, fall = _rise(first, rare), _rise(second, rare_second)
    ratio = Ratio(difference, 1.0, variance, freedom=freedom, rise=rise, fall=fall)
    return _skewed(ratio, _third_of_mean(first) - _third_of_mean(second))


def of_paired(above: np.ndarray, below: np.ndarray, rare: Rare | None = None, rare_below: Rare | None = None) -> Ratio:
    """The ratio of the means of two quantities measured on the same runs."""
    above, below = sample_of(above), sample_of(below)
    runs = len(above)
    if len(below) != runs:
        raise must_be("The second of two paired samples", f"as long as the first ({counted(runs, 'run')})", below)
    if runs < 2:
        return Ratio(float(above.mean()), float(below.mean()), math.nan, math.nan, freedom=0.0)
    spread = np.cov(above, below) / runs
    variances = (float(spread[0, 0]), float(spread[1, 1]), float(spread[0, 1]))
    ratio = Ratio(
        float(above.mean()),
        float(below.mean()),
        *variances,
        freedom=runs - 1.0,
        rise=_rise(above, rare),
        rise_below=_rise(below, rare_below),
    )
    return _skewed(ratio, _third_of_mean(above - _finite(ratio.value) * below))


def of_spread(sample: np.ndarray, rare: Rare | None = None) -> Ratio:
    """The standard deviation of a sample over its mean, as one ratio of correlated estimates.

    A few runs at the end of the tail make much of a standard deviation, and the sample may hold too few of them,
    whatever the policy: as many as cannot be excluded, as far out as the farthest one seen, may be missing.
    """
    if len(sample) < 2 or (deviation := float(sample.std(ddof=1))) == 0.0:
        return Ratio(0.0, float(sample.mean()), math.nan, math.nan, freedom=0.0)
    # The deviation is, to first order, the mean of these.
    influence = deviation + ((sample - sample.mean()) ** 2 - deviation**2) / (2.0 * deviation)
    tail = Rare(len(sample), 0, 0.0, float(np.abs(sample - sample.mean()).max()))
    found = guard(sample) if rare is None else rare
    rises = [partial(one.spread_rise, deviation=deviation) for one in (tail, found) if one is not None]
    return of_paired(influence, sample, rare_below=rare)._replace(numerator=deviation, rise=_larger(*rises))


def of_medians(above: np.ndarray, below: np.ndarray) -> Ratio:
    """The ratio of the medians of two independent samples: what a usual run looks like, disasters or not."""
    freedom = min(len(above), len(below)) - 1.0
    medians = float(np.median(above)), float(np.median(below))
    return Ratio(*medians, median_variance(above), median_variance(below), freedom=freedom)


def computed(value: float) -> Ratio:
    """A number that follows from formulas alone."""
    return Ratio(value, 1.0)


def mean_variance(sample: np.ndarray) -> float:
    """The squared standard error of a mean; not known from a single run."""
    return float(sample.var(ddof=1) / len(sample)) if len(sample) > 1 else math.nan


def median_variance(sample: np.ndarray) -> float:
    """The squared standard error of a median, from the order statistics between which it lies with 95 %."""
    runs = len(sample)
    half = 0.5 * Z95 * math.sqrt(runs)
    first, last = math.floor(0.5 * runs - half) - 1, math.ceil(0.5 * runs + half)
    if first < 0 or last >= runs:
        return math.nan
    ordered = np.partition(sample, [first, last])
    return float((ordered[last] - ordered[first]) / (2.0 * Z95)) ** 2


def _rise(sample: np.ndarray, rare: Rare | None) -> Rise | None:
    found = guard(sample) if rare is None else rare
    return None if found is None else found.rise


def _skewed(ratio: Ratio, third: float) -> Ratio:
    """The ratio with what skewness may move it by; `third` is the third cumulant of numerator - value * denominator.

    Where it is positive, low estimates go with small standard errors, and Student's upper end is too low by about
    third/(6 variance) (1 + 2 t^2), t being his quantile (Johnson 1978). The lower end is then too low as well, on the
    safe side, and is left there.
    """
    variance = ratio.numerator_variance - 2.0 * _finite(ratio.value) * ratio.covariance
    variance += _finite(ratio.value) ** 2 * ratio.denominator_variance
    if not (variance > 0.0 and math.isfinite(third)):
        return ratio
    moved = partial(_lag, abs(third) / (6.0 * variance), ratio.freedom)
    return (
        ratio._replace(rise=_larger(ratio.rise, moved))
        if third > 0.0
        else ratio._replace(fall=_larger(ratio.fall, moved))
    )


def _lag(unit: float, freedom: float, error: float) -> float:
    return unit * (1.0 + 2.0 * _quantile(1.0 - error, freedom) ** 2)


def _larger(*rises: Rise | None) -> Rise | None:
    """The larger one of several, whatever the error."""
    known = [rise for rise in rises if rise is not None]
    if len(known) < 2:
        return known[0] if known else None
    return lambda error: max(rise(error) for rise in known)


def _third_of_mean(sample: np.ndarray) -> float:
    """The third cumulant of a mean over runs."""
    return third_moment(sample) / len(sample) ** 2


def _finite(value: float) -> float:
    return value if math.isfinite(value) else 0.0


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
