"""Rare disasters: what runs of which a sample holds few or none may add to a mean.

A policy that settles on a wrong arm in one run of a thousand pays for all others with that run. A sample of 500 runs
holds none of them more often than not, and no interval that is made of the sample's spread alone would cover the mean.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

DISASTER = 0.1  # a run that loses more than this part of what one run can lose counts as a disaster
MANY = 20  # so many disasters show in the sample's own spread how often they happen
LARGE = 0.5  # of the variance: a run that carries more of it decides the mean alone
TAIL = 0.025  # of a 95 % interval, on either side
FEW = 10  # in samples this small some run always carries much

Rise = Callable[[float], float]  # from an error to what the mean may be above that of the sample


class Rare(NamedTuple):
    """The disasters in a sample: how many were seen, what they add to its mean, and what one can cost."""

    runs: int
    seen: int
    excess: float
    largest: float
    known: float = math.inf  # a bound on what disasters add on average, as long as none is seen

    def rise(self, error: float) -> float:
        """How far the mean may be above that of the sample: the largest share that is not excluded, times the cost.

        >>> round(Rare(runs=500, seen=0, excess=0.0, largest=1000.0).rise(0.025), 2)
        7.35
        """
        if self.seen > MANY:
            return 0.0
        bound = math.inf if self.seen else self.known
        return max(0.0, min(largest_share(self.seen, self.runs, error) * self.largest, bound) - self.excess)

    def spread_rise(self, error: float, deviation: float) -> float:
        """How far the standard deviation may be above that of the sample, which is `deviation`."""
        if self.seen > MANY:
            return 0.0
        bound = math.inf if self.seen else self.known
        share = min(largest_share(self.seen, self.runs, error), bound / self.largest)
        return math.sqrt(deviation**2 + share * self.largest**2) - deviation


def largest_share(seen: int, runs: int, error: float) -> float:
    """The largest probability of an event that was seen so often which is not excluded with that error.

    >>> round(largest_share(0, 500, 0.025), 5)
    0.00735
    """
    from scipy.special import betaincinv

    return float(betaincinv(seen + 1.0, runs - seen, 1.0 - error)) if seen < runs else 1.0


def guard(sample: np.ndarray, worst: float | None = None, known: float = math.inf) -> Rare | None:
    """What to fear for the mean of a sample; nothing, usually, if the policy is not known to settle on wrong arms.

    `worst` is the value of the worst possible run of one that does, and `known` a bound on what such runs add on
    average. Of other policies runs as bad as the worst one seen are feared, if that one carries most of the variance.
    """
    if worst is None:
        if not carried_by_one(sample):
            return None
        worst = float(sample.max())
    usual = float(np.median(sample))
    largest = worst - usual
    if not largest > 0.0:
        return None
    over = sample - usual - DISASTER * largest
    return Rare(len(sample), int((over > 0.0).sum()), float(np.maximum(over, 0.0).mean()), largest, known)


def carried_by_one(sample: np.ndarray) -> bool:
    """Whether the largest value of a sample carries more than half of its variance.

    >>> carried_by_one(np.arange(20.0)), carried_by_one(np.append(np.arange(20.0), 100.0))
    (False, True)
    """
    return len(sample) >= FEW and share_of_largest(sample) > LARGE


def share_of_largest(sample: np.ndarray) -> float:
    """The share of a sample's variance that its largest value carries; 0 where all are equal.

    >>> round(share_of_largest(np.append(np.zeros(9), 10.0)), 3)
    0.9
    """
    squares = (sample - sample.mean()) ** 2
    total = float(squares.sum())
    return float(squares[int(np.argmax(sample))]) / total if total > 0.0 else 0.0
