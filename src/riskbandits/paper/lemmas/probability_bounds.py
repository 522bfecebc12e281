"""The paper's lemmas, checked on grids. Each function returns the worst margin: negative means that it fails.

Margins of tail bounds are differences of logarithms, so that they mean the same in every part of the tail.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from riskbandits.numerics import divergences

_h = np.vectorize(divergences.h, otypes=[float])

SHAPES = (2.0, 2.5, 3.0, 5.0, 10.0, 30.0, 100.0)
QUANTILES = tuple(np.linspace(0.01, 0.999, 60))
COUNTS = (1, 2, 3, 5, 10, 30, 100)
VARIANCES = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0)


def gamma_lower_tail_margin(shapes: Any = SHAPES, points: Any = QUANTILES) -> float:
    """Lemma 4 (S-1): P(X >= x) >= exp(-x)(1 + x)^(shape - 1)/Gamma(shape) for X ~ Gamma(shape, rate 1).

    Points are quantiles of X. The lemma asks for shape >= 2; it fails for 1 < shape < 2, where
    z^(shape - 1) is concave and Jensen's inequality turns round.
    """
    from scipy import special

    shape, x = _shapes_and_points(shapes, points)
    bound = (shape - 1.0) * np.log1p(x) - x - special.gammaln(shape)
    return float(np.min(np.log(special.gammaincc(shape, x)) - bound))


def gamma_upper_tail_margin(shapes: Any = SHAPES, points: Any = QUANTILES) -> float:
    """Lemma 5 (S-2): P(X >= x) <= exp(-2 shape h(x/shape)) for X ~ Gamma(shape, rate 1) and x > shape."""
    from scipy import special

    shape, x = _shapes_and_points(shapes, points)
    shape, x = shape[x > shape], x[x > shape]
    bound = -2.0 * shape * np.asarray(_h(x / shape))
    return float(np.min(bound - np.log(special.gammaincc(shape, x))))


def beta_binomial_error(largest: int = 40) -> float:
    """The largest error of F_Beta(a, b)(y) = 1 - F_Binomial(a + b - 1, y)(a - 1) over whole a, b up to `largest`."""
    from scipy import special

    a, b, y = np.meshgrid(np.arange(1, largest + 1), np.arange(1, largest + 1), np.linspace(0.01, 0.99, 15))
    trials = a + b - 1
    successes = np.arange(2 * largest)[:, None, None, None]
    with np.errstate(invalid="ignore"):
        logs = special.gammaln(trials + 1) - special.gammaln(successes + 1) - special.gammaln(trials - successes + 1)
        terms = np.exp(logs + successes * np.log(y) + (trials - successes) * np.log1p(-y))
    below = np.where(successes <= a - 1, terms, 0.0).sum(axis=0)
    return float(np.max(np.abs(special.betainc(a, b, y) - (1.0 - below))))


def median_margin(counts: Any = COUNTS, variances: Any = VARIANCES, epsilon: float = 0.01) -> float:
    """(S-5): P(1/tau <= s^2 + eps) >= 1/2 when the sample variance is below s^2; the least probability less 1/2.

    tau ~ Gamma((1 + T)/2, (1 + T v)/2) as in Algorithm 3. The rate's 1, which the appeal to the median
    leaves out, makes the claim false for small T: with one pull and s^2 = 0.05 it is exp(-8.3), not 1/2.
    """
    count, variance, share = np.meshgrid(counts, variances, [0.0, 0.5, 0.9, 0.999], indexing="ij")
    return float(np.min(precise_probability(count, share * variance, variance + epsilon)) - 0.5)


def precise_probability(count: Any, sample_variance: Any, limit: Any) -> np.ndarray:
    """P(1/tau <= limit) under MVTS's posterior after `count` pulls with that sample variance."""
    from scipy import special

    rate = 0.5 + 0.5 * np.asarray(count) * sample_variance
    return np.asarray(special.gammaincc(0.5 + 0.5 * np.asarray(count), rate / limit))


