"""Tails of normal, gamma and beta distributions, bounded by envelopes with a closed mass, and exact draws from them.

An envelope is a function at least as large as the density beyond a point. Its mass bounds the tail's
probability. A proposal drawn from it and kept with probability density/envelope is a draw from the
tail *with the density's own mass*: events that happen at the envelope's rate and are then thinned this way
happen exactly at the tail's rate. Log-concave densities lie below the tangents of their logarithm, which
gives exponential (in ln x: power) envelopes; they are tight where tails are small.

`log_*_mass` give ln of the mass, `*_proposal` one thinned draw: the draw, or NaN when it was not kept.
`*_above` repeat the proposal until one is kept: a draw from the distribution given that it exceeds the point.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskbandits.compiling.jit import jitable
from riskbandits.numerics.special import log_beta_density, log_gamma_density
from riskbandits.numerics.variates import exponential

if TYPE_CHECKING:
    from riskbandits.types import Rng

HALF_ROOT = 0.7071067811865476
NOT_SMALL = 0.0  # ln of a mass of 1: the envelope says nothing


@jitable
def probability(log_mass: float) -> float:
    """The mass as a bound on a probability."""
    return math.exp(log_mass) if log_mass < 0.0 else 1.0


@jitable
def low_gamma_share(shape: float, deviations: float) -> float:
    """About the quantile of Gamma(shape)/shape so many deviations below its centre (Wilson & Hilferty); may be <= 0."""
    root = 1.0 - 1.0 / (9.0 * shape) - deviations / (3.0 * math.sqrt(shape))
    return root * root * root


@jitable
def normal_tail(z: float) -> float:
    """P(N(0, 1) >= z)."""
    return 0.5 * math.erfc(z * HALF_ROOT)


@jitable
def gamma_slope(shape: float, x: float) -> float:
    """How fast the envelope of Gamma(shape) beyond x falls; only positive slopes give an envelope."""
    # With shape < 1 the density's logarithm is convex, but x^(shape - 1) falls: exp(-x) alone bounds it.
    return 1.0 - max(shape - 1.0, 0.0) / x


@jitable
def log_gamma_mass(shape: float, x: float) -> float:
    """Envelope f(x) exp(-slope (y - x)) of Gamma(shape, rate 1) beyond x > 0."""
    slope = gamma_slope(shape, x)
    if slope <= 0.0:
        return NOT_SMALL
    return log_gamma_density(shape, x) - math.log(slope)


@jitable
def gamma_proposal(rng: Rng, shape: float, x: float) -> float:
    """One thinned draw of a Gamma(shape, rate 1) beyond x, where `gamma_slope` is positive."""
    beyond = exponential(rng) / gamma_slope(shape, x)
    falls = (shape - 1.0) * math.log1p(beyond / x) - max(shape - 1.0, 0.0) * beyond / x
    return x + beyond if exponential(rng) >= -falls else math.nan


@jitable
def log_gamma_low_mass(shape: float, x: float) -> float:
    """Envelope f(x) (y/x)^(shape - x - 1) of Gamma(shape, rate 1) below x."""
    if x >= shape:
        return NOT_SMALL
    return log_gamma_density(shape, x) + math.log(x / (shape - x))


@jitable
def gamma_low_proposal(rng: Rng, shape: float, x: float) -> float:
    """One thinned draw of a Gamma(shape, rate 1) below x < shape."""
    fall = exponential(rng) / (shape - x)
    share = math.exp(-fall)
    # f(y) / (f(x) (y/x)^(shape - x - 1)) = exp(x - y + x ln(y/x)), y = x share
    return x * share if exponential(rng) >= x * (share - 1.0 + fall) else math.nan


@jitable
def beta_power(a: float, b: float, rest: float) -> float:
    """The power p of the envelope of Beta(a, b) above 1 - rest; only p > 0 gives an envelope."""
    return b - max(a - 1.0, 0.0) * rest / (1.0 - rest)


@jitable
def log_beta_mass(a: float, b: float, rest: float) -> float:
    """Envelope f(x) ((1 - y)/rest)^(p - 1) of Beta(a, b) above x = 1 - rest, 0 < rest < 1."""
    power = beta_power(a, b, rest)
    if power <= 0.0:
        return NOT_SMALL
    return log_beta_density(a, b, 1.0 - rest, rest) + math.log(rest / power)


@jitable
def beta_proposal(rng: Rng, a: float, b: float, rest: float) -> float:
    """One thinned draw y of a Beta(a, b) above 1 - rest, where `beta_power` is positive; returns 1 - y."""
    fall = exponential(rng) / beta_power(a, b, rest)
    drawn = rest * math.exp(-fall)
    log_kept = (a - 1.0) * math.log1p((rest - drawn) / (1.0 - rest)) - max(a - 1.0, 0.0) * rest / (1.0 - rest) * fall
    return drawn if exponential(rng) >= -log_kept else math.nan


@jitable
def normal_above(rng: Rng, z: float) -> float:
    """A standard normal given that it exceeds z: below 1/2 by waiting for it, beyond as Robert (1995) does."""
    if z < 0.5:
        x = rng.standard_normal()
        while x < z:
            x = rng.standard_normal()
        return x
    rate = 0.5 * (z + math.sqrt(z * z + 4.0))  # of the exponential that is kept most often
    while True:
        x = z + exponential(rng) / rate
        lost = 0.5 * (x - rate) * (x - rate)
        u = rng.random()
        if u < 1.0 - lost or u < math.exp(-lost):  # mostly without the exponential
            return x
