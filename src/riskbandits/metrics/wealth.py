"""What became of money: growth and drawdowns of a stream of daily returns."""

from __future__ import annotations

from typing import Any

import numpy as np


def wealth(returns: Any) -> np.ndarray:
    """What 1 unit has become after each period, for returns in percent along the last axis.

    >>> wealth([10.0, -50.0]).round(4).tolist()
    [1.1, 0.55]
    """
    return np.cumprod(1.0 + np.asarray(returns, dtype=float) / 100.0, axis=-1)


def drawdowns(worth: Any) -> np.ndarray:
    """How far below its highest point so far wealth stands, in percent: 0 or less. The start counts as a point of 1.

    >>> drawdowns([1.1, 0.55, 1.1]).round(4).tolist()
    [0.0, -50.0, 0.0]
    """
    worth = np.asarray(worth, dtype=float)
    highest = np.maximum(np.maximum.accumulate(worth, axis=-1), 1.0)
    return 100.0 * (worth / highest - 1.0)