def lemma_s10_margin(as_printed: bool = True, count: int = 20, variance: float = 0.25, epsilon: float = 0.01) -> float:
    """Lemma S-10: a lower bound on P(rho m - 1/tau >= MV_1 - (1 + rho) eps), of which two cases are printed.

    As printed the bound is 1/4 where the sample variance exceeds s_1^2; there the probability goes to 0.
    Swapped, so that 1/4 belongs to small sample variances, it holds once T is not small.
    """
    ratios = np.array([0.1, 0.5, 0.9, 1.1, 2.0, 5.0, 10.0])
    precise = precise_probability(count, ratios * variance, variance + epsilon)
    # The event contains {1/tau <= s_1^2 + eps} and {m >= mu_1 - eps}, the second with probability >= 1/2;
    # for rho -> 0 it is the first alone.
    claimed_quarter = ratios > 1.0 if as_printed else ratios <= 1.0
    return float(np.min(precise - np.where(claimed_quarter, 0.25, 0.5 * precise)))


def lemma_s13_margin(as_printed: bool = True, count: int = 40, rho: float = 0.2, best: float = 0.6) -> float:
    """Lemma S-13, case 1 - rho - 2 p_1 < 0: P(drawn value >= MV_1 - eps) >= F_Binomial(s + 1, .)(m).

    The bound is printed with y~ (the lower root) and proved with x~ (the upper one).
    """
    from scipy import special

    epsilon = 0.001
    half = np.sqrt((1.0 - rho) ** 2 + 4.0 * (best**2 - best * (1.0 - rho) - epsilon))
    upper, lower = 0.5 * (1.0 - rho + half), 0.5 * (1.0 - rho - half)
    successes = np.arange(count + 1)
    above = special.betaincc(1.0 + successes, 1.0 + count - successes, upper)
    below = special.betainc(1.0 + successes, 1.0 + count - successes, lower) if lower > 0.0 else 0.0
    root = max(lower, 0.0) if as_printed else upper
    return float(np.min(above + below - special.bdtr(successes, count + 1, root)))


def lemma_1_margin(horizon: int = 1000, deviations: Any = (0.0, 0.25, 0.5, 1.0, 1.5, 2.0)) -> float:
    """Lemma 1 for the policies that strain its proof, exactly: the least slack as a share of 3 sum_i s_i^2.

    The proof takes pulls as independent of sample means. These policies do the opposite: they play arm 1
    for the first m steps and go over to arm 2 if its rewards were `z` standard deviations too high (or, by
    symmetry, too low), which makes Cov(M, D) of the expectation identity as negative as one such choice
    can. Over m, z, the means' distance and arm 2's variance the lemma holds with much to spare.
    """
    first = np.unique(np.geomspace(1, horizon - 1, 25).astype(int))
    distance = np.geomspace(1e-3, 1e2, 60) / np.sqrt(horizon)
    m, z, gamma, variance = np.meshgrid(first, deviations, distance, [0.0, 0.5, 1.0], indexing="ij")
    switch = _normal_tail(z)
    density = np.exp(-0.5 * z**2) / np.sqrt(2.0 * np.pi)
    covariance = -(horizon - m) * gamma * np.sqrt(m) * density  # arm 1 has variance 1
    switching = switch * m * (horizon - m) / horizon * gamma**2
    variance_pulls = m + (horizon - m) * ((1.0 - switch) + switch * variance)
    # E[R] less the printed pseudo-regret, which counts the switching cost twice.
    excess = -switching - variance_pulls / horizon - 2.0 / horizon * covariance
    return float(np.min(1.0 - excess / (3.0 * (1.0 + variance))))


def _normal_tail(z: np.ndarray) -> np.ndarray:
    from scipy import special

    return np.asarray(special.ndtr(-z))


def _shapes_and_points(shapes: Any, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    from scipy import special

    shape, probability = np.meshgrid(np.asarray(shapes, float), np.asarray(points, float), indexing="ij")
    return shape, special.gammaincinv(shape, probability)
