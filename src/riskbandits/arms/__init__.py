"""Reward distributions, one family per file; `distribution` describes a single arm."""

from riskbandits.arms.bernoulli import BernoulliArms as BernoulliArms
from riskbandits.arms.beta import BetaArms as BetaArms
from riskbandits.arms.correlated_gaussian import CorrelatedGaussianArms as CorrelatedGaussianArms
from riskbandits.arms.data import DataArms as DataArms
from riskbandits.arms.exponential import ExponentialArms as ExponentialArms
from riskbandits.arms.gaussian import GaussianArms as GaussianArms
from riskbandits.arms.gaussian_mixture import GaussianMixtureArms as GaussianMixtureArms
from riskbandits.arms.hurdle import HurdleArms as HurdleArms
from riskbandits.arms.linear import LinearArms as LinearArms
from riskbandits.arms.lognormal import LognormalArms as LognormalArms
from riskbandits.arms.piecewise import PiecewiseArms as PiecewiseArms
from riskbandits.arms.poisson import PoissonArms as PoissonArms
from riskbandits.arms.student_t import StudentTArms as StudentTArms
from riskbandits.arms.truncated_gaussian import TruncatedGaussianArms as TruncatedGaussianArms
from riskbandits.arms.truncated_gaussian_mixture import TruncatedGaussianMixtureArms as TruncatedGaussianMixtureArms
from riskbandits.arms.uniform import UniformArms as UniformArms
from riskbandits.arms.walking import WalkingArms as WalkingArms
from riskbandits.core.keywords import check_record_keywords

# In a form that type checkers do not see: they go by the lines above.
globals()["__all__"] = sorted(name for name, thing in globals().items() if isinstance(thing, type))
check_record_keywords(thing for thing in list(globals().values()) if isinstance(thing, type))
