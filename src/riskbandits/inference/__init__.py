"""Intervals, tests and the bootstrap: what a number measured over runs is worth."""

from riskbandits.inference.intervals import (
    Z95,
    clopper_pearson,
    hall_interval,
    mean_interval,
    standard_error,
    sum_interval,
)
from riskbandits.inference.rare import Rare, guard
from riskbandits.inference.ratios import Ratio, of_means, of_paired

__all__ = [
    "Z95",
    "Rare",
    "Ratio",
    "clopper_pearson",
    "guard",
    "hall_interval",
    "mean_interval",
    "of_means",
    "of_paired",
    "standard_error",
    "sum_interval",
]
