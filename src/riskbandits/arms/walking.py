"""Gaussian arms whose means and variances move."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.arms.contract import tick
from riskbandits.arms.gaussian import GaussianArms, Normal
from riskbandits.core import seeds
from riskbandits.core.checks import array, number, whole
from riskbandits.core.errors import must_be
from riskbandits.core.records import ArmNames, NonNegativeTable, NumberTable, cast

if TYPE_CHECKING:
    from riskbandits.types import Rng


class WalkingArms(NamedTuple):
    """Gaussian arms whose means and variances move: `means[k][j]` is arm k's mean in the j-th stretch of `every` steps.

    Use it to see how much a slow change of the arms costs a policy; `PiecewiseArms` change rarely and abruptly. The
    path is part of the problem and the same for all runs. After its last stretch the arms no longer change. Regret is
    measured against the best arm *of the step*, as for `PiecewiseArms`. `WalkingArms.random` draws a path.

    >>> arms = WalkingArms(means=[[0.0, 0.1, 0.2], [0.5, 0.4, 0.1]], variances=[[1, 1, 1], [1, 1, 2]], every=500)
    >>> arms.size(), [(first, round(float(piece.mean(0)), 1)) for first, piece in arms.pieces()]
    (2, [(1, 0.0), (501, 0.1), (1001, 0.2)])
    """

    means: NumberTable
    variances: NonNegativeTable
    every: int = 100
    names: ArmNames = ""

    def draw(self, k: int, rng: Rng) -> float:
        return self.means[k, 0] + math.sqrt(self.variances[k, 0]) * rng.standard_normal()

    def draw_next(self, k: int, rng: Rng, memory: np.ndarray) -> float:
        """The reward of arm k at the step after the last one that was drawn."""
        step, _ = tick(memory)
        j = min((int(step) - 1) // self.every, self.means.shape[1] - 1)
        return self.means[k, j] + math.sqrt(self.variances[k, j]) * rng.standard_normal()

    def mean(self, k: int) -> float:
        return float(self.means[k, 0])

    def variance(self, k: int) -> float:
        return float(self.variances[k, 0])

    def size(self) -> int:
        return len(self.means)

    def distribution(self, k: int) -> Normal:
        return Normal(self.means[k, 0], self.variances[k, 0])

    def pieces(self) -> list[tuple[int, GaussianArms]]:
        """The first step of each stretch and its arms."""
        columns = zip(np.transpose(self.means), np.transpose(self.variances), strict=True)
        return [(1 + j * self.every, cast(GaussianArms(*moments))) for j, moments in enumerate(columns)]

    def invalid(self) -> tuple[str, str, object] | None:
        """Means and variances must go together."""
        if self.every < 1:
            return ("The 'every' parameter of WalkingArms", "a whole number >= 1", self.every)
        if self.means.shape != self.variances.shape:
            wanted = f"given as many variances as means ({self.means.shape[0]} arms, {self.means.shape[1]} stretches)"
            return ("WalkingArms", wanted, self.variances.shape)
        return None

    @classmethod
    def random(
        cls,
        means: Any,
        variances: Any,
        steps: int = 10_000,
        every: int = 100,
        mean_step: float = 0.1,
        variance_step: float = 0.1,
        seed: int = 0,
        names: Any = "",
    ) -> WalkingArms:
        """A random path of `steps` steps from these means and variances on.

        After every stretch each mean moves by N(0, mean_step^2) and the logarithm of each variance by
        N(0, variance_step^2), all of them independently.
        """
        first = array("The means of WalkingArms", "a list of numbers, one per arm", means, (1,))
        spread = array("The variances of WalkingArms", "a list of numbers, one per arm", variances, (1,))
        if len(first) != len(spread):
            raise must_be("WalkingArms", f"given as many variances as means ({len(first)})", len(spread))
        stretch = whole("The number of steps of a stretch", every)
        stretches = -(-whole("The number of steps of a path", steps) // stretch)
        sizes = [_size("mean_step", mean_step), _size("variance_step", variance_step)]
        rng = seeds.generator(seeds.check_seed(seed))
        moves = rng.standard_normal((2, stretches, len(first)))
        moves[:, 0] = 0.0
        paths = moves.cumsum(axis=1)
        walked = first + sizes[0] * paths[0], spread * np.exp(sizes[1] * paths[1])
        return cast(cls(walked[0].T, walked[1].T, stretch, names))


def _size(name: str, given: Any) -> float:
    return number(f"The {name} of WalkingArms", given, "a number >= 0", lambda size: 0.0 <= size < math.inf)
