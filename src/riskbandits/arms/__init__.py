"""Reward distributions, one family per file; `distribution` says what is known of a single arm."""

from riskbandits.arms.bernoulli import BernoulliArms
from riskbandits.arms.beta import BetaArms
from riskbandits.arms.data import DataArms
from riskbandits.arms.exponential import ExponentialArms
from riskbandits.arms.gaussian import GaussianArms
from riskbandits.arms.gaussian_mixture import GaussianMixtureArms
from riskbandits.arms.lognormal import LognormalArms
from riskbandits.arms.poisson import PoissonArms
from riskbandits.arms.student_t import StudentTArms
from riskbandits.arms.truncated_gaussian import TruncatedGaussianArms
from riskbandits.arms.truncated_gaussian_mixture import TruncatedGaussianMixtureArms
from riskbandits.arms.uniform import UniformArms

__all__ = [
    "BernoulliArms",
    "BetaArms",
    "DataArms",
    "ExponentialArms",
    "GaussianArms",
    "GaussianMixtureArms",
    "LognormalArms",
    "PoissonArms",
    "StudentTArms",
    "TruncatedGaussianArms",
    "TruncatedGaussianMixtureArms",
    "UniformArms",
]
