"""Sums of many rewards at once: gamma variates of enormous shape and binomial counts of up to 2^53 trials.

They are as exact as drawing the rewards one by one would be. Textbook formulas subtract numbers of the size of the
shape, or of the logarithm of a factorial: at 10^12 nothing would be left of a difference of order 1. Here the large
terms are cancelled by hand.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskbandits.compiling.jit import jitable
from riskbandits.numerics.special import HALF_LOG_TWO_PI, log_ratio_remainder, stirling_remainder
from riskbandits.numerics.variates import gamma

if TYPE_CHECKING:
    from riskbandits.types import Rng

LARGE_SHAPE = 1e5  # from here on the series below is exact to the last bits; before it the textbook's form loses few
FEW = 10.0  # expected successes up to which a binomial count takes few steps by inversion


@jitable
def chi_square(rng: Rng, degrees: float) -> float:
    """A chi-square variate; 0 for no degrees of freedom."""
    return 2.0 * any_gamma(rng, 0.5 * degrees) if degrees > 0.0 else 0.0


@jitable
def any_gamma(rng: Rng, shape: float) -> float:
    """Gamma(shape, rate 1), for shapes up to 2^53 as well.

    Marsaglia & Tsang keep d (1 + y)^3, y = c x, if ln u < x^2/2 + d (1 - (1 + y)^3 + 3 ln(1 + y)). With 9 d c^2 = 1 the
    terms up to y^3 cancel, and what is left is d times the series of 3 ln(1 + y) from y^4 on.
    """
    if shape < LARGE_SHAPE:
        return gamma(rng, shape)
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x = rng.standard_normal()
        y = c * x  # below 0.04 in size: the normal draw is within 40
        series = -0.75 + y * (0.6 - y * (0.5 - y * (3.0 / 7.0 - y * (0.375 - y / 3.0))))
        if math.log(1.0 - rng.random()) < x * x / 9.0 * y * y * series:
            root = 1.0 + y
            return d * root * root * root


@jitable
def binomial(rng: Rng, trials: float, chance: float) -> float:
    """The number of successes in so many trials."""
    if chance > 0.5:
        return trials - binomial_of_rare(rng, trials, 1.0 - chance)
    return binomial_of_rare(rng, trials, chance)


@jitable
def binomial_of_rare(rng: Rng, trials: float, chance: float) -> float:
    """The same for a chance of at most 1/2: by inversion, or by Hormann's transformed rejection (1993, BTRS)."""
    if not chance > 0.0:
        return 0.0
    mean = trials * chance
    if mean < FEW:
        return _by_inversion(rng, trials, chance)
    spread = math.sqrt(mean * (1.0 - chance))
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * chance
    shortcut = 0.92 - 4.2 / b
    scale = (2.83 + 5.1 / b) * spread
    mode = math.floor((trials + 1.0) * chance)
    at_mode = log_binomial(mode, trials, chance)
    while True:
        u = rng.random() - 0.5
        v = 1.0 - rng.random()
        distance = 0.5 - abs(u)
        if distance <= 0.0:
            continue
        found = math.floor((2.0 * a / distance + b) * u + mean + 0.5)
        if distance >= 0.07 and v <= shortcut:
            return found
        if found < 0.0 or found > trials:
            continue
        if math.log(v * scale / (a / (distance * distance) + b)) <= log_binomial(found, trials, chance) - at_mode:
            return found


@jitable
def _by_inversion(rng: Rng, trials: float, chance: float) -> float:
    odds = chance / (1.0 - chance)
    mass = math.exp(trials * math.log1p(-chance))
    left = rng.random()
    found = 0.0
    while left >= mass and found < trials:
        left -= mass
        found += 1.0
        mass *= odds * (trials - found + 1.0) / found
        if mass < 1e-300:  # rounding has eaten the rest
            return found
    return found


@jitable
def log_binomial(successes: float, trials: float, chance: float) -> float:
    """Logarithm of the probability of so many successes, but for a term of the trials alone (Loader 2000)."""
    failures = trials - successes
    if successes == 0.0 or failures == 0.0:
        # Stirling's formula needs both: what it leaves out of ln of the probability is put in.
        certain = failures * math.log1p(-chance) if successes == 0.0 else successes * math.log(chance)
        return certain - 0.5 * math.log(trials) + HALF_LOG_TWO_PI - stirling_remainder(trials)
    excess = successes * log_ratio_remainder(trials * chance, successes)
    excess += failures * log_ratio_remainder(trials * (1.0 - chance), failures)
    rests = stirling_remainder(successes) + stirling_remainder(failures)
    return excess - rests - 0.5 * math.log(successes) - 0.5 * math.log(failures)
