"""Problems on which the printed theorems fail, each as small as it can be."""

from __future__ import annotations

from riskbandits.arms import GaussianArms
from riskbandits.problem import Problem
from riskbandits.risk import MeanVariance


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
