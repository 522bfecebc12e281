"""Where the features of decisions come from in a simulation: distributions for `LinearArms(..., features=...)`.

A record with two methods, and `size() -> int`, the number of features:

    write(rng, cells, row, first)    draw the features of one decision into cells[row, first], cells[row, first + 1], ..
    mean(j) -> float                 the mean of feature j; plain Python
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np

from riskbandits.core.records import Limits, Table, Vector, unequal_lengths

if TYPE_CHECKING:
    from riskbandits.types import Rng

FEATURES_METHODS = ("write", "mean", "size")

PerFeature = Annotated[Any, Vector(each="feature")]
NonNegativePerFeature = Annotated[Any, Vector(Limits(low=0.0), "feature")]


class NormalFeatures(NamedTuple):
    """Independent Gaussian features: feature j is N(means[j], deviations[j]^2).

    >>> NormalFeatures(means=[0, 10], deviations=[1, 2]).size()
    2
    """

    means: PerFeature
    deviations: NonNegativePerFeature

    def write(self, rng: Rng, cells: np.ndarray, row: int, first: int) -> None:
        for j in range(self.means.shape[0]):
            cells[row, first + j] = self.means[j] + self.deviations[j] * rng.standard_normal()

    def mean(self, j: int) -> float:
        return float(self.means[j])

    def size(self) -> int:
        return len(self.means)

    def invalid(self) -> tuple[str, str, object] | None:
        """Means and deviations must go together."""
        return unequal_lengths(self)


class UniformFeatures(NamedTuple):
    """Independent features, each uniform between `lows[j]` and `highs[j]`.

    >>> UniformFeatures(lows=[0, -1], highs=[1, 1]).mean(0)
    0.5
    """

    lows: PerFeature
    highs: PerFeature

    def write(self, rng: Rng, cells: np.ndarray, row: int, first: int) -> None:
        for j in range(self.lows.shape[0]):
            cells[row, first + j] = self.lows[j] + (self.highs[j] - self.lows[j]) * rng.random()

    def mean(self, j: int) -> float:
        return float(0.5 * (self.lows[j] + self.highs[j]))

    def size(self) -> int:
        return len(self.lows)

    def invalid(self) -> tuple[str, str, object] | None:
        """Ends must go together, the lower ones first."""
        if (found := unequal_lengths(self)) is not None:
            return found
        if (np.asarray(self.highs) < np.asarray(self.lows)).any():
            return ("The 'highs' parameter of UniformFeatures", "at least as high as 'lows'", self.highs)
        return None


class GroupFeatures(NamedTuple):
    """One of several groups per decision, group j with probability `shares[j]`: feature j is 1 for it, the others 0.

    >>> GroupFeatures(shares=[0.7, 0.2, 0.1]).size()
    3
    """

    shares: NonNegativePerFeature

    def write(self, rng: Rng, cells: np.ndarray, row: int, first: int) -> None:
        left = rng.random()
        group = 0
        while group + 1 < self.shares.shape[0] and left >= self.shares[group]:
            left -= self.shares[group]
            group += 1
        for j in range(self.shares.shape[0]):
            cells[row, first + j] = 1.0 if j == group else 0.0

    def mean(self, j: int) -> float:
        return float(self.shares[j])

    def size(self) -> int:
        return len(self.shares)

    def invalid(self) -> tuple[str, str, object] | None:
        """Shares must add up."""
        total = float(np.sum(self.shares))
        if abs(total - 1.0) > 1e-9:
            return ("The 'shares' parameter of GroupFeatures", "numbers that add up to 1", total)
        return None


class RecordedFeatures(NamedTuple):
    """Rows that were recorded: each decision has the features of one of them, drawn at random.

    >>> RecordedFeatures(rows=[[1.0, 20.0], [0.0, 35.0]]).mean(1)
    27.5
    """

    rows: Annotated[Any, Table(each="row")]

    def write(self, rng: Rng, cells: np.ndarray, row: int, first: int) -> None:
        drawn = min(int(rng.random() * self.rows.shape[0]), self.rows.shape[0] - 1)
        for j in range(self.rows.shape[1]):
            cells[row, first + j] = self.rows[drawn, j]

    def mean(self, j: int) -> float:
        return float(np.mean(np.asarray(self.rows)[:, j]))

    def size(self) -> int:
        return int(np.shape(self.rows)[1])


FEATURE_DISTRIBUTIONS: tuple[Any, ...] = (NormalFeatures, UniformFeatures, GroupFeatures, RecordedFeatures)
