"""Intervals, tests and the bootstrap: what a number measured over runs is worth."""

from riskbandits.inference.intervals import Z95, clopper_pearson, standard_error
from riskbandits.inference.ratios import Ratio, of_means, of_paired

__all__ = ["Z95", "Ratio", "clopper_pearson", "of_means", "of_paired", "standard_error"]
