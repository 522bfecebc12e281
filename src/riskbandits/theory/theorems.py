"""The four asymptotic upper bounds of Zhu & Tan (2020), as printed: coefficients of ln n.

Each is a bound on pulls times the cost of a pull, Delta_i + 2 Gamma_i,max^2 (equation (10)). The values
are those of the printed formulas also where they do not apply. `docs/errata.md` says what is known
about the statements themselves: Theorems 1, 2 and 3 do not hold as stated.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from riskbandits.arms import GaussianArms
from riskbandits.problem import Problem
from riskbandits.risk import MeanVariance
from riskbandits.theory.bound import Bound, ratio, square
from riskbandits.theory.instance import Instance, bernoulli, gaussian

Named = dict[str, tuple[str, np.ndarray]]


@np.errstate(over="ignore")
def theorem_1(problem: Problem, rho: Any = None) -> Bound:
    """MTS: sum_i 2 rho^2/(rho Gamma_i - s_best^2)^2 (Delta_i + 2 Gamma_i,max^2), equation (11).

    >>> import riskbandits as rb
    >>> theorem_1(rb.Problem(rb.GaussianArms([2, 1], [0.5, 0.1]), rb.MeanVariance(1.0))).pulls.tolist()
    [0.0, 8.0]
    """
    it = gaussian("Theorem 1", problem, rho)
    difference = it.rho * it.mean_gaps - it.best_variance
    pulls = 2.0 * square(ratio(it.rho, np.abs(difference)))
    return it.bound("Theorem 1 (MTS)", pulls, it.printed_weight, assumptions_1(it))


@np.errstate(over="ignore")
def theorem_2(problem: Problem, rho: Any = None) -> Bound:
    """VTS: sum_i 1/h(s_i^2/s_best^2) (Delta_i + 2 Gamma_i,max^2), equation (12)."""
    it = gaussian("Theorem 2", problem, rho)
    return it.bound("Theorem 2 (VTS)", ratio(1.0, it.variance_h), it.printed_weight, assumptions_2(it))


@np.errstate(over="ignore")
def theorem_3(problem: Problem, rho: Any = None) -> Bound:
    """MVTS: sum_i max{2/Gamma_i^2, 1/h(s_i^2/s_best^2)} (Delta_i + 2 Gamma_i,max^2), equation (13).

    It is printed without assumptions; those given are the ones its proof uses.
    """
    it = gaussian("Theorem 3", problem, rho)
    pulls = np.maximum(ratio(2.0, square(it.mean_gaps)), ratio(1.0, it.variance_h))
    return it.bound("Theorem 3 (MVTS)", pulls, it.printed_weight, assumptions_3(it))


@np.errstate(over="ignore")
def theorem_4(problem: Problem, rho: Any = None) -> Bound:
    """BMVTS: sum_i max{1/(2 Gamma_i^2), 1/(2 (1 - rho - p_best - p_i)^2)} (Delta_i + 2 Gamma_i,max^2), eq. (14)."""
    it = bernoulli("Theorem 4", problem, rho)
    pulls = np.maximum(ratio(0.5, square(it.mean_gaps)), ratio(0.5, square(second_root_distance(it))))
    return it.bound("Theorem 4 (BMVTS)", pulls, it.printed_weight, assumptions_4(it), remarks_4(it))


def second_root_distance(it: Instance) -> np.ndarray:
    """1 - rho - p_best - p_i: from p_i to the other success probability that is worth as much as the best arm."""
    return 1.0 - it.rho - it.problem.means[it.best][:, None] - it.problem.means


def assumptions_1(it: Instance) -> Named:
    """What Theorem 1 asks for."""
    holds = it.rho * it.mean_gaps > it.best_variance
    return {**_common(it), "mean_outweighs_variance": ("rho Gamma_i > s_best^2", holds)}


def assumptions_2(it: Instance) -> Named:
    """What Theorem 2 asks for: its condition on rho, what that leaves unsaid, and three versions of the last one."""
    apart, h = square(it.mean_gaps), it.variance_h
    return {
        **_common(it),
        "variance_no_smaller": (
            "s_i^2 >= s_best^2 (what rho <= Delta_i/Gamma_i says for Gamma_i > 0)",
            it.variances >= it.best_variance,
        ),
        "mean_smaller": ("mu_i < mu_best", it.mean_gaps > 0.0),
        "means_apart_main_text": ("Gamma_i^2 > 2 s_best^2 h (main text)", apart > 2.0 * _times(it.best_variance, h)),
        "means_apart_supplement": (
            "Gamma_i^2 >= 8 s_best^2 h (supplement)",
            apart >= 8.0 * _times(it.best_variance, h),
        ),
        "means_apart_proof": (
            "Gamma_i^2 >= 2 s_i^2 h (what the proof uses)",
            apart >= 2.0 * _times(it.variances, h),
        ),
    }


def assumptions_3(it: Instance) -> Named:
    """What the proof of Theorem 3 uses; the theorem itself states nothing."""
    return {
        **_common(it),
        "mean_smaller": ("mu_i < mu_best (used in the proof, not stated)", it.mean_gaps > 0.0),
        "variance_larger": (
            "s_i^2 > s_best^2 (used in the proof, not stated)",
            it.variances > it.best_variance,
        ),
    }


def assumptions_4(it: Instance) -> Named:
    """What Theorem 4 asks for."""
    inside = np.broadcast_to((it.rho > 0.0) & (it.rho < 1.0), it.gaps.shape)
    return {"unique_best": ("Delta_i > 0", it.gaps > 0.0), "rho_inside": ("0 < rho < 1", inside)}


def remarks_4(it: Instance) -> Named:
    """Where the second term of Theorem 4 stands for no arm and only makes the bound larger."""
    other = 1.0 - it.rho - it.problem.means[it.best][:, None]
    holds = np.broadcast_to((other >= 0.0) & (other <= 1.0), it.gaps.shape)
    return {"second_root_is_an_arm": ("0 <= 1 - rho - p_best <= 1", holds)}


def _common(it: Instance) -> Named:
    """Stated once in the paper, for all Gaussian results (sections 2 and 3)."""
    small = (it.variances <= 1.0) & (it.best_variance <= 1.0)
    return {
        "unique_best": ("Delta_i > 0", it.gaps > 0.0),
        "variances_at_most_1": ("s_i^2 <= 1 and s_best^2 <= 1 (the class of section 3)", small),
    }


def _times(variance: np.ndarray, h: np.ndarray) -> np.ndarray:
    """The product variance * h, where 0 times infinity stands for a condition that cannot be met."""
    variance, h = np.broadcast_arrays(variance, h)
    return np.where(np.isinf(h), np.inf, variance * np.where(np.isinf(h), 0.0, h))


def theorem_1_counterexample() -> Problem:
    """MTS on N(4, 1), the best arm, against N(0, 0.1) at rho = 1/2: Theorem 1 applies and allows 0.5 ln n pulls.

    MTS never draws a variance. When the first two rewards of the best arm lie far apart, its sample
    variance y is large, and it is played again with probability about exp(-(y/rho - mu)^2) per step; as
    y exceeds rho sqrt(ln n) with probability about exp(-rho sqrt(ln n)/s^2), wrong pulls grow almost like n.
    """
    return Problem(GaussianArms(means=[4.0, 0.0], variances=[1.0, 0.1]), MeanVariance(0.5))


def theorem_2_counterexample() -> Problem:
    """VTS on N(1, 0.5), the best arm, against N(0, 1) at rho = 5: Theorem 2 applies and allows 6.5 ln n pulls.

    VTS never draws a mean, and its index is below rho m whatever variance it draws. Once the sample mean m
    of the best arm is below MV_2/rho, it is never played again: wrong pulls grow like n.
    """
    return Problem(GaussianArms(means=[1.0, 0.0], variances=[0.5, 1.0]), MeanVariance(5.0))


def theorem_3_counterexample() -> Problem:
    """MVTS on N(0, 0.1), the best arm, against N(2, 1) at rho = 0.4: Theorem 3 allows 0.5 ln n pulls.

    Every consistent policy needs 381 ln n. The proof bounds the chance of drawing a mean above mu_best or
    a variance below s_best^2; here the wrong arm's own mean is above mu_best, and that chance is near 1.
    """
    return Problem(GaussianArms(means=[0.0, 2.0], variances=[0.1, 1.0]), MeanVariance(0.4))
