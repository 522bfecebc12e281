"""Comparing two sets of runs: means, quantiles and distributions, with tolerances from standard errors."""

from __future__ import annotations

import numpy as np
from scipy import stats

STANDARD_ERRORS = 4.0
P_VALUE = 1e-4
QUANTILES = (0.05, 0.5, 0.95)


def mean_distance(a, b) -> float:
    """How many standard errors the means are apart."""
    error = np.sqrt(a.var(ddof=1) / len(a) + b.var(ddof=1) / len(b))
    difference = abs(a.mean() - b.mean())
    if error == 0.0:
        return 0.0 if np.isclose(difference, 0.0, atol=1e-9 * (1 + abs(a.mean()))) else np.inf
    return difference / error


def quantile_distance(a, b, q: float) -> float:
    """How many standard errors the share of `b` below the quantile of `a` is from its share in `a`.

    Shares rather than quantiles: their standard error needs no density, and ties (counts) do no harm.
    """
    cut = np.quantile(a, q)
    distances = []
    for below in (np.less, np.less_equal):
        p, r = below(a, cut).mean(), below(b, cut).mean()
        pooled = (p * len(a) + r * len(b)) / (len(a) + len(b))
        error = np.sqrt(pooled * (1 - pooled) * (1 / len(a) + 1 / len(b)))
        distances.append(0.0 if p == r else abs(p - r) / error)
    return max(distances)


def rounded(a, b):
    """Both samples to nine digits: equal values computed in two ways must tie."""
    unit = max(np.abs(a).max(), np.abs(b).max(), 1e-300) * 1e-9
    return np.round(a / unit) * unit, np.round(b / unit) * unit


def complaints(name: str, a, b) -> list[str]:
    """What differs between two samples of one quantity, in words; empty if nothing does."""
    a, b = rounded(a, b)
    found = []
    if (distance := mean_distance(a, b)) > STANDARD_ERRORS:
        found.append(f"{name}: means {a.mean():.6g} and {b.mean():.6g} are {distance:.1f} standard errors apart")
    for q in QUANTILES:
        if (distance := quantile_distance(a, b, q)) > STANDARD_ERRORS:
            found.append(f"{name}: the {q:.0%} quantile is {distance:.1f} standard errors off")
    if len(np.unique(np.concatenate([a, b]))) > 50 and (p := stats.ks_2samp(a, b).pvalue) < P_VALUE:
        found.append(f"{name}: distributions differ, p = {p:.2g}")
    return found
