"""Growth and drawdowns of a stream of daily returns."""

from __future__ import annotations

from typing import Any

import numpy as np

from riskbandits.core.checks import array


def wealth(returns: Any) -> np.ndarray:
    """What 1 unit has become after each period, for returns in percent along the last axis.

    >>> wealth([10.0, -50.0]).round(4).tolist()
    [1.1, 0.55]
    """
    daily = array("The returns", "a list of numbers, or an array", returns, axes=tuple(range(1, 33)))
    return np.cumprod(1.0 + daily / 100.0, axis=-1)


def drawdowns(worth: Any) -> np.ndarray:
    """How far below its highest point so far wealth stands, in percent: 0 or less. The start counts as a point of 1.

    >>> drawdowns([1.1, 0.55, 1.1]).round(4).tolist()
    [0.0, -50.0, 0.0]
    """
    worth = array("What 1 unit has become", "a list of numbers, or an array", worth, axes=tuple(range(1, 33)))
    highest = np.maximum(np.maximum.accumulate(worth, axis=-1), 1.0)
    return 100.0 * (worth / highest - 1.0)
