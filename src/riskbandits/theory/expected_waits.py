"""How long the best arm waits: E[1/G - 1], the first term of the paper's Lemma 2, by quadrature and not by simulation.

After T pulls of the best arm G is the probability, given its sample mean m and sample variance v, that it is drawn
above MV_best - (1 + rho) eps. The proofs need E[1/G - 1], over m ~ N(mu, s^2/T) and T v/s^2 ~ chi^2 with T - 1 degrees
of freedom, to be finite and summable over T. Whether it is finite follows from the tails, and is decided exactly:

    MTS     infinite from T = 2 on: 1/G grows like exp(T v^2/(2 rho^2)), the density of v falls like exp(-T v/(2 s^2))
    VTS     infinite for rho > 0: G = 0 has positive probability, as no drawn variance makes up for a low m
    MVTS    infinite for s^2 > 1 and rho > 0: 1/G grows like exp(T x^2/2) as m = mu - x falls, and the density of m
            falls like exp(-T x^2/(2 s^2)); so for MTS at T = 1
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from riskbandits.core.checks import number, whole
from riskbandits.core.errors import RefusalError, unknown_name

# Of the trapezium rule, in standard deviations: on a smooth integrand over a line it errs by far less than 1e-9.
STEP = 0.25
SMALL = 40.0  # terms smaller than exp(-SMALL) are left out
# Beyond this the tail by scipy may underflow; the continued fraction converges there to full accuracy.
FAR = 30.0
TERMS = 80
LARGEST = 10_000.0  # a variance: the nodes of the integrals grow with its root
MOST = 20_000_000  # nodes: 160 MB per array of them


def expected_wait(
    policy: str, variance: float, rho: float, pulls: int, epsilon: float, *, steps: float = math.inf
) -> float:
    """E[1/G - 1] for "MTS", "VTS" or "MVTS" when the best arm has this variance and has been pulled `pulls` times.

    1/G - 1 is how many draws in a row fall short, on average. With `steps` at most this many draws are made; where
    E[1/G - 1] is infinite, the wrong pulls of n steps grow at least as fast as the value for `steps` = n does.
    Six digits or more are right (with `steps`, for MTS, unless rho is below a hundredth of the variance).

    >>> expected_wait("MTS", variance=0.5, rho=1.0, pulls=2, epsilon=0.1)
    inf
    >>> round(expected_wait("MVTS", variance=0.5, rho=1.0, pulls=2, epsilon=0.1), 2)
    2.2
    """
    if not isinstance(policy, str) or policy not in _LOG_G:
        raise unknown_name("policy", policy, list(_LOG_G))
    variance = number("variance", variance, f"a finite number > 0, at most {LARGEST:g}", lambda x: 0.0 < x <= LARGEST)
    epsilon = number("epsilon", epsilon, f"a finite number > 0, at most {LARGEST:g}", lambda x: 0.0 < x <= LARGEST)
    rho = number("rho", rho, f"a finite number >= 0, at most {LARGEST:g}", lambda x: 0.0 <= x <= LARGEST)
    pulls = whole("pulls", pulls)
    steps = number("steps", steps, "a number >= 1", lambda x: x >= 1.0)
    if steps == math.inf and not is_finite(policy, variance, rho, pulls):
        return math.inf
    if policy == "MTS" and rho == 0.0:  # nothing is drawn
        return _never_again(variance, pulls, epsilon) * steps if pulls > 1 else 0.0
    # Where 1/G passes `steps` the integrand bends, the more sharply the larger ln(steps) is: b = sqrt(2 ln(steps)) is
    # the deviation of the normal draw there, ln(steps) the rate times the limit of the drawn precision, to which after
    # many pulls the spread of that precision adds sqrt(T ln(steps)).
    log_steps = math.log(steps) if steps < math.inf else 0.0
    b = math.sqrt(2.0 * log_steps)
    shut_out = 0.0
    z, log_weight_z = _normal_nodes(variance, rho, pulls, epsilon, log_steps)
    if policy == "VTS" and _least_deviation(variance, rho, pulls, epsilon) > z[0]:
        z, log_weight_z, shut_out = _nodes_with_room(variance, rho, pulls, epsilon, 1.0 / (1.0 + log_steps))
    finest = 1.0 / (1.0 + log_steps + math.sqrt(pulls * log_steps))
    if policy == "MTS" and rho > 0.0:  # there the drawn mean must make up for the sample variance
        finest = 1.0 / (math.sqrt(pulls) * (variance / rho + (1.0 + 1.0 / rho) * epsilon) + b + 1.0) / (1.0 + b)
    q, log_weight_q = _chi_squared_nodes(variance, pulls, epsilon, log_steps, finest)
    if len(z) * len(q) > MOST:
        raise RefusalError(
            f"E[1/G - 1] of {policy} would need {len(z) * len(q):,} points here, and has at most {MOST:,}: a variance "
            f"of {variance:g} with rho = {rho:g} and epsilon = {epsilon:g} is too far from 1."
        )
    log_g = np.minimum(_LOG_G[policy](z[:, None], q[None, :], variance, rho, pulls, epsilon), 0.0)
    waits = np.exp(_log_wait(log_g, steps) + log_weight_z[:, None] + log_weight_q[None, :])
    return float(waits.sum()) + (steps * shut_out if shut_out > 0.0 else 0.0)


def log_draw_above(
    policy: str, offset: Any, sample_variance: Any, variance: float, rho: float, pulls: int, epsilon: float
) -> np.ndarray:
    """Ln G for an arm whose sample mean is the best arm's mean plus `offset`, with that sample variance.

    `variance` is that of the best arm, and the arm may be any: offsets (a list) make rows, sample variances columns.
    """
    z = np.atleast_1d(offset) / math.sqrt(variance / pulls)
    q = pulls * np.atleast_1d(sample_variance) / variance
    return np.minimum(_LOG_G[policy](z[:, None], q[None, :], variance, rho, pulls, epsilon), 0.0)


def is_finite(policy: str, variance: float, rho: float, pulls: int) -> bool:
    """Whether E[1/G - 1] is finite, for every epsilon > 0 alike."""
    if policy == "MTS":
        return pulls == 1 and (variance <= 1.0 or rho == 0.0)
    return rho == 0.0 or (policy == "MVTS" and variance <= 1.0)


def _log_wait(log_g: np.ndarray, steps: float) -> np.ndarray:
    """ln((1 - G)/G (1 - (1 - G)^steps))."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        log_missed = np.log(-np.expm1(log_g))
        unlimited = log_missed - log_g
        if steps == math.inf:
            return unlimited
        tiny = log_g + math.log(steps) < -SMALL
        ended = np.log(-np.expm1(steps * np.log1p(-np.exp(log_g))))
        limited = np.where(log_g == 0.0, -np.inf, unlimited + ended)
        return np.where(tiny, log_missed + math.log(steps), limited)


