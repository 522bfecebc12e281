"""Bounds for `BMVTS`: tails of rho x - x (1 - x) for x ~ Beta(a, b), the value of a Bernoulli arm
with a drawn success probability.

The value is a parabola with its lowest point at h = (1 - rho)/2, so it reaches a threshold c beyond one of two roots,
h + r and h - r with r^2 = h^2 + c: the tail is a union of two tails of the beta law. A leader dips below its floor
between two such roots, which one tail on its side of h contains.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from riskbandits.compiled import function, inlined
from riskbandits.statistics.tails import beta_proposal, log_beta_mass, probability
from riskbandits.statistics.tallies import PULLS, SUCCESSES
from riskbandits.statistics.variates import exponential

ABOVE, BELOW, MASS_ABOVE, MASS_BELOW = range(4)  # cells of a tail: distances of the roots from 1 and 0, their masses
FLOOR, SIDE, BORDER, LOWEST_SHARE, LOG_MASS = range(5)  # cells of a watch
MARGIN = 0.5  # how far, in deviations, the estimate may move before the bound must be renewed
LEAST_DISTANCE = (
    2.0  # in pulls, between estimate and border: from here on the bound falls with every pull (see `watch`)
)


class BMVTSBounds(NamedTuple):
    """For scores rho x - x (1 - x) with the draws of `BMVTS`; its methods are those of `envelopes.contract`."""

    successes_prior: float
    failures_prior: float

    def watch(self, state: Any, k: int, risk: Any, deviations: float, cells: Any) -> tuple[float, float]:
        """A floor below which the arm's score seldom falls, and a bound on how often."""
        a, b = beta_parameters(state, k, self.successes_prior, self.failures_prior)
        bound = watch(a, b, risk.rho, deviations, cells, k)
        if cells[k, FLOOR] == -math.inf:
            return -math.inf, bound
        theta = at_floor(cells, k)
        return risk.value(theta, theta * (1.0 - theta)), bound

    def steady(self, state: Any, k: int, risk: Any, cells: Any) -> bool:
        """Whether that bound holds after what was learnt since."""
        a, b = beta_parameters(state, k, self.successes_prior, self.failures_prior)
        return (a if cells[k, SIDE] > 0.0 else b) >= cells[k, LOWEST_SHARE] * (a + b)

    def draw_dip(self, state: Any, k: int, risk: Any, cells: Any, rng: Any) -> float:
        """A score below the floor, or NaN."""
        a, b = beta_parameters(state, k, self.successes_prior, self.failures_prior)
        return dip(a, b, risk.rho, cells, k, rng)

    def tail(self, state: Any, k: int, threshold: float, risk: Any, cells: Any) -> float:
        """A bound on the probability that the arm's score reaches the threshold."""
        a, b = beta_parameters(state, k, self.successes_prior, self.failures_prior)
        return mass(a, b, risk.rho, threshold, cells, k)

    def draw_above(self, state: Any, k: int, threshold: float, risk: Any, cells: Any, rng: Any) -> float:
        """A score that reaches the threshold, or NaN."""
        a, b = beta_parameters(state, k, self.successes_prior, self.failures_prior)
        theta = proposal(a, b, cells, k, rng)
        score = risk.value(theta, theta * (1.0 - theta))
        return score if score >= threshold else math.nan


@inlined
def beta_parameters(state: Any, k: int, successes_prior: float, failures_prior: float) -> tuple[float, float]:
    """The parameters of the Beta posterior."""
    return successes_prior + state[k, SUCCESSES], failures_prior + state[k, PULLS] - state[k, SUCCESSES]


@function
def value(x: float, rho: float) -> float:
    """The mean-variance rho x - x (1 - x)."""
    return rho * x - x * (1.0 - x)


@function
def mass(a: float, b: float, rho: float, c: float, cells: Any, k: int) -> float:
    """A bound on the probability that the value reaches c; fills row k of `cells` for `proposal`."""
    h = 0.5 * (1.0 - rho)
    square = h * h + c
    if not square > 0.0:
        return 1.0
    root = math.sqrt(square)
    cells[k, ABOVE] = 1.0 - h - root
    cells[k, BELOW] = h - root
    cells[k, MASS_ABOVE] = tail_mass(a, b, cells[k, ABOVE])
    cells[k, MASS_BELOW] = tail_mass(b, a, cells[k, BELOW])
    return min(1.0, cells[k, MASS_ABOVE] + cells[k, MASS_BELOW])


@function
def tail_mass(a: float, b: float, rest: float) -> float:
    """A bound on P(x >= 1 - rest), also where the border is outside the unit interval."""
    if rest <= 0.0:
        return 0.0
    if rest >= 1.0:
        return 1.0
    return probability(log_beta_mass(a, b, rest))


@function
def proposal(a: float, b: float, cells: Any, k: int, rng: Any) -> float:
    """One thinned draw of an x with a value beyond the threshold, from the tails in row k of `cells`, or NaN."""
    if rng.random() * (cells[k, MASS_ABOVE] + cells[k, MASS_BELOW]) < cells[k, MASS_ABOVE]:
        return 1.0 - beta_proposal(rng, a, b, cells[k, ABOVE])
    return beta_proposal(rng, b, a, cells[k, BELOW])


@function
def watch(a: float, b: float, rho: float, z: float, cells: Any, k: int) -> float:
    """Choose a floor about z deviations down and bound the probability of a value below it. Fills row k of `cells`.

    On the side of h where small x are bad, with n = a + b and the border at x: the envelope of P(Beta(a, b) < x)
    falls in n for fixed a/n, and in a/n for fixed n, once a - n x >= 2 and a, b >= 1 (differentiate Stirling's form).
    So the mass at a somewhat smaller a/n bounds it while the estimate stays above that. The other side is its mirror.
    """
    n = a + b
    h = 0.5 * (1.0 - rho)
    side = 1.0 if a >= h * n else -1.0
    good = (a if side > 0.0 else b) / n  # the estimate, or its mirror image
    deviation = math.sqrt(a * b / (n * n * (n + 1.0)))
    lowest = good - MARGIN * deviation
    border = lowest - z * deviation
    middle = h if side > 0.0 else 1.0 - h
    cells[k, FLOOR] = -math.inf
    if not border > max(middle, 0.0) or min(a, b) < 1.0:
        return 1.0
    cells[k, SIDE] = side
    cells[k, BORDER] = border
    cells[k, LOWEST_SHARE] = lowest
    cells[k, FLOOR] = value(at_floor(cells, k), rho)
    rest = (1.0 - lowest) * n
    if n * (lowest - border) < LEAST_DISTANCE or rest < 1.0:
        return 1.0
    cells[k, LOG_MASS] = log_beta_mass(rest, lowest * n, border)
    return probability(cells[k, LOG_MASS])


@function
def at_floor(cells: Any, k: int) -> float:
    """The x whose value is the floor in row k of `cells`."""
    return cells[k, BORDER] if cells[k, SIDE] > 0.0 else 1.0 - cells[k, BORDER]


@function
def dip(a: float, b: float, rho: float, cells: Any, k: int, rng: Any) -> float:
    """One thinned draw of a value below the floor, or NaN, at a step at which the clock of mass `watch` rings."""
    right = cells[k, SIDE] > 0.0
    good = a if right else b
    bad = b if right else a
    border = cells[k, BORDER]
    if exponential(rng) < cells[k, LOG_MASS] - log_beta_mass(bad, good, border):
        return math.nan
    drawn = beta_proposal(rng, bad, good, border)
    score = value(drawn if right else 1.0 - drawn, rho)
    return score if score < cells[k, FLOOR] else math.nan
