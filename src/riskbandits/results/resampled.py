"""Means of one problem's outcomes, as estimated and as they might have come out (`inference.bootstrap`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from riskbandits.inference.bootstrap import REPLICATES, weights
from riskbandits.results.kept import Outcome

if TYPE_CHECKING:
    from riskbandits.types import Rng

FLOOR = 1e-300  # regrets of 0 have no logarithm


class Resampled(NamedTuple):
    """Means over runs, (policies, 1 + replicates)."""

    halves: tuple[np.ndarray, np.ndarray]  # of the final regret over even and over odd runs
    final: np.ndarray
    growth: np.ndarray


def resampled(outcome: Outcome, rng: Rng, replicates: int = REPLICATES) -> Resampled:
    """Draw runs with replacement, within even and within odd runs; the same for all policies if runs are paired."""
    policies, runs = outcome.final.shape
    parts = [np.arange(runs) % 2 == odd for odd in (0, 1)]
    finals, growths = [], []
    for part in parts:
        size = int(part.sum())
        if outcome.paired:
            shared = weights(rng, size, replicates)
            finals.append(outcome.final[:, part] @ shared)
            growths.append(outcome.growth[:, part] @ shared)
        else:
            own = [weights(rng, size, replicates) for _ in range(policies)]
            finals.append(np.stack([row @ each for row, each in zip(outcome.final[:, part], own, strict=True)]))
            growths.append(np.stack([row @ each for row, each in zip(outcome.growth[:, part], own, strict=True)]))
    shares = [part.mean() for part in parts]
    return Resampled(
        halves=(finals[0], finals[1]),
        final=shares[0] * finals[0] + shares[1] * finals[1],
        growth=shares[0] * growths[0] + shares[1] * growths[1],
    )


def logs(means: np.ndarray) -> np.ndarray:
    """Logarithms of regrets."""
    return np.log(np.maximum(means, FLOOR))
