"""Weighted samples: `values` in ascending order and `weights` >= 0 with a positive sum, which need not be 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.compiling.jit import jitable

if TYPE_CHECKING:
    from riskbandits.types import Cells

ROUNDING = 1e-12  # a cumulative weight this close to a level has reached it


@jitable
def total(weights: Cells) -> float:
    """The sum of the weights."""
    mass = 0.0
    for i in range(weights.shape[0]):
        mass += weights[i]
    return mass


@jitable
def mean(values: np.ndarray, weights: Cells) -> float:
    """The weighted mean."""
    mass = 0.0
    above = 0.0
    origin = values[0]  # sums around a value of the sample: large means do not swallow the differences
    for i in range(values.shape[0]):
        mass += weights[i]
        above += weights[i] * (values[i] - origin)
    return origin + above / mass


@jitable
def variance(values: np.ndarray, weights: Cells, centre: float) -> float:
    """The weighted mean of the squared distances from `centre`: the variance when that is the mean."""
    mass = 0.0
    squares = 0.0
    for i in range(values.shape[0]):
        mass += weights[i]
        squares += weights[i] * (values[i] - centre) * (values[i] - centre)
    return squares / mass


@jitable
def quantile(values: Any, weights: np.ndarray, level: float) -> float:
    """The smallest value up to which at least the share `level` of the weight lies."""
    target = level * (1.0 - ROUNDING) * total(weights)
    mass = 0.0
    for i in range(values.shape[0]):
        mass += weights[i]
        if mass >= target:
            return values[i]
    return values[values.shape[0] - 1]


@jitable
def lower_mean(values: np.ndarray, weights: Cells, level: float) -> float:
    """The mean of the lowest share `level` of the weight; the value on the border counts in part."""
    target = level * total(weights)
    left = target
    origin = values[0]
    above = 0.0
    for i in range(values.shape[0]):
        taken = min(weights[i], left)
        above += taken * (values[i] - origin)
        left -= taken
        if left <= 0.0:
            break
    return origin + above / target


@jitable
def shortfall(values: np.ndarray, weights: Cells, border: float) -> float:
    """The weighted mean of what the values fall short of `border`."""
    mass = 0.0
    short = 0.0
    for i in range(values.shape[0]):
        mass += weights[i]
        short += weights[i] * max(0.0, border - values[i])
    return short / mass


@jitable
def expectile(values: np.ndarray, weights: Cells, level: float) -> float:
    """The m at which a times the mean excess over m is 1 - a times the mean shortfall below it, a <= 1/2 the level.

    Where so many of the lowest values lie below m, it is a weighted mean: each of these weighs 1 - a, the others a.
    """
    origin = values[0]
    mass = 0.0
    above = 0.0
    for i in range(values.shape[0]):
        mass += weights[i]
        above += weights[i] * (values[i] - origin)
    lower_mass = 0.0
    lower = 0.0
    found = 0.0
    size = values.shape[0]
    for i in range(size):
        lower_mass += weights[i]
        lower += weights[i] * (values[i] - origin)
        weighed = level * (mass - lower_mass) + (1.0 - level) * lower_mass
        found = (level * (above - lower) + (1.0 - level) * lower) / weighed
        if i + 1 == size or found <= values[i + 1] - origin:
            break
    return origin + found


@jitable
def moment_box(lows: Cells, highs: Cells, weights: Cells) -> tuple[float, float, float, float]:
    """Bounds for mean and variance when the mass `weights[i]` lies anywhere between `lows[i]` and `highs[i]`.

    The least and the largest mean, the least and the largest variance.
    """
    least = mean(lows, weights)
    largest = mean(highs, weights)
    centre = 0.5 * (least + largest)
    half = 0.5 * (largest - least)
    mass = 0.0
    near = 0.0
    far = 0.0
    for i in range(weights.shape[0]):
        below = centre - lows[i]
        above = highs[i] - centre
        farthest = max(below, above)
        nearest = max(0.0, max(-below, -above))
        mass += weights[i]
        near += weights[i] * nearest * nearest
        far += weights[i] * farthest * farthest
    # The variance is the mean square around any centre, less the squared distance of the mean from it.
    return least, largest, max(0.0, near / mass - half * half), far / mass


def moments_influence(values: np.ndarray, weights: Cells, by_mean: float, by_variance: float) -> np.ndarray:
    """The influence function of a value with these derivatives by mean and variance, at each value of the sample.

    It says how fast the value of the sample changes when weight is moved to that value; its weighted mean is 0.
    """
    away = values - np.average(values, weights=weights)
    squares = away * away
    return by_mean * away + by_variance * (squares - np.average(squares, weights=weights))


def lower_mean_influence(values: np.ndarray, weights: Cells, level: float) -> np.ndarray:
    """The influence function of `lower_mean`: what falls short of the quantile counts 1/level times."""
    reached = np.cumsum(weights) >= level * (1.0 - ROUNDING) * weights.sum()
    border = values[int(np.argmax(reached))] if reached[-1] else values[-1]
    short = np.maximum(0.0, border - values) / level
    return np.average(short, weights=weights) - short
