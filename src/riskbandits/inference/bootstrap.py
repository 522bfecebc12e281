"""The bootstrap over runs. The last axis of every array is the replicate; replicate 0 is the estimate itself.

Whatever is computed from such arrays is so computed for the estimate and for all replicates at once.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

REPLICATES = 1000


def weights(rng: Any, size: int, replicates: int = REPLICATES) -> np.ndarray:
    """The weight of each run in each replicate, (size, 1 + replicates); columns sum to 1."""
    counts = rng.multinomial(size, np.full(size, 1.0 / size), size=replicates)
    return np.vstack([np.ones(size), counts]).T / size


def interval(values: np.ndarray, runs: int, parts: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The estimate and the ends of its 95 % percentile interval, widened as few runs ask for.

    `runs` were drawn again within so many `parts` of equal size. Replicates spread less than estimates do, by
    sqrt(1 - 1/h) for parts of h runs, and their spread is itself estimated: the quantiles are those at which Student's
    interval would stand if the replicates were normal (Hesterberg 2015, "expanded percentile"). Of B replicates they
    are the values at place (B + 1) tail from either end (Davison & Hinkley 1997): one more draw falls below the k-th
    smallest of B with probability k / (B + 1), so that few replicates do not make the interval too short.
    """
    tail = _tail(runs, parts)
    low, high = np.quantile(values[..., 1:], [tail, 1.0 - tail], axis=-1, method="weibull")
    # An estimate outside of its replicates would be drawn outside of its own interval.
    return values[..., 0], np.minimum(low, values[..., 0]), np.maximum(high, values[..., 0])


def _tail(runs: int, parts: int) -> float:
    from scipy.special import ndtr, stdtrit

    size = runs // parts
    if size < 2:
        return 0.0
    return float(ndtr(math.sqrt(size / (size - 1.0)) * stdtrit(parts * (size - 1.0), 0.025)))
