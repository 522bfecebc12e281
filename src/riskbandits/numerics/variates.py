"""Random variates made of the two primitive draws, `rng.standard_normal()` and `rng.random()`.

Only these two, so that the same lines run under NumPy, compiled by numba, on a GPU and in a web page.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskbandits.compiling.jit import always_inline, jitable
from riskbandits.numerics.special import log_gamma

if TYPE_CHECKING:
    from riskbandits.types import Rng

SMALL_RATE = 10.0  # below it a Poisson count takes few uniforms
MOST_TRIALS = 2.0**53  # whole numbers up to here are exact, and no run is longer


@always_inline
def gamma(rng: Rng, shape: float) -> float:
    """Gamma(shape, rate 1) by Marsaglia & Tsang (2000); about 2.5 times as fast as numba's `standard_gamma`."""
    boost = 1.0
    if shape < 1.0:
        # Gamma(a) = Gamma(a + 1) U^(1/a); U in (0, 1] keeps the logarithm finite.
        boost = math.exp(math.log(1.0 - rng.random()) / shape)
        shape += 1.0
    # One loop for both: it becomes part of every place that draws, twice if it were written twice.
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x = rng.standard_normal()
        v = 1.0 + c * x
        if v <= 0.0:
            continue
        v = v * v * v
        u = 1.0 - rng.random()
        squared = x * x
        # The squeeze accepts nearly always without a logarithm.
        if u < 1.0 - 0.0331 * squared * squared or math.log(u) < 0.5 * squared + d * (1.0 - v + math.log(v)):
            return boost * (d * v)


@jitable
def box_muller(u: float, v: float) -> float:
    """A standard normal number from two uniform ones, of which the first is not 0."""
    return math.sqrt(-2.0 * math.log(u)) * math.cos(2.0 * math.pi * v)


@jitable
def beta(rng: Rng, a: float, b: float) -> float:
    """Beta(a, b) as a ratio of two gammas."""
    x = gamma(rng, a)
    y = gamma(rng, b)
    return x / (x + y)


@always_inline
def exponential(rng: Rng) -> float:
    """Exp(1) by inversion, finite and >= 0."""
    return -math.log(1.0 - rng.random())


@always_inline
def geometric(rng: Rng, rate: float) -> float:
    """The number of trials up to and with the first success, 1, 2, ..., which has probability 1 - exp(-rate).

    Infinite when it exceeds every horizon. The rate is -ln(1 - p): callers keep it and save a logarithm per draw.
    """
    draw = exponential(rng)
    return 1.0 + math.floor(draw / rate) if draw < MOST_TRIALS * rate else math.inf


@jitable
def poisson(rng: Rng, rate: float) -> float:
    """A Poisson count: by multiplication of uniforms for small rates, by transformed rejection for large ones."""
    if rate < SMALL_RATE:
        limit = math.exp(-rate)
        product = 1.0 - rng.random()
        found = 0.0
        while product > limit:
            product *= 1.0 - rng.random()
            found += 1.0
        return found
    # Hormann (1993), algorithm PTRS.
    b = 0.931 + 2.53 * math.sqrt(rate)
    a = -0.059 + 0.02483 * b
    inverse = 1.1239 + 1.1328 / (b - 3.4)
    shortcut = 0.9277 - 3.6224 / (b - 2.0)
    while True:
        u = rng.random() - 0.5
        v = 1.0 - rng.random()
        distance = 0.5 - abs(u)
        if distance <= 0.0:
            continue
        found = math.floor((2.0 * a / distance + b) * u + rate + 0.43)
        if distance >= 0.07 and v <= shortcut:
            return found
        if found < 0.0 or (distance < 0.013 and v > distance):
            continue
        accept = math.log(v * inverse / (a / (distance * distance) + b))
        if accept <= found * math.log(rate) - rate - log_gamma(found + 1.0):
            return found
