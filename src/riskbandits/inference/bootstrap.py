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

    Percentiles of skewed replicates lag behind on the longer side. Efron's accelerated ones (1987; for a mean both of
    his corrections are a sixth of the skewness of its replicates) do not, and the outer end of the two is taken.
    """
    low, high = np.moveaxis(np.apply_along_axis(_ends, -1, values[..., 1:], _tail(runs, parts)), -1, 0)
    # An estimate outside of its replicates would be drawn outside of its own interval.
    return values[..., 0], np.minimum(low, values[..., 0]), np.maximum(high, values[..., 0])


def _ends(replicates: np.ndarray, tail: float) -> np.ndarray:
    """The outermost of the percentiles and the accelerated percentiles."""
    from scipy.special import ndtr, ndtri

    levels = np.array([tail, 1.0 - tail])
    away = replicates - replicates.mean()
    spread = float(np.square(away).mean())
    if tail > 0.0 and spread > 0.0:
        sixth = float((away**3).mean()) / spread**1.5 / 6.0
        moved = sixth + ndtri(levels)
        # Beyond 0.5 the correction would leave the range in which it is one.
        levels = np.append(levels, ndtr(sixth + moved / np.maximum(1.0 - sixth * moved, 0.5)))
    found = np.quantile(replicates, levels, method="weibull")
    return np.array([found.min(), found.max()])


def _tail(runs: int, parts: int) -> float:
    from scipy.special import ndtr, stdtrit

    size = runs // parts
    if size < 2:
        return 0.0
    return float(ndtr(math.sqrt(size / (size - 1.0)) * stdtrit(parts * (size - 1.0), 0.025)))
