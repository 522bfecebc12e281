"""Policies, one algorithm per file. To add one to the package, add its file and one line here."""

from riskbandits.policies.bernoulli_lcb import BernoulliLCB
from riskbandits.policies.bmvts import BMVTS
from riskbandits.policies.exp_exp import ExpExp
from riskbandits.policies.imed_mv import IMEDMV
from riskbandits.policies.kl_ucb_mv import KLUCBMV
from riskbandits.policies.mts import MTS
from riskbandits.policies.mv_dsee import MVDSEE
from riskbandits.policies.mv_lcb import MVLCB
from riskbandits.policies.mvts import MVTS
from riskbandits.policies.ngts import NGTS
from riskbandits.policies.switching_aware import SwitchingAware
from riskbandits.policies.uniform_random import UniformRandom
from riskbandits.policies.vts import VTS

__all__ = [
    "BMVTS",
    "IMEDMV",
    "KLUCBMV",
    "MTS",
    "MVDSEE",
    "MVLCB",
    "MVTS",
    "NGTS",
    "VTS",
    "BernoulliLCB",
    "ExpExp",
    "SwitchingAware",
    "UniformRandom",
]