def _normal_nodes(
    variance: float, rho: float, pulls: int, epsilon: float, log_steps: float
) -> tuple[np.ndarray, np.ndarray]:
    """Deviations z of the sample mean, and ln of their weights. Far below the mean the nodes get wider apart."""
    # 1/G times the density falls like exp(-(1 - s^2) z^2/2 - c |z|) at least, which may take long.
    c = math.sqrt(pulls * variance) * (variance / max(rho, 1e-300) + epsilon)
    flat = max(0.0, 1.0 - variance)
    farthest = 2.0 * SMALL / (c + math.sqrt(c * c + 2.0 * flat * SMALL)) if variance <= 1.0 else 0.0
    # With a limit on the steps it falls like the density times that limit, at the latest.
    farthest, scale = max(farthest, math.sqrt(2.0 * (log_steps + 2.0 * SMALL))), 12.0
    step = min(STEP, 1.0 / (1.0 + math.sqrt(2.0 * log_steps))) / max(1.0, math.sqrt(variance))
    t = np.arange(-scale * math.asinh(farthest / scale), 10.0 + step, step)
    z = scale * np.sinh(t / scale)
    return z, np.log(step * np.cosh(t / scale)) - 0.5 * z * z - 0.5 * math.log(2.0 * math.pi)


def _nodes_with_room(
    variance: float, rho: float, pulls: int, epsilon: float, finest: float
) -> tuple[np.ndarray, np.ndarray, float]:
    """Deviations of the sample mean for which VTS can come back, equidistant in ln(room); P(it cannot)."""
    from scipy import special

    slope, least = rho * math.sqrt(variance / pulls), _least_deviation(variance, rho, pulls, epsilon)
    step = min(0.1, 0.3 / math.sqrt(pulls), finest, 0.5 / (1.0 + abs(least)))
    y = np.arange(-SMALL, math.log(slope * (10.0 + max(0.0, -least))) + step, step)
    z = least + np.exp(y) / slope
    log_weight = math.log(step / slope) + y - 0.5 * z * z - 0.5 * math.log(2.0 * math.pi)
    return z, log_weight, float(special.ndtr(least))


