"""Logarithms of densities that stay accurate for shapes from 0.5 to 1e7 and far into the tails.

The textbook formulas subtract numbers of the size of ln Gamma(shape): at a shape of 1e7 that loses
eight digits. Written around the mean, with the large terms of Stirling's formula cancelled by hand,
they lose none.
"""

from __future__ import annotations

import math

from riskbandits.compiling.jit import jitable

HALF_LOG_TWO_PI = 0.9189385332046727
SMALLEST_FOR_SERIES = 10.0  # from here on five terms of Stirling's series are exact to the last bits


@jitable
def stirling_remainder(x: float) -> float:
    """What ln Gamma(x) exceeds Stirling's formula by: ln Gamma(x) less (x - 1/2) ln x - x + ln(2 pi)/2, for x > 0."""
    if x < SMALLEST_FOR_SERIES:
        return math.lgamma(x) - (x - 0.5) * math.log(x) + x - HALF_LOG_TWO_PI
    y = 1.0 / (x * x)
    return (1.0 / 12.0 - y * (1.0 / 360.0 - y * (1.0 / 1260.0 - y * (1.0 / 1680.0 - y / 1188.0)))) / x


@jitable
def log_gamma(x: float) -> float:
    """The logarithm of Gamma(x) for x > 0."""
    if x < SMALLEST_FOR_SERIES:
        return math.lgamma(x)
    return (x - 0.5) * math.log(x) - x + HALF_LOG_TWO_PI + stirling_remainder(x)


@jitable
def log_ratio_remainder(x: float, mean: float) -> float:
    """ln(x/mean) - (x/mean - 1) for positive x and mean."""
    u = (x - mean) / mean
    if abs(u) > 0.01:
        return math.log(x / mean) - u
    # The difference of two nearly equal numbers; its series to the eighth power is exact here.
    return -u * u * (0.5 - u * (1.0 / 3.0 - u * (0.25 - u * (0.2 - u * (1.0 / 6.0 - u * (1.0 / 7.0 - u * 0.125))))))


@jitable
def log_gamma_density(shape: float, x: float) -> float:
    """Logarithm of the density of Gamma(shape, rate 1) at x > 0."""
    if shape < SMALLEST_FOR_SERIES:
        return (shape - 1.0) * math.log(x) - x - math.lgamma(shape)
    excess = shape * log_ratio_remainder(x, shape)
    return excess + 0.5 * math.log(shape / (x * x)) - HALF_LOG_TWO_PI - stirling_remainder(shape)


@jitable
def log_beta_density(a: float, b: float, x: float, rest: float) -> float:
    """Logarithm of the density of Beta(a, b) at x in (0, 1). `rest` is 1 - x, given apart so that it may be tiny."""
    n = a + b
    excess = a * log_ratio_remainder(x * n, a) + b * log_ratio_remainder(rest * n, b)
    scale = 0.5 * (math.log(a / n) + math.log(b)) - math.log(x) - math.log(rest) - HALF_LOG_TWO_PI
    return excess + scale + stirling_remainder(n) - stirling_remainder(a) - stirling_remainder(b)


@jitable
def log_normal_density(z: float) -> float:
    """Logarithm of the standard normal density."""
    return -0.5 * z * z - HALF_LOG_TWO_PI
