"""Quantiles of the chi-square distribution, with `math` alone."""

from __future__ import annotations

import math

from riskbandits.compiling.jit import jitable
from riskbandits.numerics.normal import normal_quantile
from riskbandits.numerics.special import log_gamma_density
from riskbandits.numerics.tails import low_gamma_share

# From this shape on Wilson and Hilferty's cube, the first guess below it, is good to 1e-9.
LARGE = 2e5
MOST_TERMS, MOST_STEPS = 20_000, 20
TINY = 1e-300
CLOSE = 1e-15


@jitable
def gamma_masses(shape: float, x: float) -> tuple[float, float]:
    """P(X <= x) and P(X > x) for X ~ Gamma(shape, rate 1), x > 0."""
    scale = x * math.exp(log_gamma_density(shape, x))
    if x < shape + 1.0:
        term = 1.0 / shape
        total = term
        for n in range(1, MOST_TERMS):
            term *= x / (shape + n)
            total += term
            if term < CLOSE * total:
                break
        return scale * total, 1.0 - scale * total
    # The continued fraction of the upper tail, by Lentz's method.
    b = x + 1.0 - shape
    c = 1.0 / TINY
    d = 1.0 / b
    fraction = d
    for n in range(1, MOST_TERMS):
        a = -n * (n - shape)
        b += 2.0
        d = a * d + b
        c = b + a / c
        d = 1.0 / (d if abs(d) > TINY else TINY)
        c = c if abs(c) > TINY else TINY
        fraction *= c * d
        if abs(c * d - 1.0) < CLOSE:
            break
    return 1.0 - scale * fraction, scale * fraction


@jitable
def chi_square_quantile(p: float, freedom: float) -> float:
    """What a chi-square variable with so many degrees of freedom (> 0) exceeds with probability 1 - p."""
    shape = 0.5 * freedom
    x = max(shape * low_gamma_share(shape, -normal_quantile(p)), 1e-3 * shape * p)
    if shape < LARGE:
        for _ in range(MOST_STEPS):
            # Newton's steps for the logarithm of the smaller mass, which is concave.
            below, above = gamma_masses(shape, x)
            excess = math.log(below / p) * below if p < 0.5 else -math.log(above / (1.0 - p)) * above
            step = excess * math.exp(-log_gamma_density(shape, x))
            x = max(0.1 * x, x - step)
            if abs(step) < 1e-13 * x:
                break
    return 2.0 * x
