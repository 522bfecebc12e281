"""Draws of mean and variance as Zhu & Tan (2020) make them: independent of each other."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskbandits.compiling.jit import always_inline
from riskbandits.numerics.moments import COUNT, MEAN, SQUARES, unbiased
from riskbandits.numerics.variates import gamma

if TYPE_CHECKING:
    from riskbandits.types import Rng, State


@always_inline
def drawn_mean(state: State, k: int, rng: Rng) -> float:
    """Theta ~ N(m, 1/T)."""
    return state[k, MEAN] + rng.standard_normal() / math.sqrt(state[k, COUNT])


@always_inline
def drawn_variance(state: State, k: int, shape: float, rate: float, rng: Rng) -> float:
    """1/tau with tau ~ Gamma(shape + T/2, rate + S/2)."""
    return (rate + 0.5 * state[k, SQUARES]) / gamma(rng, shape + 0.5 * state[k, COUNT])


@always_inline
def unbiased_draw(state: State, k: int, shape: float, rate: float, rng: Rng) -> float:
    """The same with T/(T - 1) S in place of S: T times the unbiased sample variance."""
    squares = unbiased(state, k) * state[k, SQUARES]
    return (rate + 0.5 * squares) / gamma(rng, shape + 0.5 * state[k, COUNT])


@always_inline
def gamma_parameters(state: State, k: int, shape: float, rate: float) -> tuple[float, float]:
    """Shape and rate of that Gamma distribution."""
    return shape + 0.5 * state[k, COUNT], rate + 0.5 * state[k, SQUARES]
