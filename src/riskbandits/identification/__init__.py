"""Finding the best arm instead of playing it: rules that spend a budget or stop when sure. One rule per file."""

from riskbandits.identification.contract import Decision
from riskbandits.identification.mean_variance_elimination import MeanVarianceElimination
from riskbandits.identification.quantile_elimination import QuantileElimination
from riskbandits.identification.sequential_halving import SequentialHalving
from riskbandits.identification.successive_rejects import SuccessiveRejects
from riskbandits.identification.truncated_rejects import TruncatedRejects

RULES = (
    SuccessiveRejects,
    QuantileElimination,
    MeanVarianceElimination,
    SequentialHalving,
    TruncatedRejects,
)

__all__ = [
    "RULES",
    "Decision",
    "MeanVarianceElimination",
    "QuantileElimination",
    "SequentialHalving",
    "SuccessiveRejects",
    "TruncatedRejects",
]
