"""The tangent of a charge for switching: what `charged_bounds` replaces it by, for one arm."""

from __future__ import annotations

from riskbandits.core.compiled import function


@function
def away(at: float, low: float, high: float) -> float:
    """How far a mean is from the nearest stream, below 0 where that is higher."""
    return at - high if at > high else min(0.0, at - low)


@function
def tangent(at: float, rho: float, weight: float, low: float, high: float) -> tuple[float, float]:
    """Rho and a constant: for every theta and every stream between `low` and `high`

    rho theta - weight (theta - stream)^2 <= (the rho) theta + (the constant).
    """
    far = away(at, low, high)
    return rho - 2.0 * weight * far, weight * far * (2.0 * at - far)
