"""The bootstrap over runs: means of one problem's outcomes, as estimated and as they might have come out.

The last axis of every array is the replicate. Replicate 0 is the estimate itself, so whatever is computed from the
arrays is computed for the estimate and for all replicates at once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from riskbandits.results.kept import Outcome

REPLICATES = 1000
FLOOR = 1e-300  # regrets of 0 have no logarithm


class Resampled(NamedTuple):
    """Means over runs, (policies, 1 + replicates)."""

    halves: tuple[np.ndarray, np.ndarray]  # of the final regret over even and over odd runs
    final: np.ndarray
    growth: np.ndarray


def resampled(outcome: Outcome, rng: Any, replicates: int = REPLICATES) -> Resampled:
    """Draw runs with replacement, within even and within odd runs; the same for all policies if runs are paired."""
    policies, runs = outcome.final.shape
    parts = [np.arange(runs) % 2 == odd for odd in (0, 1)]
    finals, growths = [], []
    for part in parts:
        size = int(part.sum())
        if outcome.paired:
            weights = _weights(rng, size, replicates)
            finals.append(outcome.final[:, part] @ weights)
            growths.append(outcome.growth[:, part] @ weights)
        else:
            own = [_weights(rng, size, replicates) for _ in range(policies)]
            finals.append(np.stack([row @ weights for row, weights in zip(outcome.final[:, part], own, strict=True)]))
            growths.append(np.stack([row @ weights for row, weights in zip(outcome.growth[:, part], own, strict=True)]))
    shares = [part.mean() for part in parts]
    return Resampled(
        halves=(finals[0], finals[1]),
        final=shares[0] * finals[0] + shares[1] * finals[1],
        growth=shares[0] * growths[0] + shares[1] * growths[1],
    )


def _weights(rng: Any, size: int, replicates: int) -> np.ndarray:
    """The weight of each run in each replicate, (size, 1 + replicates); columns sum to 1."""
    drawn = rng.integers(size, size=(replicates, size))
    places = drawn + size * np.arange(replicates)[:, None]
    counts = np.bincount(places.ravel(), minlength=replicates * size).reshape(replicates, size)
    return np.vstack([np.ones(size), counts]).T / size


def logs(means: np.ndarray) -> np.ndarray:
    """Logarithms of regrets."""
    return np.log(np.maximum(means, FLOOR))


def interval(values: np.ndarray, confidence: float = 0.95) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The estimate and the ends of its percentile interval, from an array whose last axis is the replicate."""
    tail = 0.5 * (1.0 - confidence)
    low, high = np.quantile(values[..., 1:], [tail, 1.0 - tail], axis=-1)
    # An estimate outside of its replicates would be drawn outside of its own interval.
    return values[..., 0], np.minimum(low, values[..., 0]), np.maximum(high, values[..., 0])
