"""The mean-variance with a charge for switching: what `SwitchingAware` hands to the policy inside it."""

from __future__ import annotations

from typing import NamedTuple


class ChargedMeanVariance(NamedTuple):
    """The mean-variance, less `weight` times the squared distance from the mean of the reward stream.

    It is never above the mean-variance, so a bound on how often a drawn mean and variance reach a threshold in
    that one holds in this one too, whatever weight and stream become.

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
