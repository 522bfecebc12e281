"""What a risk measure is: a record with `value`, and the optional methods whose defaults are defined here.

    value(mean, variance) -> float    the value of a Gaussian with these moments; the larger, the better

A measure with this method alone is a function of mean and variance, for rewards of every kind. Any other has as well

    sample_value(values, weights) -> float
        the value of a weighted sample: two arrays of one length, values ascending, weights >= 0 with a positive sum
        (not always 1). It is what policies with a history call, and what values rewards of 0 and 1 and every
        discrete distribution.

Everything below is optional:

    exact_value(distribution) -> float
        the value of an arm's true distribution (`riskbandits.arms.distribution`), in plain Python. Without it
        `sample_value` is given a fine grid of quantiles: good to about 1e-6 of the rewards' spread where measure and
        distribution are smooth, and to 1e-3 where one of them jumps.
    influence(values, weights) -> array
        the influence function of `sample_value` at each value of a weighted sample (weights > 0): how fast the value
        changes when weight is moved there. In plain Python. `evaluate` makes intervals of it; without it, and for
        measures that jump, it resamples.
    sample_bounds(lows, highs, weights) -> least, largest
        bounds for the value when the mass weights[i] lies anywhere between lows[i] and highs[i] (lows and highs
        ascending). Policies with long histories then draw only what can change a decision. Without it they draw
        everything.
    tail_share() -> float
        the share of the lowest mass that determines the value (default 1: all of it). What lies above is then
        drawn as one number.
    lipschitz_constant() -> float
        a C with |value(F) - value(G)| <= C W(F, G) for any two distributions, W the integral of |F - G| (their
        Wasserstein distance of order 1). `CoherentUCB` needs it.
    admits(mean, variance) -> bool
        whether an arm meets a condition that the measure sets (default yes); those that do are worth more than all
        others, and `identify` may find that none does. In plain Python.
    charges_switching() -> bool
        whether regret is that of the whole reward stream (default no). Only for measures of the form
        rho mean - variance, whose `value` follows the rewards when they are all shifted.

`value`, `sample_value`, `sample_bounds`, `tail_share` and `lipschitz_constant` are compiled when a policy calls them:
`math`, the record's own fields, the arrays, and the helpers of `riskbandits.numerics`; no allocation.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from riskbandits.compiling.jit import by_method, jitable, optional_method
from riskbandits.core.user_calls import guarded, name_of, real, truth
from riskbandits.numerics import weighted_samples

if TYPE_CHECKING:
    import numpy as np

    from riskbandits.types import Cells, RiskMeasure

RISK_METHODS = ("value",)

TWO_POINT_CELLS = 4  # scratch that `binary_value` needs


def _value_of_moments(risk: RiskMeasure, values: np.ndarray, weights: Cells) -> float:
    mean = weighted_samples.mean(values, weights)
    return risk.value(mean, weighted_samples.variance(values, weights, mean))


def _no_bounds(risk: RiskMeasure, lows: Cells, highs: Cells, weights: Cells) -> tuple[float, float]:
    return -math.inf, math.inf


def _everything(risk: RiskMeasure) -> float:
    return 1.0


@jitable
def binary_value_of_sample(risk: Any, p: float, scratch: Any) -> float:
    """The value of a reward that is 1 with probability p and 0 otherwise, for a measure of samples."""
    scratch[0] = 0.0
    scratch[1] = 1.0
    scratch[2] = 1.0 - p
    scratch[3] = p
    return risk.sample_value(scratch[0:2], scratch[2:4])


@jitable
def binary_value_of_moments(risk: RiskMeasure, p: float, scratch: Any) -> float:
    """The same, for a measure of mean and variance."""
    return risk.value(p, p * (1.0 - p))


sample_value = optional_method("sample_value", _value_of_moments)
sample_bounds = optional_method("sample_bounds", _no_bounds)
tail_share = optional_method("tail_share", _everything)
# The value of Bernoulli rewards: (risk, p, an array with TWO_POINT_CELLS cells to write to).
binary_value = by_method("sample_value", binary_value_of_sample, binary_value_of_moments)


def is_of_moments(risk: RiskMeasure) -> bool:
    """Whether the measure is a function of mean and variance, whatever the distribution."""
    return not hasattr(risk, "sample_value")


def charges_switching(risk: Any) -> bool:
    """Whether regret is that of the whole reward stream, with a switching term for mixing arms with other means."""
    return truth(risk, "charges_switching")


def gaussian_value(risk: Any, mean: float, variance: float) -> float:
    """The value of a Gaussian with these moments, or a sentence about `value`; NaN and infinity pass."""
    name = name_of(risk, "value")
    return real(name, guarded(name, risk.value, mean, variance), finite=False, nan=True)
