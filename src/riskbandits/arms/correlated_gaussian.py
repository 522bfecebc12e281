"""Gaussian arms whose rewards at a step depend on each other."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.arms.contract import names_of
from riskbandits.arms.gaussian import GaussianArms, Normal
from riskbandits.core import seeds
from riskbandits.core.checks import whole
from riskbandits.core.memory import refuse_beyond
from riskbandits.core.records import ArmNames, Numbers, NumberTable, cast
from riskbandits.numerics import lundberg
from riskbandits.numerics.batch_sums import chi_square

if TYPE_CHECKING:
    import pandas as pd

    from riskbandits.types import Rng

ROUNDING = 1e-9  # of the largest entry: a covariance that was computed is symmetric and nonnegative up to this


class CorrelatedGaussianArms(NamedTuple):
    """At every step the rewards of all arms are drawn jointly from N(means, covariance), independently of other steps.

    Use it for arms that are exposed to the same shocks, such as funds: `table` gives the rewards of every arm at every
    step, on which `rb.replay` runs policies; in simulations it is used like any other arms.

    A policy sees one reward per step, and its choice cannot depend on the rewards of that step. So what it sees has the
    same distribution as with independent arms of the same means and variances, and so does every regret relative to the
    true value of the best arm: simulations draw only the reward that is observed. `docs/dependent-arms.md` says what
    dependence does change.

    >>> arms = CorrelatedGaussianArms(means=[0.1, 0.7], covariance=[[0.05, 0.1], [0.1, 0.5]], names=["bond", "stock"])
    >>> arms.mean(1), arms.table(3, seed=1).round(2).values.tolist()
    (0.7, [[0.26, 1.31], [0.02, -0.17], [0.33, 1.11]])
    """

    means: Numbers
    covariance: NumberTable
    names: ArmNames = ""

    def draw(self, k: int, rng: Rng) -> float:
        """The reward of arm k at a step at which no other is seen."""
        return self.means[k] + math.sqrt(self.covariance[k, k]) * rng.standard_normal()

    def draw_many(self, k: int, count: float, rng: Rng) -> tuple[float, float]:
        """Mean and sum of squared deviations of arm k's rewards at so many steps."""
        mean = self.means[k] + math.sqrt(self.covariance[k, k] / count) * rng.standard_normal()
        return mean, self.covariance[k, k] * chi_square(rng, count - 1.0)

    def mean_exponent(self, k: int, slack: float, side: float) -> float:
        """For lines below and above the mean alike."""
        return lundberg.normal_below(self.covariance[k, k], slack)

    def square_exponent(self, k: int, level: float) -> float:
        """For chi-square steps."""
        return lundberg.normal_squares(self.covariance[k, k], level)

    def mean(self, k: int) -> float:
        return self.means[k]

    def variance(self, k: int) -> float:
        return self.covariance[k, k]

    def size(self) -> int:
        return len(self.means)

    def distribution(self, k: int) -> Normal:
        """All there is to know of arm k's rewards by themselves."""
        return Normal(self.means[k], self.covariance[k, k])

    def independent(self) -> GaussianArms:
        """Independent arms with the same means and variances, which a policy cannot tell from these.

        For `rb.theory`, and for a GPU, which holds no tables.

        >>> CorrelatedGaussianArms([0, 1], [[1, 0.5], [0.5, 2]]).independent().variances.tolist()
        [1.0, 2.0]
        """
        arms = cast(self)
        return cast(GaussianArms(arms.means, np.diag(arms.covariance), arms.names))

    def draw_all(self, rng: Any, steps: int = 1) -> np.ndarray:
        """The rewards of all arms at so many steps, a row per step."""
        arms = cast(self)
        steps = whole("The number of steps", steps)
        # The symmetric root also serves a covariance that is singular, as that of an arm and its double, and there is
        # only one: the same numbers come of every eigendecomposition.
        sizes, directions = np.linalg.eigh(arms.covariance / _scale(arms.covariance))
        root = directions * np.sqrt(np.maximum(sizes, 0.0)) @ directions.T * math.sqrt(_scale(arms.covariance))
        return np.asarray(arms.means + rng.standard_normal((steps, len(arms.means))) @ root)

    def table(self, steps: int, seed: int = 0) -> pd.DataFrame:
        """What every arm pays at each of so many steps: a row per step, a column per arm, for `rb.replay`."""
        import pandas as pd

        steps, seed = whole("The number of steps", steps), seeds.check_seed(seed)
        arms = cast(self)
        refuse_beyond(3 * 8 * steps * len(arms.means), f"{steps} steps of {len(arms.means)} arms", "ask for fewer")
        return pd.DataFrame(self.draw_all(seeds.generator(seed), steps), columns=names_of(arms))

    def invalid(self) -> tuple[str, str, object] | None:
        """A covariance is a square table, as large as there are means, symmetric and nowhere negative."""
        what, size = "The 'covariance' parameter of CorrelatedGaussianArms", len(self.means)
        if self.covariance.shape != (size, size):
            rows, columns = self.covariance.shape
            return (what, f"a table of {size} rows and {size} columns, one per mean", f"{rows} rows of {columns}")
        scaled = self.covariance / _scale(self.covariance)
        crooked = np.argwhere(np.abs(scaled - scaled.T) > ROUNDING)
        if len(crooked):
            i, j = crooked[0].tolist()
            pair = f"{self.covariance[i, j]:g} and {self.covariance[j, i]:g} for arms {i} and {j}"
            return (what, "symmetric", pair)
        if (np.diag(scaled) < 0.0).any():
            k = int(np.argmin(np.diag(scaled)))
            return (what, "made of variances >= 0 on its diagonal", f"{self.covariance[k, k]:g} for arm {k}")
        if float(np.linalg.eigvalsh(scaled).min()) < -size * ROUNDING:
            return (what, "such that no mixture of arms has a negative variance", self.covariance.tolist())
        return None


def _scale(covariance: np.ndarray) -> float:
    """The largest entry: products of numbers of its size must not overflow."""
    return float(np.abs(covariance).max()) or 1.0
