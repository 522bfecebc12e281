"""Named problems from papers."""

from __future__ import annotations

from collections.abc import Callable

from riskbandits.arms import BernoulliArms, GaussianArms
from riskbandits.core.errors import unknown_name
from riskbandits.problem import Problem
from riskbandits.risk import MeanVariance

ZHU_TAN_MEANS = (0.1, 0.2, 0.23, 0.27, 0.32, 0.32, 0.34, 0.41, 0.43, 0.54, 0.55, 0.56, 0.67, 0.71, 0.79)
ZHU_TAN_VARIANCES = (0.05, 0.34, 0.28, 0.09, 0.23, 0.72, 0.19, 0.14, 0.44, 0.53, 0.24, 0.36, 0.56, 0.49, 0.85)

# The values of rho in the paper's figures over rho.
ZHU_TAN_RHOS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
ZHU_TAN_BERNOULLI_RHOS = tuple(k / 9 for k in range(10))


def zhu_tan_gaussian(rho: float = 1.0) -> Problem:
    """The fifteen Gaussian arms of Zhu & Tan (2020), section 6.

    >>> zhu_tan_gaussian(rho=1000).best_arm
    14
    """
    return Problem(GaussianArms(means=ZHU_TAN_MEANS, variances=ZHU_TAN_VARIANCES), MeanVariance(rho))


def zhu_tan_bernoulli(rho: float = 0.5) -> Problem:
    """The fifteen Bernoulli arms of Zhu & Tan (2020): success probabilities equal to the Gaussian arms' means.

    >>> zhu_tan_bernoulli(rho=0.5).best_arm
    14
    """
    return Problem(BernoulliArms(probabilities=ZHU_TAN_MEANS), MeanVariance(rho))


NAMED: dict[str, Callable[[], Problem]] = {
    "zhu-tan-gaussian": zhu_tan_gaussian,
    "zhu-tan-bernoulli": zhu_tan_bernoulli,
}


def named(name: str) -> Problem:
    """The problem by that name (case, `-` and `_` do not matter), with its default risk."""
    wanted = name.lower().replace("_", "-") if isinstance(name, str) else None
    if wanted is None or wanted not in NAMED:
        raise unknown_name("named problem", name, NAMED)
    return NAMED[wanted]()
