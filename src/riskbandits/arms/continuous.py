"""Which arms hardly ever pay the same reward twice."""

from __future__ import annotations

from typing import Any

from riskbandits.arms.beta import BetaArms
from riskbandits.arms.correlated_gaussian import CorrelatedGaussianArms
from riskbandits.arms.exponential import ExponentialArms
from riskbandits.arms.gaussian import GaussianArms
from riskbandits.arms.gaussian_mixture import GaussianMixtureArms
from riskbandits.arms.lognormal import LognormalArms
from riskbandits.arms.student_t import StudentTArms
from riskbandits.arms.uniform import UniformArms

CONTINUOUS = (
    BetaArms,
    CorrelatedGaussianArms,
    ExponentialArms,
    GaussianArms,
    GaussianMixtureArms,
    LognormalArms,
    StudentTArms,
    UniformArms,
)


def has_continuous_rewards(arms: Any) -> bool:
    """Whether the rewards of these arms have densities, as far as is known.

    >>> from riskbandits import BernoulliArms
    >>> has_continuous_rewards(UniformArms([0.0], [1.0])), has_continuous_rewards(BernoulliArms([0.5]))
    (True, False)
    """
    return type(arms) in CONTINUOUS
