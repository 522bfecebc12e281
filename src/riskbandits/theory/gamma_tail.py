"""The logarithm of the upper tail of a Gamma distribution, also where the tail itself is too small for a double."""

from __future__ import annotations

import math

import numpy as np

# Beyond this the tail by scipy may underflow; the continued fraction converges there to full accuracy.
FAR = 30.0
TERMS = 80


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
