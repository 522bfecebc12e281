"""Policies, one algorithm per file. To add one to the package, add its file and one line here."""

from riskbandits.policies.bcvts import BCVTS
from riskbandits.policies.bernoulli_lcb import BernoulliLCB
from riskbandits.policies.bernoulli_ts import BernoulliTS
from riskbandits.policies.bmvts import BMVTS
from riskbandits.policies.cvar_ts import CVaRTS
from riskbandits.policies.cvar_ucb import CVaRUCB
from riskbandits.policies.dsee import DSEE
from riskbandits.policies.exp_exp import ExpExp
from riskbandits.policies.gaussian_ts import GaussianTS
from riskbandits.policies.imed_mv import IMEDMV
from riskbandits.policies.kl_ucb_mv import KLUCBMV
from riskbandits.policies.marab import MaRaB
from riskbandits.policies.mcvts import MCVTS
from riskbandits.policies.mts import MTS
from riskbandits.policies.mv_dsee import MVDSEE
from riskbandits.policies.mv_lcb import MVLCB
from riskbandits.policies.mvts import MVTS
from riskbandits.policies.ngts import NGTS
from riskbandits.policies.npts import NPTS
from riskbandits.policies.ra_ucb import RAUCB
from riskbandits.policies.robust_ucb import RobustUCB
from riskbandits.policies.srts import SRTS
from riskbandits.policies.switching_aware import SwitchingAware
from riskbandits.policies.u_ucb import UUCB
from riskbandits.policies.ucb1 import UCB1
from riskbandits.policies.ucb_rssr import UCBRSSR
from riskbandits.policies.ucb_v import UCBV
from riskbandits.policies.uniform_random import UniformRandom
from riskbandits.policies.vts import VTS

__all__ = [
    "BCVTS",
    "BMVTS",
    "DSEE",
    "IMEDMV",
    "KLUCBMV",
    "MCVTS",
    "MTS",
    "MVDSEE",
    "MVLCB",
    "MVTS",
    "NGTS",
    "NPTS",
    "RAUCB",
    "SRTS",
    "UCB1",
    "UCBRSSR",
    "UCBV",
    "UUCB",
    "VTS",
    "BernoulliLCB",
    "BernoulliTS",
    "CVaRTS",
    "CVaRUCB",
    "ExpExp",
    "GaussianTS",
    "MaRaB",
    "RobustUCB",
    "SwitchingAware",
    "UniformRandom",
]
