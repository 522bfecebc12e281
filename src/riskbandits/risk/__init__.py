"""Risk measures: what a problem maximises. One measure per file; `contract` says what one is."""

from riskbandits.risk.cvar import CVaR
from riskbandits.risk.entropic import Entropic
from riskbandits.risk.mean import Mean
from riskbandits.risk.mean_variance import MeanVariance
from riskbandits.risk.semivariance import Semivariance
from riskbandits.risk.sharpe import Sharpe
from riskbandits.risk.value_at_risk import ValueAtRisk
from riskbandits.risk.variance import Variance

__all__ = ["CVaR", "Entropic", "Mean", "MeanVariance", "Semivariance", "Sharpe", "ValueAtRisk", "Variance"]