def _least_deviation(variance: float, rho: float, pulls: int, epsilon: float) -> float:
    """The deviation of the sample mean from which on down no drawn variance is small enough for VTS."""
    return -(variance + (1.0 + rho) * epsilon) / (rho * math.sqrt(variance / pulls)) if rho > 0.0 else -math.inf


def _never_again(variance: float, pulls: int, epsilon: float) -> float:
    """P(v > s^2 + eps), with which MTS never plays the best arm again if rho is 0."""
    from scipy import special

    return float(special.chdtrc(pulls - 1, pulls * (variance + epsilon) / variance))


def _chi_squared_nodes(
    variance: float, pulls: int, epsilon: float, log_steps: float, finest: float
) -> tuple[np.ndarray, np.ndarray]:
    """T v/s^2, which is 0 after one pull, and ln of the weights: equidistant in its logarithm, at most `finest`."""
    degrees = pulls - 1
    if degrees == 0:
        return np.zeros(1), np.zeros(1)
    fall = 0.5 * epsilon / (variance + epsilon)  # the density times 1/G falls at least like exp(-fall q) in the end
    step = max(min(STEP, 0.6 / math.sqrt(degrees), finest), 0.0005)
    spread = math.sqrt(2.0 * SMALL / degrees)
    largest = max((SMALL + 2.0 * degrees) / fall, 2.0 * (log_steps + SMALL) + 4.0 * degrees)
    low, high = math.log(degrees) - 2.0 * SMALL / degrees - spread, math.log(largest)
    u = np.arange(low, high + step, step)
    half = 0.5 * degrees
    return np.exp(u), math.log(step) + half * u - 0.5 * np.exp(u) - half * math.log(2.0) - math.lgamma(half)


def _log_g_mts(z: float, q: float, variance: float, rho: float, pulls: int, epsilon: float) -> np.ndarray:
    """Rho (m + g/sqrt(T)) - v for a standard normal g: G is a normal tail."""
    from scipy import special

    excess = variance * (q / pulls - 1.0) - (1.0 + rho) * epsilon  # v - s^2 - (1 + rho) eps
    return np.asarray(special.log_ndtr(math.sqrt(variance) * z - math.sqrt(pulls) * excess / rho))


def _log_g_vts(z: float, q: np.ndarray, variance: float, rho: float, pulls: int, epsilon: float) -> np.ndarray:
    """The drawn variance must stay below rho (m - mu) + s^2 + (1 + rho) eps: G is a Gamma tail."""
    room = rho * math.sqrt(variance / pulls) * z + variance + (1.0 + rho) * epsilon
    return _log_precise(q, room, variance, pulls)


def _log_g_mvts(z: Any, q: Any, variance: float, rho: float, pulls: int, epsilon: float) -> np.ndarray:
    """Two draws, of which one is integrated out: the one beside which the other's tail does not look like a step."""
    if rho == 0.0:
        return _log_g_vts(z, q, variance, rho, pulls, epsilon)
    z, q = np.broadcast_arrays(z, q)
    room = rho * math.sqrt(variance / pulls) * z + variance + (1.0 + rho) * epsilon  # for 1/tau if the mean is m itself
    over = _over_drawn_mean if rho < variance else _over_drawn_precision
    # One row at a time, so that no more than its nodes are in memory.
    return np.stack([over(q[row], room[row], variance, rho, pulls) for row in range(len(z))])


def _over_drawn_mean(q: np.ndarray, room: np.ndarray, variance: float, rho: float, pulls: int) -> np.ndarray:
    """Ln G: a standard normal g adds rho g/sqrt(T) to the room for the drawn variance."""
    slope = rho / math.sqrt(pulls)

    def log_integrand(g: np.ndarray) -> np.ndarray:
        return _log_precise(q[:, None], room[:, None] + slope * g, variance, pulls) - 0.5 * g * g

    low = np.maximum(-12.0, -room / slope)
    peak = _peak(log_integrand, low, np.maximum(low, 0.0) + 40.0)
    left = room + slope * peak
    shape, rate = 0.5 + 0.5 * pulls, 0.5 + 0.5 * variance * q
    curvature = 1.0 + np.square(slope / left) * (shape + rate / left)
    return _log_integral(log_integrand, peak, curvature) - 0.5 * math.log(2.0 * math.pi)


