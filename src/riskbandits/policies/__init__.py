"""Policies, one algorithm per file. To add one to the package, add its file and one line here."""

from riskbandits.core.keywords import check_record_keywords
from riskbandits.policies.bcvts import BCVTS as BCVTS
from riskbandits.policies.bernoulli_lcb import BernoulliLCB as BernoulliLCB
from riskbandits.policies.bernoulli_ts import BernoulliTS as BernoulliTS
from riskbandits.policies.bmvts import BMVTS as BMVTS
from riskbandits.policies.coherent_ucb import CoherentUCB as CoherentUCB
from riskbandits.policies.cvar_ts import CVaRTS as CVaRTS
from riskbandits.policies.cvar_ucb import CVaRUCB as CVaRUCB
from riskbandits.policies.discounted import Discounted as Discounted
from riskbandits.policies.dsee import DSEE as DSEE
from riskbandits.policies.exp_exp import ExpExp as ExpExp
from riskbandits.policies.gaussian_ts import GaussianTS as GaussianTS
from riskbandits.policies.horizon_ucb import HorizonUCB as HorizonUCB
from riskbandits.policies.hurdle_ts import HurdleTS as HurdleTS
from riskbandits.policies.imed_mv import IMEDMV as IMEDMV
from riskbandits.policies.kl_ucb_mv import KLUCBMV as KLUCBMV
from riskbandits.policies.linear_ngts import LinearNGTS as LinearNGTS
from riskbandits.policies.marab import MaRaB as MaRaB
from riskbandits.policies.mcvts import MCVTS as MCVTS
from riskbandits.policies.modified_gra_ucb import ModifiedGRAUCB as ModifiedGRAUCB
from riskbandits.policies.mts import MTS as MTS
from riskbandits.policies.mv_dsee import MVDSEE as MVDSEE
from riskbandits.policies.mv_lcb import MVLCB as MVLCB
from riskbandits.policies.mvts import MVTS as MVTS
from riskbandits.policies.ngts import NGTS as NGTS
from riskbandits.policies.npts import NPTS as NPTS
from riskbandits.policies.ra_ucb import RAUCB as RAUCB
from riskbandits.policies.restarting import Restarting as Restarting
from riskbandits.policies.robust_ucb import RobustUCB as RobustUCB
from riskbandits.policies.sharpe_ucb import SharpeUCB as SharpeUCB
from riskbandits.policies.srts import SRTS as SRTS
from riskbandits.policies.switching_aware import SwitchingAware as SwitchingAware
from riskbandits.policies.u_ucb import UUCB as UUCB
from riskbandits.policies.ucb1 import UCB1 as UCB1
from riskbandits.policies.ucb_rssr import UCBRSSR as UCBRSSR
from riskbandits.policies.ucb_v import UCBV as UCBV
from riskbandits.policies.uniform_random import UniformRandom as UniformRandom
from riskbandits.policies.vts import VTS as VTS

# In a form that type checkers do not see: they go by the lines above.
globals()["__all__"] = sorted(name for name, thing in globals().items() if isinstance(thing, type))
check_record_keywords(thing for thing in list(globals().values()) if isinstance(thing, type))
