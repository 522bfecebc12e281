"""Policies, one algorithm per file. To add one to the package, add its file and one line here."""

from riskbandits.policies.bcvts import BCVTS
from riskbandits.policies.bernoulli_lcb import BernoulliLCB
from riskbandits.policies.bmvts import BMVTS
from riskbandits.policies.exp_exp import ExpExp
from riskbandits.policies.imed_mv import IMEDMV
from riskbandits.policies.kl_ucb_mv import KLUCBMV
from riskbandits.policies.mcvts import MCVTS
from riskbandits.policies.mts import MTS
from riskbandits.policies.mv_dsee import MVDSEE
from riskbandits.policies.mv_lcb import MVLCB
from riskbandits.policies.mvts import MVTS
from riskbandits.policies.ngts import NGTS
from riskbandits.policies.npts import NPTS
from riskbandits.policies.uniform_random import UniformRandom
from riskbandits.policies.vts import VTS

__all__ = [
    "BCVTS",
    "BMVTS",
    "IMEDMV",
    "KLUCBMV",
    "MCVTS",
    "MTS",
    "MVDSEE",
    "MVLCB",
    "MVTS",
    "NGTS",
    "NPTS",
    "VTS",
    "BernoulliLCB",
    "ExpExp",
    "UniformRandom",
]
