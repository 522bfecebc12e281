"""Reward distributions, one family per file."""

from riskbandits.arms.bernoulli import BernoulliArms
from riskbandits.arms.gaussian import GaussianArms

__all__ = ["BernoulliArms", "GaussianArms"]
