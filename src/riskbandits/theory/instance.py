"""The quantities that the bounds are made of, for one rho or for many at once; and who is refused."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from riskbandits.arms import BernoulliArms, GaussianArms
from riskbandits.core.checks import array
from riskbandits.core.errors import RefusalError
from riskbandits.numerics import divergences
from riskbandits.problem import Problem, check_problem
from riskbandits.risk import MeanVariance
from riskbandits.theory.bound import Assumption, Bound, product, square

_h = np.vectorize(divergences.h, otypes=[float])


class Instance:
    """Arms and rho as arrays (rho, arms). Best arm and gaps are the problem's own, so nothing is defined twice."""

    def __init__(self, problem: Problem, rho: Any = None) -> None:
        self.problem = problem
        given = array("rho", "a number >= 0, or a non-empty list of them", problem.risk.rho if rho is None else rho)
        self.scalar = given.ndim == 0
        values = np.atleast_1d(given).tolist()
        problems = [problem.with_risk(MeanVariance(value)) for value in values]
        self.rho = np.array([one.risk.rho for one in problems])[:, None]
        self.best = np.array([one.best_arm for one in problems])
        self.gaps = np.stack([one.gaps for one in problems])  # Delta_i
        self.mean_gaps = np.stack([one.mean_gaps for one in problems])  # Gamma_i

    @cached_property
    def variances(self) -> np.ndarray:
        """s_i^2."""
        return np.broadcast_to(self.problem.variances, self.gaps.shape)

    @cached_property
    def best_variance(self) -> np.ndarray:
        """s_best^2, (rho, 1)."""
        return self.problem.variances[self.best][:, None]

    @cached_property
    def is_best(self) -> np.ndarray:
        """The best arm (the lowest index, where several are equally good)."""
        return np.arange(self.problem.size) == self.best[:, None]

    @cached_property
    def widest_mean_gap_squared(self) -> np.ndarray:
        """Gamma_i,max^2 = max_j (mu_i - mu_j)^2."""
        means = self.problem.means
        return np.broadcast_to(square(np.maximum(means - means.min(), means.max() - means)), self.gaps.shape)

    @cached_property
    def printed_weight(self) -> np.ndarray:
        """Delta_i + 2 Gamma_i,max^2, the cost of one pull in equation (10)."""
        return self.gaps + 2.0 * self.widest_mean_gap_squared

    @cached_property
    def exact_weight(self) -> np.ndarray:
        """Delta_i + Gamma_i^2, the cost of one pull while nearly all others go to the best arm.

        Where arms with different means tie for the best, a policy may settle on the one nearest to arm i.
        """
        means = self.problem.means
        distances = square(means[:, None] - means[None, :])
        to_tied = np.where((self.gaps == 0.0)[:, None, :], distances, np.inf)
        return self.gaps + to_tied.min(axis=2)

    @cached_property
    def variance_h(self) -> np.ndarray:
        """h(s_i^2/s_best^2), the function of Theorem 2; infinite when one of the two variances alone is 0."""
        return variance_h(self.variances, self.best_variance)

    def bound(
        self,
        name: str,
        pulls: np.ndarray,
        weight: np.ndarray,
        assumptions: Mapping[str, tuple[str, np.ndarray]],
        remarks: Mapping[str, tuple[str, np.ndarray]] | None = None,
    ) -> Bound:
        """The record of a bound on pulls. The best arm has no terms, and no assumption speaks of it."""
        pulls = np.where(self.is_best, 0.0, pulls)
        return Bound(
            name=name,
            per_arm=self._shaped(product(pulls, weight)),
            pulls=self._shaped(pulls),
            assumptions=self._named(assumptions, pulls.shape),
            remarks=self._named(remarks or {}, pulls.shape),
            rho=float(self.rho[0, 0]) if self.scalar else self.rho[:, 0],
        )

    def _named(self, entries: Mapping[str, tuple[str, np.ndarray]], shape: tuple[int, ...]) -> dict[str, Assumption]:
        return {
            name: Assumption(words, self._shaped(np.broadcast_to(holds | self.is_best, shape)))
            for name, (words, holds) in entries.items()
        }

    def _shaped(self, array: np.ndarray) -> np.ndarray:
        return np.array(array[..., 0, :] if self.scalar else array)


def variance_h(variances: Any, best_variance: Any) -> np.ndarray:
    """h(s_i^2/s_best^2) laid over arrays; two variances of 0 are equal and give 0."""
    variances, best_variance = np.broadcast_arrays(np.asarray(variances, float), np.asarray(best_variance, float))
    ratios = np.ones(variances.shape)
    with np.errstate(divide="ignore", over="ignore"):
        np.divide(variances, best_variance, out=ratios, where=(variances > 0.0) | (best_variance > 0.0))
    return np.asarray(_h(ratios))


def gaussian(name: str, problem: Problem, rho: Any = None) -> Instance:
    """The instance for a statement about Gaussian arms, or a refusal."""
    return _of_kind(name, problem, rho, GaussianArms)


def bernoulli(name: str, problem: Problem, rho: Any = None) -> Instance:
    """The instance for a statement about Bernoulli arms, or a refusal."""
    return _of_kind(name, problem, rho, BernoulliArms)


def gaussian_or_bernoulli(name: str, problem: Problem, rho: Any = None) -> Instance:
    """The instance for a statement about either kind of arms, or a refusal."""
    return _of_kind(name, problem, rho, GaussianArms, BernoulliArms)


def _of_kind(name: str, problem: Problem, rho: float, *kinds: type) -> Instance:
    check_problem(problem)
    if not isinstance(problem.arms, kinds):
        wanted = " or ".join(kind.__name__ for kind in kinds)
        raise RefusalError(f"{name} is a statement about {wanted}. Got {type(problem.arms).__name__} instead.")
    if not isinstance(problem.risk, MeanVariance):
        raise RefusalError(f"{name} is a statement about MeanVariance. Got {type(problem.risk).__name__} instead.")
    return Instance(problem, rho)
