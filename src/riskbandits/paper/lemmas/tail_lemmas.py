"""The lemmas on draws that the proofs of Theorems 1 to 4 rest on, checked on grids: how far each is from failing.

Margins are differences of logarithms of what is claimed to be the smaller and the larger side; negative means that the
lemma fails. m and v are the sample mean and variance of an arm after s pulls, s_1^2 and mu_1 the best arm's true ones,
and the level that a draw must reach is MV_1 - (1 + rho) eps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product

import numpy as np

from riskbandits.numerics import divergences
from riskbandits.paper.lemmas.probability_bounds import precise_probability
from riskbandits.theory.expected_waits import expected_wait, log_draw_above

VARIANCES, RHOS, EPSILONS = (0.05, 1.0), (0.1, 10.0), (0.01, 0.1)
COUNTS = (1, 2, 5, 20, 100)
ABOVE, BELOW = np.array([0.01, 0.3, 2.0]), np.array([0.0, 0.5, 0.999])

_h = np.vectorize(divergences.h, otypes=[float])
_d = np.vectorize(divergences.bernoulli_divergence, otypes=[float])


@lru_cache(maxsize=8)
def pulls_bound(variances: tuple[float, float], gaps: tuple[float, float], rho: float, horizon: int) -> float:
    """Lemma 2 for MVTS and two arms, the best one first: what it allows the wrong arm, with eps a quarter of the gap.

    That is 1 + sum_s E[1/G_1s - 1] + sum_s P(G_2s > 1/n), G_is the chance that arm i is drawn above the level after s
    pulls; `gaps` are those of the mean-variances and of the means. Both terms are computed on a grid of s (the second
    over quantiles of the sample's mean and variance) and interpolated.
    """
    from scipy import special

    epsilon = 0.25 * gaps[0] / (1.0 + rho)
    steps = np.unique(np.geomspace(1, min(horizon, 4000), 16).astype(int))
    shares = (np.arange(12) + 0.5) / 12.0
    waits, likely = [], []
    for pulls in steps.tolist():
        waits.append(expected_wait("MVTS", variances[0], rho, pulls, epsilon))
        offsets = -gaps[1] + np.sqrt(variances[1] / pulls) * special.ndtri(shares)
        sample = variances[1] / pulls * special.chdtri(pulls - 1.0, shares) if pulls > 1 else np.zeros(1)
        found = log_draw_above("MVTS", offsets, sample, variances[0], rho, pulls, epsilon)
        likely.append(float((found > -np.log(horizon)).mean()))
    every = np.arange(1, min(horizon, 4000) + 1)
    return float(1.0 + np.interp(every, steps, waits).sum() + np.interp(every, steps, likely).sum())


@lru_cache(maxsize=64)
def mvts_upper_tail(counts: Iterable[int] = COUNTS, short: bool = True) -> float:
    """Lemma S-3: P(drawn value >= level | m, v) <= exp(-s/2 (mu_1 - m - eps)^2) + exp(-s h(v/(s_1^2 + eps))).

    `short`: for sample means below mu_1 - eps and sample variances above s_1^2 + eps, as a tail bound asks for;
    otherwise for sample means between mu_1 - eps and mu_1, which the lemma includes.
    """
    margins = []
    for variance, rho, epsilon, pulls in _grid(counts):
        offsets = -epsilon - ABOVE if short else -epsilon * np.array([0.9, 0.5, 0.1])
        sample = (variance + epsilon) * (1.0 + ABOVE)
        mean_part = -0.5 * pulls * (offsets + epsilon)[:, None] ** 2
        variance_part = -pulls * _h(sample / (variance + epsilon))[None, :]
        bound = np.logaddexp(mean_part, variance_part)
        margins.append(bound - log_draw_above("MVTS", offsets, sample, variance, rho, pulls, epsilon))
    return float(min(map(np.min, margins)))


@lru_cache(maxsize=64)
def mvts_lower_tail(high_variance: bool, high_mean: bool, counts: Iterable[int] = COUNTS) -> float:
    """Lemma 3 (S-4), one of its four cases: whether v >= s_1^2 and whether m > mu_1.

    The bounds are P(1/tau <= s_1^2 + eps), or 1/2 of it where v is small, times P(theta >= mu_1 - eps), or 1/2 where m
    is large: that is, 1/4 if v is small and m large.
    """
    from scipy import special

    margins = []
    for variance, rho, epsilon, pulls in _grid(counts):
        offsets = ABOVE if high_mean else -ABOVE
        sample = variance * (1.0 + ABOVE) if high_variance else variance * BELOW
        drawn_mean = special.log_ndtr((offsets + epsilon) * np.sqrt(pulls))
        with np.errstate(divide="ignore"):
            precise = np.log(precise_probability(pulls, sample, variance + epsilon))
        mean_part = np.full(len(offsets), np.log(0.5)) if high_mean else drawn_mean
        variance_part = precise if high_variance else np.full(len(sample), np.log(0.5))
        bound = mean_part[:, None] + variance_part[None, :]
        margins.append(log_draw_above("MVTS", offsets, sample, variance, rho, pulls, epsilon) - bound)
    return float(np.nanmin([np.nanmin(one) for one in margins]))


def mts_upper_tail(short: bool = True, counts: Iterable[int] = COUNTS) -> float:
    """Lemma S-6: P(drawn value >= level | m) <= exp(-s (MV_1 - rho m - (1 + rho) eps)^2/(2 rho^2)).

    `short`: for rho m below the level, as a tail bound asks for; otherwise above it, which the lemma includes.
    """
    margins = []
    for variance, rho, epsilon, pulls in _grid(counts):
        shortfall = rho * ABOVE * (1.0 if short else -1.0)  # of rho m, below the level
        offsets = (-variance - (1.0 + rho) * epsilon - shortfall) / rho
        probability = log_draw_above("MTS", offsets, 0.0, variance, rho, pulls, epsilon)
        margins.append(-0.5 * pulls * (shortfall / rho)[:, None] ** 2 - probability)
    return float(min(map(np.min, margins)))


def mts_lower_tail(averaged: bool, counts: Iterable[int] = COUNTS) -> float:
    """Lemma S-7: P(drawn value >= level | m) >= 1/4 if m > mu_1, and 1/2 P(theta >= mu_1 - eps) otherwise.

    `averaged`: over the sample variance, as it is proved: by P(v <= s_1^2 + eps) >= 1/2. Otherwise given the sample
    variance, which is part of the history on which the proof conditions, here twice the true one.
    """
    from scipy import special

    margins = []
    for variance, rho, epsilon, pulls in _grid(counts):
        drawn_mean = special.log_ndtr(np.sqrt(pulls) * (np.concatenate([-ABOVE, ABOVE]) + epsilon))
        bound = np.where(np.arange(2 * len(ABOVE)) < len(ABOVE), np.log(0.5) + drawn_mean, np.log(0.25))
        if averaged:
            inside = special.chdtr(pulls - 1.0, pulls * (1.0 + epsilon / variance)) if pulls > 1 else 1.0
            found = drawn_mean + np.log(inside)
        else:
            offsets = np.concatenate([-ABOVE, ABOVE])
            found = log_draw_above("MTS", offsets, 2.0 * variance, variance, rho, pulls, epsilon)[:, 0]
        margins.append(found - bound)
    return float(min(map(np.min, margins)))


def vts_upper_tail(averaged: bool, horizon: int = 10_000) -> float:
    """Lemma S-9: P(drawn value >= level | v) <= 1/(2n) + exp(-s h(v/(s_1^2 + eps))) for s above
    2 s_i^2 ln(2n)/(Gamma - eps)^2.

    `averaged`: over the sample mean, as it is proved. Otherwise given the sample mean, which is part of the history on
    which the proof conditions, here so high that the drawn variance need not be small.
    """
    from scipy import special

    margins = []
    for variance, rho, epsilon, gap in product(VARIANCES, RHOS, EPSILONS, (0.5, 2.0)):
        own = np.minimum(1.0, (variance + epsilon) * (1.0 + ABOVE))
        own = own[own > variance + epsilon]
        for spread in own:
            pulls = int(2.0 * spread * np.log(2.0 * horizon) / (gap - epsilon) ** 2) + 1
            room = variance + epsilon
            precise = np.log(precise_probability(pulls, spread, room))
            if averaged:
                misled = special.log_ndtr(-(gap - epsilon) * np.sqrt(pulls / spread))
                found = np.logaddexp(misled, precise)
            else:
                offset = -epsilon + 0.5 * np.sqrt(spread / pulls) + spread / rho
                found = float(log_draw_above("VTS", offset, spread, variance, rho, pulls, epsilon)[0, 0])
            margins.append(np.logaddexp(-np.log(2.0 * horizon), -pulls * float(_h(spread / room))) - found)
    return float(min(margins))


def bmvts_upper_tail(count: int, as_printed: bool = True) -> float:
    """Lemma S-12: P(drawn value >= MV_1 - eps | m) <= exp(-s d(x - sqrt(eps), m/s)) + exp(-s d(y + sqrt(eps), m/s)).

    For m/s between the two; with the arguments of d in the other order (`as_printed=False`) it is Chernoff's bound.
    """
    margins = []
    for rho, best, epsilon in product((0.1, 0.2, 0.5), (0.5, 0.7, 0.9), (0.001, 0.01)):
        reach = abs(1.0 - rho - 2.0 * best)
        upper, lower = 0.5 * (1.0 - rho + reach) - epsilon**0.5, 0.5 * (1.0 - rho - reach) + epsilon**0.5
        share = np.arange(1, count) / count
        share = share[(share > lower) & (share < upper)]
        if upper >= 1.0 or not len(share):
            continue
        found = _drawn_outside(share * count, count, rho, best, epsilon)
        bound = np.full(len(share), -np.inf)
        for root in (upper, lower):
            if root > 0.0:
                pair = (np.full(len(share), root), share)
                bound = np.logaddexp(bound, -count * _d(*(pair if as_printed else pair[::-1])))
        margins.append(np.min(bound - found))
    return float(min(margins))


def bmvts_lower_tail(above: bool, as_printed: bool = True, counts: Iterable[int] = (5, 20, 100)) -> float:
    """Lemma S-13: P(drawn value >= MV_1 - eps | m) >= F_(s+1, y~)(m) if 1 - rho - 2 p_1 < 0, and 1 less that otherwise.

    The first case (`above`) is proved with the upper root x~ in place of the lower one, y~ (`as_printed=False`).
    """
    from scipy import special

    margins = []
    for count, rho, epsilon in product(counts, (0.1, 0.2, 0.5), (0.001, 0.01)):
        best = 0.5 * (1.0 - rho) + (0.15 if above else -0.15)
        upper, lower = _roots(rho, best, epsilon)
        successes = np.arange(count + 1)
        found = np.exp(_drawn_outside(successes, count, rho, best, epsilon))
        root = max(lower, 0.0) if as_printed or not above else upper
        below = special.bdtr(successes, count + 1, root)
        margins.append(np.min(found - (below if above else 1.0 - below)))
    return float(min(margins))


def _drawn_outside(successes: np.ndarray, count: int, rho: float, best: float, epsilon: float) -> np.ndarray:
    """Ln P(theta is not between the roots), theta ~ Beta(1 + successes, 1 + failures)."""
    from scipy import special

    upper, lower = _roots(rho, best, epsilon)
    shapes = 1.0 + successes, 1.0 + count - successes
    below = special.betainc(*shapes, lower) if lower > 0.0 else 0.0
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(special.betaincc(*shapes, min(upper, 1.0)) + below))


def _roots(rho: float, best: float, epsilon: float) -> tuple[float, float]:
    """x~ and y~: the success probabilities that are worth MV_1 - eps."""
    half = np.sqrt((1.0 - rho) ** 2 + 4.0 * (best**2 - best * (1.0 - rho) - epsilon))
    return 0.5 * (1.0 - rho + half), 0.5 * (1.0 - rho - half)


def _grid(counts: Iterable[int]) -> Iterator[tuple[float, float, float, int]]:
    return product(VARIANCES, RHOS, EPSILONS, counts)
