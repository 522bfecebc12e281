"""Arms with Gaussian rewards whose mean is linear in the features of the decision."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.arms.contract import MEMORY_CELLS
from riskbandits.arms.features import FEATURES_METHODS, NormalFeatures
from riskbandits.arms.gaussian import Normal
from riskbandits.compiling.jit import jitable
from riskbandits.core.checks import array
from riskbandits.core.records import ArmNames, NonNegativeNumbers, Numbers, NumberTable, checked
from riskbandits.numerics.run_cells import FEATURES

if TYPE_CHECKING:
    from riskbandits.types import RiskMeasure, Rng, Run

GAPS, BEST = 0, 1  # in the shared row of the memory: the sum of the gaps of the arms played, and how often it was 0


class _Fields(NamedTuple):
    coefficients: NumberTable
    variances: NonNegativeNumbers
    features: Any
    intercepts: Numbers
    names: ArmNames = ""


class LinearArms(_Fields):
    """Arms for contexts: arm k pays N(intercepts[k] + x'coefficients[k], variances[k]), x the features of the decision.

    Use it to see what contexts are worth (`LinearNGTS`). Features are drawn anew for every decision, by
    `NormalFeatures` (the default: standard normal), `UniformFeatures`, `GroupFeatures` or `RecordedFeatures`, and are
    known before the choice. Intercepts are 0 unless given. Regret is measured decision by decision against the best arm
    *for these features*: tables have `contextual_regret` in place of the other regrets. The mean, value and gaps of the
    problem are those of an average decision, whose features are at their means.

    >>> arms = LinearArms(coefficients=[[1.0, 0.0], [-1.0, 0.5]], variances=[0.1, 1.0])
    >>> arms.size(), arms.feature_count(), arms.mean(1), arms.variance(1)
    (2, 2, 0.0, 1.0)
    """

    __slots__ = ()

    def __new__(
        cls, coefficients: Any, variances: Any, features: Any = None, intercepts: Any = None, names: Any = ""
    ) -> LinearArms:
        """With standard normal features and intercepts of 0 where none are given."""
        if features is None or intercepts is None:
            what = "a list with, per arm, an equally long list of numbers"
            table = array("The 'coefficients' parameter of LinearArms", what, coefficients, (2,))
            if features is None:
                features = NormalFeatures(np.zeros(table.shape[1]), np.ones(table.shape[1]))
            if intercepts is None:
                intercepts = np.zeros(table.shape[0])
        return super().__new__(cls, coefficients, variances, features, intercepts, names)

    def draw(self, k: int, rng: Rng) -> float:
        """A reward of arm k at an average decision."""
        mean = self.intercepts[k]
        for j in range(self.coefficients.shape[1]):
            mean += self.coefficients[k, j] * self.features.mean(j)
        return mean + math.sqrt(self.variances[k]) * rng.standard_normal()

    def draw_features(self, rng: Rng, memory: np.ndarray, run: Run, count: int) -> None:
        """Draw the features of the next decision, and show the first `count` of them to the policy."""
        shared = memory.shape[0] - 1
        self.features.write(rng, memory, shared, MEMORY_CELLS)
        for j in range(count):
            run[FEATURES + j] = memory[shared, MEMORY_CELLS + j]

    def draw_next(self, k: int, rng: Rng, memory: np.ndarray) -> float:
        """A reward of arm k for the features drawn last."""
        return mean_at(self, k, memory) + math.sqrt(self.variances[k]) * rng.standard_normal()

    def book_gap(self, k: int, risk: RiskMeasure, memory: np.ndarray) -> None:
        """Book how much less arm k is worth than the best arm for these features."""
        own = risk.value(mean_at(self, k, memory), self.variances[k])
        best = own
        for j in range(self.variances.shape[0]):
            if j != k:
                best = max(best, risk.value(mean_at(self, j, memory), self.variances[j]))
        shared = memory.shape[0] - 1
        memory[shared, GAPS] += best - own
        if best == own:
            memory[shared, BEST] += 1.0

    def booked_gaps(self, memory: np.ndarray) -> tuple[float, float]:
        """The sum of the gaps of the arms played so far, and the number of those that were 0."""
        shared = memory.shape[0] - 1
        return memory[shared, GAPS], memory[shared, BEST]

    def mean(self, k: int) -> float:
        products = [float(one) * self.features.mean(j) for j, one in enumerate(self.coefficients[k])]
        return float(self.intercepts[k] + math.fsum(products))

    def variance(self, k: int) -> float:
        return float(self.variances[k])

    def distribution(self, k: int) -> Normal:
        return Normal(self.mean(k), self.variances[k])

    def size(self) -> int:
        return len(self.variances)

    def feature_count(self) -> int:
        return int(self.features.size())

    def invalid(self) -> tuple[str, str, object] | None:
        """Coefficients, variances, intercepts and features must go together."""
        checked(self.features, "distribution of features", FEATURES_METHODS)
        arms, count = self.coefficients.shape
        for name in ("variances", "intercepts"):
            if len(getattr(self, name)) != arms:
                return (
                    "LinearArms",
                    f"given as many {name} as rows of coefficients ({arms})",
                    len(getattr(self, name)),
                )
        if self.features.size() != count:
            return ("LinearArms", f"given as many features as coefficients of an arm ({count})", self.features.size())
        return None


@jitable
def mean_at(arms: LinearArms, k: int, memory: np.ndarray) -> float:
    """The mean of arm k for the features drawn last."""
    shared = memory.shape[0] - 1
    mean = arms.intercepts[k]
    for j in range(arms.coefficients.shape[1]):
        mean += arms.coefficients[k, j] * memory[shared, MEMORY_CELLS + j]
    return mean
