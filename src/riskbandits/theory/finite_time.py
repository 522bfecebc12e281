"""The leading terms of the finite-time theorems S-1 to S-4 at n, with the paper's eps = (ln n)^(-1/4).

Their constants C_6, ..., C_20 are not specified in the paper and are left out here, so these are not
bounds but the parts of bounds that grow like ln n. Where eps has not yet become small enough the term is
infinite: the printed square would hide that its root has changed sign. `n` may be an array, which adds
a leading axis before that of rho. At the paper's n = 30 000, eps is 0.56.

The terms are the printed ones. The variance terms of S-1 and S-3 should have eps in them as well, and S-2
lacks a term of the order sqrt(ln n): `docs/errata.md`, E27 and E34.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from riskbandits.core.checks import array
from riskbandits.core.errors import must_be
from riskbandits.problem import Problem
from riskbandits.theory.bound import Bound, ratio, square
from riskbandits.theory.instance import bernoulli, gaussian
from riskbandits.theory.theorems import (
    assumptions_1,
    assumptions_2,
    assumptions_3,
    assumptions_4,
    remarks_4,
    second_root_distance,
)


@np.errstate(over="ignore")
def theorem_s1(problem: Problem, n: Any, rho: Any = None) -> Bound:
    """MVTS: max{2 ln(2n)/(Gamma_i - 2 eps)^2, ln(2n)/h(s_i^2/s_best^2)}, while Gamma_i > 2 eps (Theorem S-1)."""
    it = gaussian("Theorem S-1", problem, rho)
    n, eps = steps_and_epsilon(n)
    margin = it.mean_gaps - 2.0 * eps
    pulls = np.log(2.0 * n) * np.maximum(ratio(2.0, square_if_positive(margin)), ratio(1.0, it.variance_h))
    assumptions = {**assumptions_3(it), "n_large": ("Gamma_i > 2 eps", margin > 0.0)}
    return it.bound("Theorem S-1 (MVTS)", pulls, it.printed_weight, assumptions)


@np.errstate(over="ignore")
def theorem_s2(problem: Problem, n: Any, rho: Any = None) -> Bound:
    """MTS: 2 rho^2 ln n/(rho Gamma_i - s_best^2 - (1 + rho) eps)^2 while the root is positive (Theorem S-2)."""
    it = gaussian("Theorem S-2", problem, rho)
    n, eps = steps_and_epsilon(n)
    margin = it.rho * it.mean_gaps - it.best_variance - (1.0 + it.rho) * eps
    pulls = np.log(n) * 2.0 * square(ratio(it.rho, np.maximum(margin, 0.0)))
    assumptions = {
        **assumptions_1(it),
        "n_large": ("rho Gamma_i - s_best^2 > (1 + rho) eps", margin > 0.0),
    }
    return it.bound("Theorem S-2 (MTS)", pulls, it.printed_weight, assumptions)


@np.errstate(over="ignore")
def theorem_s3(problem: Problem, n: Any, rho: Any = None) -> Bound:
    """VTS: ln(2n)/h(s_i^2/s_best^2) (Theorem S-3)."""
    it = gaussian("Theorem S-3", problem, rho)
    n, _ = steps_and_epsilon(n)
    pulls = np.log(2.0 * n) * ratio(1.0, it.variance_h)
    return it.bound("Theorem S-3 (VTS)", pulls, it.printed_weight, assumptions_2(it))


@np.errstate(over="ignore")
def theorem_s4(problem: Problem, n: Any, rho: Any = None) -> Bound:
    """BMVTS: ln(2n)/2 max{1/(|Gamma_i| - sqrt(eps))^2, 1/(|1 - rho - p_best - p_i| - sqrt(eps))^2} (Theorem S-4).

    It is printed without absolute values. One of the two differences is always negative (their product
    is -Delta_i), and the proof's distances from p_i to the two roots shrink by sqrt(eps) on either side.
    """
    it = bernoulli("Theorem S-4", problem, rho)
    n, eps = steps_and_epsilon(n)
    first = np.abs(it.mean_gaps) - np.sqrt(eps)
    second = np.abs(second_root_distance(it)) - np.sqrt(eps)
    terms = np.maximum(ratio(0.5, square_if_positive(first)), ratio(0.5, square_if_positive(second)))
    assumptions = {
        **assumptions_4(it),
        "n_large": ("|Gamma_i| > sqrt(eps) and |1 - rho - p_best - p_i| > sqrt(eps)", (first > 0.0) & (second > 0.0)),
    }
    return it.bound("Theorem S-4 (BMVTS)", np.log(2.0 * n) * terms, it.printed_weight, assumptions, remarks_4(it))


def steps_and_epsilon(n: int) -> tuple[np.ndarray, np.ndarray]:
    """n, checked, and eps = (ln n)^(-1/4), both with axes for rho and arms."""
    steps = array("n", "a finite number > 1, or a list of them", n)
    if not (np.isfinite(steps) & (steps > 1.0)).all():
        raise must_be("n", "a finite number > 1, or a list of them", n)
    steps = steps[..., None, None]
    return steps, np.log(steps) ** -0.25


def square_if_positive(root: np.ndarray) -> np.ndarray:
    """root^2, and 0 (hence an infinite bound) where the root has changed sign."""
    return square(np.maximum(root, 0.0))
