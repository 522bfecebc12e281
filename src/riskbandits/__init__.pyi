from riskbandits import arms as arms
from riskbandits import identification as identification
from riskbandits import inference as inference
from riskbandits import metrics as metrics
from riskbandits import plotting as plotting
from riskbandits import policies as policies
from riskbandits import problems as problems
from riskbandits import risk as risk
from riskbandits import suites as suites
from riskbandits import tables as tables
from riskbandits import testing as testing
from riskbandits import theory as theory
from riskbandits import types as types
from riskbandits.api.compare import compare as compare
from riskbandits.api.frontier import Frontier as Frontier
from riskbandits.api.frontier import frontier as frontier
from riskbandits.api.identify import identify as identify
from riskbandits.api.load import load as load
from riskbandits.api.simulate import simulate as simulate
from riskbandits.api.sweep import sweep as sweep
from riskbandits.arms import *
from riskbandits.core import errors as errors
from riskbandits.core.errors import RiskBanditsError as RiskBanditsError
from riskbandits.core.version import __version__ as __version__
from riskbandits.identification import MeanVarianceElimination as MeanVarianceElimination
from riskbandits.identification import QuantileElimination as QuantileElimination
from riskbandits.identification import SuccessiveRejects as SuccessiveRejects
from riskbandits.learner import Learner as Learner
from riskbandits.metrics import Metric as Metric
from riskbandits.policies import *
from riskbandits.problem import Problem as Problem
from riskbandits.results.comparison import Comparison as Comparison
from riskbandits.results.identification import Identification as Identification
from riskbandits.results.result import Result as Result
from riskbandits.results.sweep_result import SweepResult as SweepResult
from riskbandits.risk import *
from riskbandits.suites import Suite as Suite
from riskbandits.learner import Guarded as Guarded