def _over_drawn_precision(q: np.ndarray, room: np.ndarray, variance: float, rho: float, pulls: int) -> np.ndarray:
    """Ln G: the drawn precision is x/rate with x ~ Gamma(shape, 1), here over u = ln x; the drawn mean has a tail."""
    from scipy import special

    shape, rate = 0.5 + 0.5 * pulls, 0.5 + 0.5 * variance * q
    factor = math.sqrt(pulls) / rho

    def argument(u: np.ndarray) -> np.ndarray:
        return factor * (room[:, None] - rate[:, None] * np.exp(-u))

    def log_integrand(u: np.ndarray) -> np.ndarray:
        return shape * u - np.exp(u) + special.log_ndtr(argument(u))

    peak = _peak(log_integrand, np.full(q.shape, -30.0), np.log(shape + rate * factor * (40.0 + factor) + rate + 40.0))
    rise = factor * rate * np.exp(-peak)
    curvature = np.exp(peak) + rise * (rise + 1.0 + np.abs(argument(peak[:, None])[:, 0]))
    return _log_integral(log_integrand, peak, curvature) - math.lgamma(shape)


def _peak(log_integrand: Callable[[np.ndarray], np.ndarray], low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Where a log-concave integrand is largest, for each row, closely enough."""
    for _ in range(45):
        left, right = low + (high - low) / 3.0, high - (high - low) / 3.0
        below = log_integrand(np.stack([left, right], axis=1))
        rising = below[:, 0] <= below[:, 1]
        low, high = np.where(rising, left, low), np.where(rising, high, right)
    return 0.5 * (low + high)


def _log_integral(
    log_integrand: Callable[[np.ndarray], np.ndarray], peak: np.ndarray, curvature: np.ndarray
) -> np.ndarray:
    """Ln of an integral with one peak, on nodes that get wider apart away from it; curvature may be too large."""
    t = np.arange(-9.0, 9.1, 0.2)
    width = 1.0 / np.sqrt(curvature)[:, None]
    logs = log_integrand(peak[:, None] + width * 2.0 * np.sinh(0.5 * t)) + np.log(0.2 * width * np.cosh(0.5 * t))
    top = logs.max(axis=1, keepdims=True)
    return np.asarray(top[:, 0] + np.log(np.exp(logs - top).sum(axis=1)))


def _log_precise(q: np.ndarray, room: Any, variance: float, pulls: int) -> np.ndarray:
    """Ln P(1/tau <= room), tau ~ Gamma((1 + T)/2, (1 + T v)/2); minus infinity where there is no room."""
    rate = 0.5 + 0.5 * variance * q
    with np.errstate(divide="ignore", over="ignore"):
        limit = np.where(room > 0.0, rate / np.where(room > 0.0, room, 1.0), np.inf)
    return log_gamma_tail(0.5 + 0.5 * pulls, limit)


_LOG_G: dict[str, Callable[..., np.ndarray]] = {"MTS": _log_g_mts, "VTS": _log_g_vts, "MVTS": _log_g_mvts}


def log_gamma_tail(shape: float, x: np.ndarray) -> np.ndarray:
    """Ln P(X >= x) for X ~ Gamma(shape, rate 1).

    >>> float(log_gamma_tail(1.0, 5000.0))
    -5000.0
    """
    from scipy import special

    x = np.asarray(x, float)
    far = x > shape + FAR + 3.0 * math.sqrt(shape)
    near = np.log(special.gammaincc(shape, np.where(far, shape, x)))
    far_x = np.where(far & np.isfinite(x), x, shape + 2.0 * FAR)
    # Gamma(a, x) = x^a e^-x/(x + 1 - a - 1 (1 - a)/(x + 3 - a - 2 (2 - a)/(x + 5 - a - ...))), from the inside out.
    fraction = far_x + 2.0 * TERMS + 1.0 - shape
    for k in range(TERMS, 0, -1):
        fraction = far_x + 2.0 * k - 1.0 - shape - k * (k - shape) / fraction
    logs = shape * np.log(far_x) - far_x - math.lgamma(shape) - np.log(fraction)
    return np.where(np.isposinf(x), -np.inf, np.where(far, logs, near))
