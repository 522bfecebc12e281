"""The bootstrap over runs. The last axis of every array is the replicate; replicate 0 is the estimate itself.

Whatever is computed from such arrays is so computed for the estimate and for all replicates at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

REPLICATES = 1000


def weights(rng: Any, size: int, replicates: int = REPLICATES) -> np.ndarray:
    """The weight of each run in each replicate, (size, 1 + replicates); columns sum to 1."""
    counts = rng.multinomial(size, np.full(size, 1.0 / size), size=replicates)
    return np.vstack([np.ones(size), counts]).T / size


def interval(values: np.ndarray, confidence: float = 0.95) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The estimate and the ends of its percentile interval."""
    tail = 0.5 * (1.0 - confidence)
    low, high = np.quantile(values[..., 1:], [tail, 1.0 - tail], axis=-1)
    # An estimate outside of its replicates would be drawn outside of its own interval.
    return values[..., 0], np.minimum(low, values[..., 0]), np.maximum(high, values[..., 0])
