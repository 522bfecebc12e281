"""Risk measures: what a problem maximises. One measure per file; `contract` says what one is."""

from riskbandits.core.keywords import check_record_keywords
from riskbandits.risk.cvar import CVaR as CVaR
from riskbandits.risk.entropic import Entropic as Entropic
from riskbandits.risk.expectile import Expectile as Expectile
from riskbandits.risk.largest_variance import LargestVariance as LargestVariance
from riskbandits.risk.mean import Mean as Mean
from riskbandits.risk.mean_cvar import MeanCVaR as MeanCVaR
from riskbandits.risk.mean_semideviation import MeanSemideviation as MeanSemideviation
from riskbandits.risk.mean_variance import MeanVariance as MeanVariance
from riskbandits.risk.semivariance import Semivariance as Semivariance
from riskbandits.risk.sharpe import Sharpe as Sharpe
from riskbandits.risk.value_at_risk import ValueAtRisk as ValueAtRisk
from riskbandits.risk.variance import Variance as Variance
from riskbandits.risk.variance_constrained import VarianceConstrained as VarianceConstrained

# In a form that type checkers do not see: they go by the lines above.
globals()["__all__"] = sorted(name for name, thing in globals().items() if isinstance(thing, type))
check_record_keywords(thing for thing in list(globals().values()) if isinstance(thing, type))
