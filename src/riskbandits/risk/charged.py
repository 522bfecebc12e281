"""The mean-variance with a charge for switching: what `SwitchingAware` passes to the policy it wraps."""

from __future__ import annotations

import math
from typing import NamedTuple

from riskbandits.compiling.jit import always_inline


class ChargedMeanVariance(NamedTuple):
    """The mean-variance, less `weight` times the squared distance from the mean of the reward stream.

    It is never above the mean-variance, so a bound on how often a drawn mean and variance reach a threshold in
    the former holds in the latter too, whatever the weight and the stream.

    >>> ChargedMeanVariance(rho=2.0, weight=0.5, stream=1.0).value(3.0, 0.25)
    3.75
    """

    rho: float
    weight: float
    stream: float

    def value(self, mean: float, variance: float) -> float:
        """The value per remaining step of playing such an arm from now on."""
        distance = mean - self.stream
        return self.rho * mean - variance - self.weight * distance * distance


@always_inline
def weight_at(step: float, horizon: float, arms: int, anytime: bool, power: float) -> float:
    """The charge's weight at a step: t/n, or a guess where n is not known or has passed.

    Up to the horizon it only rises, or as a guess only falls.
    """
    share = step / horizon
    if anytime or share == 0.0 or share > 1.0:
        guessed = 0.25 * min(1.0, math.sqrt(arms / step))
        # What was settled at the end of a horizon is not undone just behind it.
        share = guessed if anytime or share == 0.0 else max(guessed, 1.0 / share)
    return share if power == 1.0 else share**power
