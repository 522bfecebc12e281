"""Each variate and special function of `riskbandits.numerics` against the fastest way that NumPy or SciPy offer.

Ours are called one by one inside a compiled loop, as the simulation does; theirs as one call for many, into an array.
SciPy has no draws from tails, so the rival there is inversion by the special function that fits.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy import special, stats
from ways import Cell, Row, in_turns, ratio

from riskbandits.compiling.jit import entry
from riskbandits.numerics import normal as ours_normal
from riskbandits.numerics import special as ours_special
from riskbandits.numerics import tails, variates

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


def poisson(rng, n, rate):
    total = 0.0
    for _ in range(n):
        total += variates.poisson(rng, rate)
    return total


def normal_above(rng, n, z):
    total = 0.0
    for _ in range(n):
        total += tails.normal_above(rng, z)
    return total


def gamma_below(rng, n, shape, x):
    total = 0.0
    for _ in range(n):
        drawn = tails.gamma_low_proposal(rng, shape, x)
        while not drawn <= x:  # thinned away: not a number
            drawn = tails.gamma_low_proposal(rng, shape, x)
        total += drawn
    return total


def gamma_above(rng, n, shape, x):
    total = 0.0
    for _ in range(n):
        y = tails.gamma_proposal(rng, shape, x)
        while not y >= x:
            y = tails.gamma_proposal(rng, shape, x)
        total += y
    return total


def beta_above(rng, n, a, b, rest):
    total = 0.0
    for _ in range(n):
        y = tails.beta_proposal(rng, a, b, rest)
        while not y <= rest:
            y = tails.beta_proposal(rng, a, b, rest)
        total += y
    return total


def normal_tail(rng, n, z):
    total = 0.0
    for i in range(n):
        total += tails.normal_tail(z + i * 1e-9)
    return total


def normal_quantile(rng, n, p):
    total = 0.0
    for i in range(n):
        total += ours_normal.normal_quantile(p + i * 1e-9)
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
) -> list[Row]:
    """Nanoseconds each, in turns; medians."""
    loop = entry(ours, ())
    rng = np.random.default_rng(1)
    loop(rng, 1, *parameters)

    def timed(call: Callable[..., Any]) -> Callable[[int], float]:
        def go(turn: int) -> float:
            start = time.thread_time()
            call(rng, MANY, *parameters)
            return (time.thread_time() - start) / MANY * NANOSECONDS

        return go

    times = in_turns({"ours": (timed(loop), turns), "rival": (timed(theirs), turns)})
    return [
        {
            "what": f"{ours.__name__}({', '.join(map(str, parameters))})",
            "turns": turns,
            "ours ns": round(float(np.median(times["ours"])), 1),
            "rival": rival,
            "rival ns": round(float(np.median(times["rival"])), 1),
            "rival/ours": ratio(times["rival"], times["ours"]),
        }
    ]


def normal_beyond(rng: Any, n: int, z: float) -> Any:
    return -special.ndtri_exp(special.log_ndtr(-z) + np.log(1 - rng.random(n)))


def gamma_beyond(rng: Any, n: int, a: float, x: float) -> Any:
    return special.gammainccinv(a, special.gammaincc(a, x) * (1 - rng.random(n)))


def gamma_short_of(rng: Any, n: int, a: float, x: float) -> Any:
    return special.gammaincinv(a, special.gammainc(a, x) * (1 - rng.random(n)))


def beta_beyond(rng: Any, n: int, a: float, b: float, rest: float) -> Any:
    return special.betaincinv(b, a, special.betainc(b, a, rest) * (1 - rng.random(n)))


# Ours, the parameters to try, and the rival: its name and its call.
CASES: list[tuple[Callable[..., float], list[tuple[float, ...]], str, Callable[..., Any]]] = [
    (gamma, [(0.5,), (1.5,), (50.0,), (5000.0,)], "Generator.standard_gamma", lambda r, n, a: r.standard_gamma(a, n)),
    (beta, [(1.0, 1.0), (20.0, 80.0), (2000.0, 3000.0)], "Generator.beta", lambda r, n, a, b: r.beta(a, b, n)),
    (exponential, [()], "Generator.standard_exponential", lambda r, n: r.standard_exponential(n)),
    (geometric, [(0.1,), (0.001,)], "Generator.geometric", lambda r, n, p: r.geometric(-np.expm1(-p), n)),
    (poisson, [(2.0,), (200.0,)], "Generator.poisson", lambda r, n, rate: r.poisson(rate, n)),
    (normal_above, [(0.0,), (2.0,), (6.0,)], "special.ndtri_exp", normal_beyond),
    (gamma_above, [(2.0, 6.0), (500.0, 560.0)], "special.gammainccinv", gamma_beyond),
    (gamma_below, [(5.0, 1.0), (500.0, 440.0)], "special.gammaincinv", gamma_short_of),
    (beta_above, [(3.0, 5.0, 0.3), (400.0, 600.0, 0.55)], "special.betaincinv", beta_beyond),
    (normal_tail, [(2.0,)], "special.ndtr", lambda r, n, z: special.ndtr(-near(z, n))),
    (normal_quantile, [(0.3,), (0.001,)], "special.ndtri", lambda r, n, p: special.ndtri(near(p, n))),
    (log_gamma, [(3.5,), (500.5,)], "special.gammaln", lambda r, n, x: special.gammaln(near(x, n))),
    (log_gamma_density, [(500.0, 450.0)], "stats.gamma.logpdf", lambda r, n, a, x: stats.gamma.logpdf(near(x, n), a)),
    (
        log_beta_density,
        [(40.0, 60.0, 0.5)],
        "stats.beta.logpdf",
        lambda r, n, a, b, x: stats.beta.logpdf(near(x, n), a, b),
    ),
]


def draws(quick: bool) -> list[Cell]:
    """Variates, tails, special functions."""
    turns = 3 if quick else 9
    return [
        Cell(ours.__name__, 1.0, partial(compared, ours, parameters, rival, theirs, turns))
        for ours, tried, rival, theirs in CASES
        for parameters in tried
    ]


TABLES: dict[str, Callable[[bool], list[Cell]]] = {"Variates and special functions, one by one": draws}
