"""Reward distributions, one family per file; `distribution` describes a single arm."""

from riskbandits.arms.bernoulli import BernoulliArms as BernoulliArms
from riskbandits.arms.beta import BetaArms as BetaArms
from riskbandits.arms.data import DataArms as DataArms
from riskbandits.arms.exponential import ExponentialArms as ExponentialArms
from riskbandits.arms.gaussian import GaussianArms as GaussianArms
from riskbandits.arms.gaussian_mixture import GaussianMixtureArms as GaussianMixtureArms
from riskbandits.arms.lognormal import LognormalArms as LognormalArms
from riskbandits.arms.piecewise import PiecewiseArms as PiecewiseArms
from riskbandits.arms.poisson import PoissonArms as PoissonArms
from riskbandits.arms.student_t import StudentTArms as StudentTArms
from riskbandits.arms.truncated_gaussian import TruncatedGaussianArms as TruncatedGaussianArms
from riskbandits.arms.truncated_gaussian_mixture import TruncatedGaussianMixtureArms as TruncatedGaussianMixtureArms
from riskbandits.arms.uniform import UniformArms as UniformArms
from riskbandits.arms.walking import WalkingArms as WalkingArms

# In a form that type checkers do not see: they go by the lines above.
globals()["__all__"] = sorted(name for name, thing in globals().items() if isinstance(thing, type))
