"""Protocols for type checkers: a policy, a risk measure, arms, a rule and a random generator.

They exist only for type checkers; a record needs no base class. Parameters are positional, so a record of your own
may name them as it likes. Optional methods are described where their defaults are defined: `policies.support.contract`,
`risk.contract`, `arms.contract`, `identification.contract`.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

State: TypeAlias = NDArray[np.float64]  # a policy's numbers: one row per arm
Run: TypeAlias = NDArray[np.float64]  # what any policy may know of its run: cells named in `policies.cells`
Cells: TypeAlias = NDArray[np.float64]  # numbers in a row, of whatever meaning


class Rng(Protocol):
    """A source of random numbers: a `numpy.random.Generator`, or a stream on a GPU."""

    def random(self) -> float:
        """A number that is uniform on [0, 1)."""
        ...

    def standard_normal(self) -> float:
        """A number that is normal with mean 0 and variance 1."""
        ...


class RiskMeasure(Protocol):
    """Assigns a value to an arm."""

    def value(self, mean: float, variance: float, /) -> Any:
        """The value of a Gaussian with these moments; the larger, the better."""
        ...


class Policy(Protocol):
    """A decision rule. The arm with the highest score is played."""

    def score(self, state: State, k: int, run: Run, risk: Any, rng: Any, /) -> float:
        """The score of arm k."""
        ...

    def learn(self, state: State, k: int, run: Run, reward: float, /) -> None:
        """Learn from a reward of arm k."""
        ...


class Arms(Protocol):
    """Reward distributions."""

    def size(self) -> int:
        """The number of arms."""
        ...

    def draw(self, k: int, rng: Any, /) -> float:
        """A reward of arm k."""
        ...

    def mean(self, k: int, /) -> float:
        """The mean of arm k."""
        ...

    def variance(self, k: int, /) -> float:
        """The variance of arm k."""
        ...


class Rule(Protocol):
    """A best-arm identification rule."""

    def choose(self, samples: Any, risk: Any, budget: int, confidence: float | None, /) -> Any:
        """Draw rewards and name an arm: a `Decision`."""
        ...
