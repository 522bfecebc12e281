"""Bounds for `BMVTS`: tails of rho x - x (1 - x) for x ~ Beta(a, b), the value of an arm with a drawn probability x.

The value is a parabola with its lowest point at h = (1 - rho)/2, so it reaches a threshold c beyond one of two roots, h
+ r and h - r with r^2 = h^2 + c: the tail is a union of two tails of the beta distribution. A leader is below its
floor between two such roots, which one tail on its side of h contains.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.bounds import charged_bounds, regions
from riskbandits.compiling.jit import always_inline, jitable
from riskbandits.numerics.bernoulli_counts import PULLS, SUCCESSES
from riskbandits.numerics.tails import beta_proposal, log_beta_mass, probability
from riskbandits.numerics.variates import exponential

if TYPE_CHECKING:
    from riskbandits.risk.mean_variance import MeanVariance
    from riskbandits.types import Arms, Cells, RiskMeasure, Rng, State

ABOVE, BELOW, MASS_ABOVE, MASS_BELOW = range(4)  # cells of a tail: distances of the roots from 1 and 0, their masses
FLOOR, SIDE, BORDER, LOWEST_SHARE, LOG_MASS = range(5)  # cells of a watch
MARGIN = 0.5  # how far, in deviations, the estimate may move before the bound must be renewed
TANGENTS = 4  # of the charge, of which the best is taken
LEAST_DISTANCE = 2.0  # in pulls, between estimate and border: from here on the bound falls with every pull


class BMVTSBounds(NamedTuple):
    """For scores rho x - x (1 - x) with the draws of `BMVTS`; the methods are those of `bounds.contract`."""

    successes_prior: float
    failures_prior: float

    def watch(self, state: State, k: int, risk: Any, deviations: float, cells: Cells) -> tuple[float, float]:
        """On the side of h where small x are bad, with n = a + b and the border at x; the other side is its mirror.

        The envelope of P(Beta(a, b) < x) falls in n for fixed a/n, and in a/n for fixed n, once a - n x >= 2 and
        a, b >= 1 (differentiate Stirling's form). So the mass at a somewhat smaller a/n bounds it while the estimate
        stays above that.
        """
        a, b = self.posterior(state, k)
        n = a + b
        side = self.side(a, n, risk)
        good = (a if side > 0.0 else b) / n  # the estimate, or its mirror image
        deviation = math.sqrt(a * b / (n * n * (n + 1.0)))
        return self.floor_at(state, k, risk, deviations * deviation, good - MARGIN * deviation, side, cells)

    def lasting_region(
        self, state: State, k: int, risk: Any, deviations: float, cells: Cells, arms: Arms
    ) -> tuple[float, float]:
        a, b = self.posterior(state, k)
        n = a + b
        side = self.side(a, n, risk)
        level = regions.mean_level(a / n, n, arms, k, -side)
        lowest = level if side > 0.0 else 1.0 - level
        cells[k, FLOOR] = -math.inf
        if not math.isfinite(lowest):
            return -math.inf, 1.0
        # The deviation of a sample as bad as the region allows: that of the sample itself is 0 where no reward was bad.
        deviation = math.sqrt(max(a * b / (n * n), lowest * (1.0 - lowest)) / (n + 1.0))
        return self.floor_at(state, k, risk, deviations * deviation, lowest, side, cells)

    @always_inline
    def side(self, a: float, n: float, risk: MeanVariance) -> float:
        """1 where small x are bad, -1 where large ones are."""
        return 1.0 if a >= 0.5 * (1.0 - risk.rho) * n else -1.0

    def floor_at(
        self, state: State, k: int, risk: MeanVariance, depth: float, lowest: float, side: float, cells: Cells
    ) -> tuple[float, float]:
        """Floor and mass for an estimate that stays above `lowest`."""
        a, b = self.posterior(state, k)
        n = a + b
        h = 0.5 * (1.0 - risk.rho)
        border = lowest - depth
        middle = h if side > 0.0 else 1.0 - h
        cells[k, FLOOR] = -math.inf
        if not border > max(middle, 0.0) or min(a, b) < 1.0:
            return -math.inf, 1.0
        theta = border if side > 0.0 else 1.0 - border
        floor = risk.value(theta, theta * (1.0 - theta))
        cells[k, SIDE] = side
        cells[k, BORDER] = border
        cells[k, LOWEST_SHARE] = lowest
        cells[k, FLOOR] = value(theta, risk.rho)
        rest = (1.0 - lowest) * n
        if n * (lowest - border) < LEAST_DISTANCE or rest < 1.0:
            return floor, 1.0
        cells[k, LOG_MASS] = log_beta_mass(rest, lowest * n, border)
        return floor, probability(cells[k, LOG_MASS])

    def steady(self, state: State, k: int, risk: RiskMeasure, cells: Cells) -> bool:
        a, b = self.posterior(state, k)
        return (a if cells[k, SIDE] > 0.0 else b) >= cells[k, LOWEST_SHARE] * (a + b)

    def draw_dip(self, state: State, k: int, risk: MeanVariance, cells: Cells, rng: Rng) -> float:
        score = value(self.drawn_below(state, k, cells, rng), risk.rho)
        return score if score < cells[k, FLOOR] else math.nan  # NaN compares as false

    def drawn_below(self, state: State, k: int, cells: Cells, rng: Rng) -> float:
        """One thinned draw of x on the bad side of the border, or NaN."""
        a, b = self.posterior(state, k)
        right = cells[k, SIDE] > 0.0
        good = a if right else b
        bad = b if right else a
        border = cells[k, BORDER]
        if exponential(rng) < cells[k, LOG_MASS] - log_beta_mass(bad, good, border):
            return math.nan
        drawn = beta_proposal(rng, bad, good, border)
        return drawn if right else 1.0 - drawn

    def tail(self, state: State, k: int, threshold: float, risk: MeanVariance, cells: Cells) -> float:
        return self.tail_of(state, k, threshold, risk.rho, cells)

    def tail_of(self, state: State, k: int, threshold: float, rho: float, cells: Cells) -> float:
        """The same for any rho."""
        a, b = self.posterior(state, k)
        h = 0.5 * (1.0 - rho)
        square = h * h + threshold
        if not square > 0.0:
            return 1.0
        root = math.sqrt(square)
        cells[k, ABOVE] = 1.0 - h - root
        cells[k, BELOW] = h - root
        cells[k, MASS_ABOVE] = tail_mass(a, b, cells[k, ABOVE])
        cells[k, MASS_BELOW] = tail_mass(b, a, cells[k, BELOW])
        return min(1.0, cells[k, MASS_ABOVE] + cells[k, MASS_BELOW])

    def draw_above(self, state: State, k: int, threshold: float, risk: RiskMeasure, cells: Cells, rng: Rng) -> float:
        a, b = self.posterior(state, k)
        if rng.random() * (cells[k, MASS_ABOVE] + cells[k, MASS_BELOW]) < cells[k, MASS_ABOVE]:
            theta = 1.0 - beta_proposal(rng, a, b, cells[k, ABOVE])
        else:
            theta = beta_proposal(rng, b, a, cells[k, BELOW])
        score = risk.value(theta, theta * (1.0 - theta))
        return score if score >= threshold else math.nan

    def charge(
        self,
        state: State,
        k: int,
        risk: MeanVariance,
        least: float,
        most: float,
        low: float,
        high: float,
        deviations: float,
        mass: float,
        cells: Cells,
        arms: Arms,
    ) -> tuple[float, float]:
        """With a weight of at most 1 the charged value is convex too.

        Its slope in x is bilinear in weight and stream. If it points the right way at the border, for all of them, dips
        are where they were.
        """
        right = cells[k, SIDE] > 0.0
        x = cells[k, BORDER] if right else 1.0 - cells[k, BORDER]
        steepest = risk.rho - 1.0 + 2.0 * x
        slopes = (
            steepest + 2.0 * least * (low - x),
            steepest + 2.0 * least * (high - x),
            steepest + 2.0 * most * (low - x),
            steepest + 2.0 * most * (high - x),
        )
        cells[k, charged_bounds.FLOOR] = -math.inf
        if most > 1.0 or not (min(slopes) > 0.0 if right else max(slopes) < 0.0):
            return -math.inf, 1.0
        farthest = max(abs(x - low), abs(x - high))
        cells[k, charged_bounds.FLOOR] = cells[k, FLOOR] - most * farthest * farthest
        return cells[k, charged_bounds.FLOOR], mass

    def charged_dip(self, state: State, k: int, risk: RiskMeasure, cells: Cells, rng: Rng) -> float:
        x = self.drawn_below(state, k, cells, rng)
        score = risk.value(x, x * (1.0 - x))
        return score if score < cells[k, charged_bounds.FLOOR] else math.nan  # NaN compares as false

    def charged_tail(
        self, state: State, k: int, threshold: float, rho: float, weight: float, low: float, high: float, cells: Cells
    ) -> float:
        a, b = self.posterior(state, k)
        mean = a / (a + b)
        far = charged_bounds.away(mean, low, high)
        best = mean
        least = math.inf
        # From the arm's mean to the stream. The tangent at the mean is far off for draws close to the stream, as those
        # are that reach the leader's floor; the one at the stream charges nothing.
        for i in range(TANGENTS):
            at = mean - i * far / (TANGENTS - 1.0)
            tilted, shift = charged_bounds.tangent(at, rho, weight, low, high)
            mass = self.tail_of(state, k, threshold - shift, tilted, cells)
            if mass < least:
                least = mass
                best = at
        tilted, shift = charged_bounds.tangent(best, rho, weight, low, high)
        return self.tail_of(state, k, threshold - shift, tilted, cells)

    def draw_charged(self, state: State, k: int, threshold: float, risk: RiskMeasure, cells: Cells, rng: Rng) -> float:
        return self.draw_above(state, k, threshold, risk, cells, rng)

    @always_inline
    def posterior(self, state: State, k: int) -> tuple[float, float]:
        """The parameters of the Beta distribution."""
        successes = state[k, SUCCESSES]
        return self.successes_prior + successes, self.failures_prior + state[k, PULLS] - successes


@jitable
def value(x: float, rho: float) -> float:
    """The mean-variance rho x - x (1 - x)."""
    return rho * x - x * (1.0 - x)


@jitable
def tail_mass(a: float, b: float, rest: float) -> float:
    """A bound on P(x >= 1 - rest), also where the border is outside the unit interval."""
    if rest <= 0.0:
        return 0.0
    if rest >= 1.0:
        return 1.0
    return probability(log_beta_mass(a, b, rest))
