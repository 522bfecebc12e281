"""What every bound of this package returns: a value per arm, their sum, and its assumptions.

Any rho is allowed, up to the largest double; larger values overflow to infinity without a warning.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from riskbandits.core.display import Grid, format_number


@dataclass(frozen=True, eq=False, repr=False)
class Assumption:
    """An inequality in words, and for which arms it holds. Arms it says nothing about (the best one) count as true.

    It can be used as the array of its booleans: `assumption[k]`, `np.all(assumption)`.
    """

    words: str
    holds: np.ndarray

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.holds, dtype=dtype)

    def __getitem__(self, arm: Any) -> Any:
        return self.holds[arm]

    def __len__(self) -> int:
        return len(self.holds)

    def __repr__(self) -> str:
        return f"Assumption({self.words!r}, holds for {int(np.sum(self.holds))} of {np.size(self.holds)})"


class Bound(NamedTuple):
    """A bound: coefficients of ln n, or, for a finite-time theorem, values at n.

    The last axis of `per_arm`, `pulls` and `assumptions[...].holds` is the arm; an array of rho (or of n)
    adds a leading axis. Where a denominator vanishes the value is infinite, and it is given even where an
    assumption fails: ask `applies`.
    """

    name: str
    per_arm: np.ndarray  # regret terms, 0 for the best arm
    pulls: np.ndarray  # E[T_i], 0 for the best arm
    assumptions: Mapping[str, Assumption]
    remarks: Mapping[str, Assumption]  # worth knowing, but the bound does not rest on them
    rho: np.ndarray | float

    @property
    def total(self) -> Any:
        """The sum over arms: a number, or an array where rho (or n) is one."""
        with np.errstate(over="ignore"):
            return plain(self.per_arm.sum(axis=-1))

    @property
    def holds(self) -> np.ndarray:
        """Per arm, whether every assumption holds."""
        result = np.ones(self.per_arm.shape, dtype=bool)
        for assumption in self.assumptions.values():
            result = result & assumption.holds
        return result

    @property
    def applies(self) -> Any:
        """Whether every assumption holds for every arm: True or False, or an array where rho (or n) is one."""
        return plain(self.holds.all(axis=-1))

    def ranking(self) -> Grid:
        """What `print` and a notebook show: a row per arm, or per rho (or case of n) where there are several."""
        notes = ["Coefficients of ln n, or for a finite-time theorem values at n."]
        failed = [one.words for one in self.assumptions.values() if not np.all(one.holds)]
        notes += [f"It does not apply everywhere, as this fails: {'; '.join(failed)}."] if failed else []
        if self.per_arm.ndim > 1:
            totals, applies = np.ravel(self.total), np.ravel(self.applies)
            firsts = np.ravel(self.rho) if np.size(self.rho) == len(totals) else np.arange(1, len(totals) + 1)
            cells = [
                [f"{first:g}", format_number(total), "yes" if one else "no"]
                for first, total, one in zip(firsts, totals, applies, strict=True)
            ]
            return Grid(
                self.name, ["rho" if np.size(self.rho) == len(totals) else "case", "regret", "applies"], cells, notes
            )
        rows = zip(self.per_arm, self.pulls, self.holds, strict=True)
        cells = [
            [f"arm {k}", format_number(regret), format_number(pulls), "yes" if holds else "no"]
            for k, (regret, pulls, holds) in enumerate(rows)
        ]
        cells.append(["total", format_number(self.total), "", "yes" if self.applies else "no"])
        return Grid(self.name, ["arm", "regret", "pulls", "applies"], cells, notes)

    def __str__(self) -> str:
        return self.ranking().text()

    def _repr_html_(self) -> str:
        return self.ranking().html()


def plain(value: Any) -> Any:
    """A Python number for an array without axes; other arrays as they are."""
    return value.item() if np.ndim(value) == 0 else value


def ratio(numerator: Any, denominator: Any) -> np.ndarray:
    """numerator/denominator for numbers >= 0, infinite where the denominator is 0; no warning, no NaN."""
    numerator, denominator = np.broadcast_arrays(np.asarray(numerator, float), np.asarray(denominator, float))
    result = np.full(numerator.shape, np.inf)
    with np.errstate(over="ignore"):
        np.divide(numerator, denominator, out=result, where=denominator > 0.0)
    # inf/inf: what can never be confused needs no pulls.
    return np.where(np.isinf(denominator), 0.0, result)


def product(pulls: Any, weight: Any) -> np.ndarray:
    """The product pulls * weight, where pulls that cost nothing are 0 however many they are."""
    pulls, weight = np.broadcast_arrays(np.asarray(pulls, float), np.asarray(weight, float))
    result = np.zeros(pulls.shape)
    with np.errstate(over="ignore"):
        np.multiply(pulls, weight, out=result, where=(weight != 0.0) & (pulls != 0.0))
    return result


def square(values: np.ndarray) -> np.ndarray:
    """The squares, infinite where they are too large for a double."""
    with np.errstate(over="ignore"):
        return np.square(np.asarray(values, float))
