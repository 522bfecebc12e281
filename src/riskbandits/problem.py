"""A problem: arms and the risk measure they are judged by, with its best arm and gaps."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.arms.contract import (
    ARMS_METHODS,
    distribution_of,
    drifts,
    has_features,
    mean_of,
    names_of,
    pieces_of,
    size_of,
    variance_of,
)
from riskbandits.core.errors import ContractError, RefusalError, must_be
from riskbandits.core.keywords import known_keywords
from riskbandits.core.records import canonical, checked, rebuilt, same
from riskbandits.core.user_calls import guarded, real, truth
from riskbandits.risk.contract import RISK_METHODS, charges_switching, gaussian_value, is_of_moments

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure

# Gaps that are rounding of equal values must be 0, or the tied arms would not count as best arms.
ROUNDING = 8 * np.finfo(float).eps


class Problem:
    """Arms and the risk measure they are judged by. The problem owns the goal and passes it to policies.

    If arms change over time (`PiecewiseArms`), `pieces` has the problem of each period with its first step, and
    everything else refers to step 1. If they depend on features (`LinearArms`), everything refers to a decision whose
    features are at their means.

    >>> from riskbandits import GaussianArms, MeanVariance
    >>> problem = Problem(GaussianArms(means=[0.1, 0.7], variances=[0.05, 0.5]), MeanVariance(rho=1.0))
    >>> problem.best_arm
    1
    >>> problem.gaps.round(3).tolist(), problem.mean_gaps.round(3).tolist()
    ([0.15, 0.0], [0.6, 0.0])
    """

    @known_keywords
    def __init__(self, arms: Arms, risk: RiskMeasure) -> None:
        self.arms: Any = checked(arms, "set of arms", ARMS_METHODS)
        self.risk: Any = checked(risk, "risk measure", RISK_METHODS)
        names_of(self.arms)  # as many as there are arms
        self._pieces: list[tuple[int, Problem]] = []
        if drifts(self.arms):
            self._pieces = [(first, Problem(piece, self.risk)) for first, piece in pieces_of(self.arms)]
        with np.errstate(all="ignore"):
            sizes = np.abs(self.values)
            if np.isfinite(sizes).all():
                sizes = np.abs(self.gaps) + self.mean_gaps**2
        if not np.isfinite(sizes).all():
            # A gap that is too large is that of the arm that is far from the others, whichever of them is the best.
            valued = np.isfinite(self.values).all()
            largest = np.maximum(np.abs(self.means), self.variances)
            arm = int(largest.argmax() if valued else np.flatnonzero(~np.isfinite(self.values))[0])
            raise must_be(
                f"Arm {arm} of {type(self.arms).__name__}",
                f"small enough to be squared, with a finite value in {type(self.risk).__name__}",
                f"mean {self.means[arm]:g}, variance {self.variances[arm]:g}, value {self.values[arm]:g}",
            )
        kept = self.admissible
        if kept.any() and not kept.all() and self.values[kept].min() <= self.values[~kept].max():
            raise ContractError(
                f"{type(self.risk).__name__} must value arms that meet its condition above all others. Got "
                f"{self.values[kept].min():g} for one that does and {self.values[~kept].max():g} for one that does not "
                "instead; its 'lowest' parameter must lie below every mean."
            )

    @cached_property
    def size(self) -> int:
        """The number of arms K."""
        return size_of(self.arms)

    @cached_property
    def names(self) -> list[str]:
        """The names of the arms: those given, or arm 0, arm 1 and so on."""
        return names_of(self.arms)

    @cached_property
    def means(self) -> np.ndarray:
        """mu_i, the true mean per arm."""
        return np.array([mean_of(self.arms, k) for k in range(self.size)])

    @cached_property
    def variances(self) -> np.ndarray:
        """s_i^2, the true variance per arm."""
        return np.array([variance_of(self.arms, k) for k in range(self.size)])

    @cached_property
    def values(self) -> np.ndarray:
        """The risk value per arm; the largest is the best."""
        return self._values(0.0)

    @cached_property
    def best_arm(self) -> int:
        """The index of the arm with the largest risk value; the lowest index among ties."""
        return int(np.flatnonzero(self.gaps == 0.0)[0])

    @cached_property
    def gaps(self) -> np.ndarray:
        """Delta_i, how much less arm i is worth than the best arm."""
        # A mean-variance is translated with the rewards, so gaps are computed around one arm's mean:
        # at means of 1e8 the difference of two values would be mostly rounding.
        values = self.values
        if self.charges_switching:
            values = self._values(float(self.means[int(np.argmax(self.values))]))
        gaps = values.max() - values
        gaps[gaps <= ROUNDING * np.abs(values).max()] = 0.0
        return gaps

    @cached_property
    def mean_gaps(self) -> np.ndarray:
        """Gamma_i = mu_best - mu_i; may be negative."""
        return self.means[self.best_arm] - self.means

    @cached_property
    def admissible(self) -> np.ndarray:
        """Whether each arm meets the measure's condition; all do where the measure sets none."""
        if not hasattr(self.risk, "admits"):
            return np.ones(self.size, dtype=bool)
        pairs = zip(self.means.tolist(), self.variances.tolist(), strict=True)
        return np.array([truth(self.risk, "admits", *moments) for moments in pairs])

    @cached_property
    def charges_switching(self) -> bool:
        """Whether regret is that of the whole reward stream, with a switching term for mixing arms with other means."""
        return charges_switching(self.risk)

    @property
    def pieces(self) -> list[tuple[int, Problem]]:
        """The problem of each period with its first step; a single one for arms that do not change."""
        return self._pieces or [(1, self)]

    @property
    def drifts(self) -> bool:
        """Whether the arms change over time."""
        return drifts(self.arms)

    @property
    def has_features(self) -> bool:
        """Whether which arm is best depends on features of the decision."""
        return has_features(self.arms)

    def with_risk(self, risk: RiskMeasure) -> Problem:
        """The same arms judged by another risk measure."""
        return Problem(self.arms, risk)

    def to_data(self, keyed: bool = False) -> dict[str, Any]:
        """The problem as plain data for JSON; `keyed`: without names, which affect no number."""
        return {"arms": canonical(self.arms, keyed), "risk": canonical(self.risk, keyed)}

    @classmethod
    def from_data(cls, data: dict[str, Any], classes: tuple[type, ...]) -> Problem:
        """The inverse of `to_data`, for records of the given classes."""
        return cls(rebuilt(data["arms"], classes, "kind of arms"), rebuilt(data["risk"], classes, "risk measure"))

    def _values(self, origin: float) -> np.ndarray:
        """The value per arm after subtracting `origin` from all rewards."""
        if is_of_moments(self.risk):
            pairs = zip((self.means - origin).tolist(), self.variances.tolist(), strict=True)
            values = np.array([gaussian_value(self.risk, mean, variance) for mean, variance in pairs])
        else:
            values = np.array([self._value_of_arm(k) for k in range(self.size)])
        if np.isnan(values).any():
            arm = int(np.flatnonzero(np.isnan(values))[0])
            raise ContractError(f"{type(self.risk).__name__} gave NaN for arm {arm} of {type(self.arms).__name__}.")
        return values

    def _value_of_arm(self, k: int) -> float:
        """The value of an arm's true distribution, for a measure that needs more than mean and variance."""
        if not hasattr(self.arms, "distribution"):
            raise RefusalError(
                f"{type(self.risk).__name__} needs more than the mean and variance of an arm: "
                f"give {type(self.arms).__name__} a method distribution(k)."
            )
        what = f"{type(self.risk).__name__} of arm {k} of {type(self.arms).__name__}"
        with np.errstate(all="ignore"):  # what comes of absurd arms is looked at in the end
            value = guarded(what, lambda: distribution_of(self.arms, k).value_of(self.risk))
        return real(what, value, finite=False, nan=True)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Problem) and same(self.arms, other.arms) and same(self.risk, other.risk)

    def __hash__(self) -> int:
        return hash(repr(self.to_data()))

    def __repr__(self) -> str:
        return f"Problem({self.size} {type(self.arms).__name__}, {self.risk})"


def check_problem(problem: object) -> Problem:
    """Return a problem, or raise."""
    if not isinstance(problem, Problem):
        raise must_be("The problem", "a Problem(arms, risk)", problem)
    return problem
