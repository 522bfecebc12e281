"""Each variate and special function of `riskbandits.statistics` against the fastest way that NumPy or SciPy offer.

Ours are called one by one inside a compiled loop, as the simulation does; theirs as one call for many, into an array.
SciPy has no draws from tails, so the rival there is inversion by the special function that fits.
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special, stats

from riskbandits.compiled import entry
from riskbandits.statistics import special as ours_special
from riskbandits.statistics import tails, variates

MANY = 200_000
NANOSECONDS = 1e9


def gamma(rng, n, shape):
    total = 0.0
    for _ in range(n):
        total += variates.gamma(rng, shape)
    return total


def beta(rng, n, a, b):
    total = 0.0
    for _ in range(n):
        total += variates.beta(rng, a, b)
    return total


def exponential(rng, n):
    total = 0.0
    for _ in range(n):
        total += variates.exponential(rng)
    return total


def geometric(rng, n, rate):
    total = 0.0
    for _ in range(n):
        total += variates.geometric(rng, rate)
    return total


def normal_above(rng, n, z):
    total = 0.0
    for _ in range(n):
        total += tails.normal_above(rng, z)
    return total


def gamma_above(rng, n, shape, x):
    total = 0.0
    for _ in range(n):
        total += tails.gamma_above(rng, shape, x)
    return total


def beta_above(rng, n, a, b, rest):
    total = 0.0
    for _ in range(n):
        total += tails.beta_above(rng, a, b, rest)
    return total


def normal_tail(rng, n, z):
    total = 0.0
    for i in range(n):
        total += tails.normal_tail(z + i * 1e-9)
    return total


def log_gamma(rng, n, x):
    total = 0.0
    for i in range(n):
        total += ours_special.log_gamma(x + i * 1e-9)
    return total


def log_gamma_density(rng, n, shape, x):
    total = 0.0
    for i in range(n):
        total += ours_special.log_gamma_density(shape, x + i * 1e-9)
    return total


def log_beta_density(rng, n, a, b, x):
    total = 0.0
    for i in range(n):
        total += ours_special.log_beta_density(a, b, x + i * 1e-9, 1.0 - x - i * 1e-9)
    return total


def near(x: float, n: int) -> np.ndarray:
    """The points that our loops visit."""
    return x + np.arange(n) * 1e-9


def compared(
    ours: Callable[..., float], parameters: tuple[float, ...], rival: str, theirs: Callable[..., Any], turns: int
) -> dict[str, Any]:
    """Nanoseconds each, in turns; medians."""
    loop = entry(ours, ())
    rng = np.random.default_rng(1)
    loop(rng, 1, *parameters)
    times = np.zeros((turns, 2))
    for turn in range(turns):
        for side, call in enumerate((loop, theirs)):
            start = time.thread_time()
            call(rng, MANY, *parameters)
            times[turn, side] = (time.thread_time() - start) / MANY * NANOSECONDS
    one, other = np.median(times, axis=0)
    return {
        "what": f"{ours.__name__}{parameters}",
        "ours ns": round(float(one), 1),
        "rival": rival,
        "rival ns": round(float(other), 1),
        "rival/ours": round(float(np.median(times[:, 1] / times[:, 0])), 2),
    }


def draws(quick: bool) -> list[dict[str, Any]]:
    """Variates, tails, special functions."""
    turns = 3 if quick else 9
    rows = [
        compared(gamma, (shape,), "Generator.standard_gamma", lambda r, n, a: r.standard_gamma(a, n), turns)
        for shape in (0.5, 1.5, 50.0, 5000.0)
    ]
    rows += [
        compared(beta, ab, "Generator.beta", lambda r, n, a, b: r.beta(a, b, n), turns)
        for ab in ((1.0, 1.0), (20.0, 80.0), (2000.0, 3000.0))
    ]
    rows.append(
        compared(exponential, (), "Generator.standard_exponential", lambda r, n: r.standard_exponential(n), turns)
    )
    rows += [
        compared(geometric, (p,), "Generator.geometric", lambda r, n, p: r.geometric(-np.expm1(-p), n), turns)
        for p in (0.1, 0.001)
    ]
    rows += [
        compared(
            normal_above,
            (z,),
            "special.ndtri_exp",
            lambda r, n, z: -special.ndtri_exp(special.log_ndtr(-z) + np.log(1 - r.random(n))),
            turns,
        )
        for z in (0.0, 2.0, 6.0)
    ]
    rows += [
        compared(
            gamma_above,
            (shape, x),
            "special.gammainccinv",
            lambda r, n, a, x: special.gammainccinv(a, special.gammaincc(a, x) * (1 - r.random(n))),
            turns,
        )
        for shape, x in ((2.0, 6.0), (500.0, 560.0))
    ]
    rows += [
        compared(
            beta_above,
            (a, b, rest),
            "special.betaincinv",
            lambda r, n, a, b, rest: special.betaincinv(b, a, special.betainc(b, a, rest) * (1 - r.random(n))),
            turns,
        )
        for a, b, rest in ((3.0, 5.0, 0.3), (400.0, 600.0, 0.55))
    ]
    rows += [
        compared(normal_tail, (2.0,), "special.ndtr", lambda r, n, z: special.ndtr(-near(z, n)), turns),
        compared(log_gamma, (3.5,), "special.gammaln", lambda r, n, x: special.gammaln(near(x, n)), turns),
        compared(log_gamma, (500.5,), "special.gammaln", lambda r, n, x: special.gammaln(near(x, n)), turns),
        compared(
            log_gamma_density,
            (500.0, 450.0),
            "stats.gamma.logpdf",
            lambda r, n, a, x: stats.gamma.logpdf(near(x, n), a),
            turns,
        ),
        compared(
            log_beta_density,
            (40.0, 60.0, 0.5),
            "stats.beta.logpdf",
            lambda r, n, a, b, x: stats.beta.logpdf(near(x, n), a, b),
            turns,
        ),
    ]
    return rows


TABLES = {"Variates and special functions, one by one": draws}
