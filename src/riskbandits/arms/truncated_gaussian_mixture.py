"""Arms whose rewards are a mixture of Gaussians that are limited to an interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from riskbandits.arms.gaussian_mixture import Mixture, drawn_part, unfit_tables
from riskbandits.arms.truncated_gaussian import TruncatedNormal, truncated_normal, unfit_interval
from riskbandits.core.records import ArmNames, NonNegativeTable, Numbers, NumberTable, PositiveTable, unequal_lengths

if TYPE_CHECKING:
    from riskbandits.types import Rng


class TruncatedGaussianMixtureArms(NamedTuple):
    """Arm k pays a Gaussian limited to `lows[k]`..`highs[k]`, chosen among several by weights[k][j].

    Use it for bounded rewards with several modes: for example harvests that are good in most years and fail in some.
    Part j is N(locations[k][j], scales[k][j]^2) given that it lies in the interval. Every arm has the same number of
    parts; a weight of 0 leaves one out.

    >>> arms = TruncatedGaussianMixtureArms([[0.9, 0.1]], [[0.6, 0.1]], [[0.1, 0.05]], lows=[0.0], highs=[1.0])
    >>> round(arms.mean(0), 4), round(arms.variance(0), 4)
    (0.5503, 0.0315)
    """

    weights: NonNegativeTable
    locations: NumberTable
    scales: PositiveTable
    lows: Numbers
    highs: Numbers
    names: ArmNames = ""

    def draw(self, k: int, rng: Rng) -> float:
        part = drawn_part(self.weights, k, rng)
        location, scale = self.locations[k, part], self.scales[k, part]
        z = truncated_normal((self.lows[k] - location) / scale, (self.highs[k] - location) / scale, rng.random())
        return min(max(location + scale * z, self.lows[k]), self.highs[k])

    def mean(self, k: int) -> float:
        return self.distribution(k).mean

    def variance(self, k: int) -> float:
        return self.distribution(k).variance

    def size(self) -> int:
        return len(self.weights)

    def distribution(self, k: int) -> Mixture:
        pairs = zip(self.locations[k], self.scales[k], strict=True)
        parts = [TruncatedNormal(location, scale, self.lows[k], self.highs[k]) for location, scale in pairs]
        return Mixture(parts, [float(w) for w in self.weights[k]])

    def invalid(self) -> tuple[str, str, object] | None:
        """Tables of one shape, some weight in every row, and intervals within reach of every part."""
        if refusal := unequal_lengths(self) or unfit_tables(self, ("locations", "scales")):
            return refusal
        for k in range(len(self.weights)):
            for location, scale in zip(self.locations[k], self.scales[k], strict=True):
                if refusal := unfit_interval(self, k, location, scale):
                    return refusal
        return None
