"""Finding the best arm instead of playing it: rules that spend a budget or stop when sure. One rule per file."""

from riskbandits.core.keywords import check_record_keywords
from riskbandits.identification.contract import Decision
from riskbandits.identification.mean_variance_elimination import MeanVarianceElimination
from riskbandits.identification.mean_variance_lucb import MeanVarianceLUCB
from riskbandits.identification.moment_rejects import MomentRejects
from riskbandits.identification.quantile_elimination import QuantileElimination
from riskbandits.identification.sequential_halving import SequentialHalving
from riskbandits.identification.successive_rejects import SuccessiveRejects
from riskbandits.identification.truncated_elimination import TruncatedElimination
from riskbandits.identification.truncated_rejects import TruncatedRejects
from riskbandits.identification.va_lucb import VALUCB

RULES = (
    SuccessiveRejects,
    SequentialHalving,
    TruncatedRejects,
    MomentRejects,
    TruncatedElimination,
    QuantileElimination,
    MeanVarianceElimination,
    MeanVarianceLUCB,
    VALUCB,
)
check_record_keywords(RULES)

__all__ = [
    "RULES",
    "VALUCB",
    "Decision",
    "MeanVarianceElimination",
    "MeanVarianceLUCB",
    "MomentRejects",
    "QuantileElimination",
    "SequentialHalving",
    "SuccessiveRejects",
    "TruncatedElimination",
    "TruncatedRejects",
]
