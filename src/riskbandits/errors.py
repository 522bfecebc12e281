"""The errors and warnings of this package, in one place to catch them from; `core.errors` defines them."""

from riskbandits.core.errors import (
    CompilerError,
    ConflictError,
    ContractError,
    EngineError,
    FileError,
    GoneError,
    IntervalWarning,
    KeywordError,
    ParameterError,
    RefusalError,
    RiskBanditsError,
    ScaleWarning,
    ScoresError,
    ServiceError,
    UnknownNameError,
)

__all__ = [
    "CompilerError",
    "ConflictError",
    "ContractError",
    "EngineError",
    "FileError",
    "GoneError",
    "IntervalWarning",
    "KeywordError",
    "ParameterError",
    "RefusalError",
    "RiskBanditsError",
    "ScaleWarning",
    "ScoresError",
    "ServiceError",
    "UnknownNameError",
]
