"""Risk measures: what a problem maximises. One measure per file."""

from riskbandits.risk.mean_variance import MeanVariance

__all__ = ["MeanVariance"]
