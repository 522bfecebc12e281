"""How many times as large one mean is as another."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

NORMAL_95 = 1.959964


class Ratio(NamedTuple):
    """A ratio of two means with its 95 % interval."""

    value: float
    low: float
    high: float


def ratio_of_means(values: np.ndarray, others: np.ndarray) -> Ratio:
    """The ratio of the means of two independent samples; the interval is normal in the logarithm.

    It is NaN where a mean is not positive or a sample has one value only.

    >>> ratio = ratio_of_means(np.array([1.0, 3.0]), np.array([4.0, 4.0]))
    >>> ratio.value, round(ratio.low, 3), round(ratio.high, 3)
    (0.5, 0.188, 1.332)
    """
    a, b = float(values.mean()), float(others.mean())
    if a <= 0.0 or b <= 0.0 or min(len(values), len(others)) < 2:
        return Ratio(a / b if b else math.nan, math.nan, math.nan)
    relative = [x.std(ddof=1) / math.sqrt(len(x)) / x.mean() for x in (values, others)]
    spread = math.exp(NORMAL_95 * math.hypot(*relative))
    return Ratio(a / b, a / b / spread, a / b * spread)
