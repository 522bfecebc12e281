"""The standard normal distribution: density, distribution function and quantiles, with nothing but `math`."""

from __future__ import annotations

import math

from riskbandits.compiling.jit import jitable

INVERSE_SQRT_TWO = 0.7071067811865476
INVERSE_SQRT_TWO_PI = 0.3989422804014327
CENTRE = 0.425  # |p - 1/2| up to which the first approximation holds
SPLIT = 5.0  # between the second and the third, in sqrt(-ln p)
EXPECTILE_STEPS = 1000  # about z^2/2 are needed: seven at a level of 0.1, hundreds at 1e-300


@jitable
def normal_density(z: float) -> float:
    """The density at z."""
    return INVERSE_SQRT_TWO_PI * math.exp(-0.5 * z * z)


@jitable
def normal_cdf(z: float) -> float:
    """P(Z <= z), with full relative accuracy in the lower tail."""
    return 0.5 * math.erfc(-z * INVERSE_SQRT_TWO)


@jitable
def normal_quantile(p: float) -> float:
    """The z with P(Z <= z) = p, to about 16 digits: algorithm AS 241 of Wichura (1988). Infinite at 0 and 1."""
    if p <= 0.0:
        return -math.inf
    if p >= 1.0:
        return math.inf
    q = p - 0.5
    if abs(q) <= CENTRE:
        return q * _central(0.180625 - q * q)
    r = math.sqrt(-math.log(min(p, 1.0 - p)))
    z = _middle(r - 1.6) if r <= SPLIT else _far(r - SPLIT)
    return z if q > 0.0 else -z


@jitable
def _central(r: float) -> float:
    above = 2509.0809287301226727
    for c in (
        33430.575583588128105,
        67265.770927008700853,
        45921.953931549871457,
        13731.693765509461125,
        1971.5909503065514427,
        133.14166789178437745,
        3.387132872796366608,
    ):
        above = above * r + c
    below = 5226.495278852545925
    for c in (
        28729.085735721942674,
        39307.89580009271061,
        21213.794301586595867,
        5394.1960214247511077,
        687.1870074920579083,
        42.313330701600911252,
        1.0,
    ):
        below = below * r + c
    return above / below


@jitable
def _middle(r: float) -> float:
    above = 7.7454501427834140764e-4
    for c in (
        0.0227238449892691845833,
        0.24178072517745061177,
        1.27045825245236838258,
        3.64784832476320460504,
        5.7694972214606914055,
        4.6303378461565452959,
        1.42343711074968357734,
    ):
        above = above * r + c
    below = 1.05075007164441684324e-9
    for c in (
        5.475938084995344946e-4,
        0.0151986665636164571966,
        0.14810397642748007459,
        0.68976733498510000455,
        1.6763848301838038494,
        2.05319162663775882187,
        1.0,
    ):
        below = below * r + c
    return above / below


@jitable
def _far(r: float) -> float:
    above = 2.01033439929228813265e-7
    for c in (
        2.71155556874348757815e-5,
        0.0012426609473880784386,
        0.026532189526576123093,
        0.29656057182850489123,
        1.7848265399172913358,
        5.4637849111641143699,
        6.6579046435011037772,
    ):
        above = above * r + c
    below = 2.04426310338993978564e-15
    for c in (
        1.4215117583164458887e-7,
        1.8463183175100546818e-5,
        7.868691311456132591e-4,
        0.0148753612908506148525,
        0.13692988092273580531,
        0.59983220655588793769,
        1.0,
    ):
        below = below * r + c
    return above / below


@jitable
def gaussian_lower_mean(mean: float, variance: float, level: float) -> float:
    """The mean of the lowest share `level` of a Gaussian: mu - s phi(Phi^-1(a))/a."""
    return mean - math.sqrt(variance) * normal_density(normal_quantile(level)) / level


@jitable
def normal_expectile(level: float) -> float:
    """The z with a E[(Z - z)^+] = (1 - a) E[(z - Z)^+], for a level a of at most 1/2.

    With E[(z - Z)^+] = z Phi(z) + phi(z) it is the root of (1 - 2a)(z Phi(z) + phi(z)) + a z. That is convex and
    increasing, so Newton's method from 0 falls to the root and stops where rounding would turn it back.
    """
    z = 0.0
    for _ in range(EXPECTILE_STEPS):
        below = normal_cdf(z)
        excess = (1.0 - 2.0 * level) * (z * below + normal_density(z)) + level * z
        lower = z - excess / ((1.0 - 2.0 * level) * below + level)
        if not lower < z:
            break
        z = lower
    return z
