"""The reward distribution of one arm, as risk measures see it. Plain Python: nothing here is compiled."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

TINY = 2.0**-50  # the mass of either tail that a grid of quantiles leaves out
PANELS, NODES = 256, 8  # the grid between its tails
LAST = 1.0 - 2.0**-53
HALVINGS = 200


class Distribution:
    """A reward distribution. A family of your own defines `mean`, `variance` and `cdf`; everything else follows.

    Closed forms, where they exist, make it faster and exact: override `quantile`, `shortfall` and `log_mgf`. What is
    not overridden is integrated numerically, to about ten digits for distributions without jumps.
    """

    mean: float
    variance: float
    low: float = -math.inf  # the smallest possible reward
    high: float = math.inf  # the largest

    def cdf(self, x: float | np.ndarray) -> Any:
        """P(X <= x), for a number or an array."""
        raise NotImplementedError

    def quantile(self, u: Any) -> Any:
        """The smallest x with P(X <= x) >= u, for a number or an array."""
        u = np.asarray(u, dtype=float)
        spread = math.sqrt(self.variance) if math.isfinite(self.variance) and self.variance > 0.0 else 1.0
        low = np.full(u.shape, self.low if math.isfinite(self.low) else self.mean - spread)
        high = np.full(u.shape, self.high if math.isfinite(self.high) else self.mean + spread)
        for _ in range(HALVINGS):
            short, far = self.cdf(high) < u, self.cdf(low) >= u
            if not (short.any() or far.any()):
                break
            width = 2.0 * (high - low)
            high = np.where(short & (u < 1.0), np.minimum(high + width, self.high), high)
            low = np.where(far & (u > 0.0), np.maximum(low - width, self.low), low)
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            reached = self.cdf(middle) >= u
            low, high = np.where(reached, low, middle), np.where(reached, middle, high)
        ends = np.where(u <= 0.0, self.low, np.where(u >= 1.0, self.high, high))
        return ends if ends.ndim else float(ends)

    def shortfall(self, x: float, power: int) -> float:
        """E[((x - X)^+)^power] for power 1 or 2."""
        # By parts, the mean shortfall is the integral of the distribution function.
        if x <= self.low:
            return 0.0
        return integral(lambda y: power * (x - y) ** (power - 1) * float(self.cdf(y)), self.low, x)

    def log_mgf(self, s: float) -> float:
        """Ln E exp(s X), for s < 0; infinite where the mean is."""
        # By parts again, around a point with much of the mass below it.
        origin = float(self.quantile(0.5)) if not math.isfinite(self.low) else self.low

        def part(y: float) -> float:
            mass = float(self.cdf(y))
            return -s * math.exp(s * (y - origin) + math.log(mass)) if mass > 0.0 else 0.0

        above = integral(part, self.low, self.high)
        # Mass at and above the upper end of the support is not in the integral.
        if math.isfinite(self.high):
            above += math.exp(s * (self.high - origin))
        return s * origin + math.log(above)

    def sample(self) -> tuple[np.ndarray, np.ndarray]:
        """A weighted sample that represents the distribution: quantiles and their weights, values ascending."""
        shares, weights = _grid()
        # Quantiles that are all but equal may come out in the wrong order.
        return np.maximum.accumulate(np.asarray(self.quantile(shares), dtype=float)), weights

    def value_of(self, risk: Any) -> float:
        """The value of the distribution in a risk measure that has `sample_value`."""
        method = getattr(risk, "exact_value", None)
        return float(method(self)) if method is not None else float(risk.sample_value(*self.sample()))


def integral(f: Callable[[float], float], low: float, high: float) -> float:
    """The integral of a function, to about ten digits."""
    from scipy.integrate import quad

    return float(quad(f, low, high, epsabs=1e-12, epsrel=1e-11, limit=500)[0])


def _grid() -> tuple[np.ndarray, np.ndarray]:
    """Shares in (0, 1) and weights: Gauss-Legendre on equal panels, which shrink by halves towards both ends."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    tail = TINY * 2.0 ** np.arange(math.floor(math.log2(1.0 / PANELS / TINY)) + 1)
    edges = np.concatenate([[0.0], tail, np.arange(2, PANELS // 2 + 1) / PANELS])
    left, right = edges[:-1, None], edges[1:, None]
    lower = (0.5 * (left + right) + 0.5 * (right - left) * nodes).ravel()
    mass = (0.5 * (right - left) * weights).ravel()
    # The last shares below 1 that a double can hold: a quantile at 1 may be infinite.
    upper = np.minimum(1.0 - lower[::-1], LAST)
    return np.concatenate([lower, upper]), np.concatenate([mass, mass[::-1]])
