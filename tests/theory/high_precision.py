"""The theory once more: in 60 digits, or by brute force, and never by the formulas of the package."""

from __future__ import annotations

import mpmath as mp
import numpy as np
from scipy import optimize

mp.mp.dps = 60


def gaussian_divergence(mean, variance, other_mean, other_variance):
    """The textbook Kullback-Leibler divergence between two Gaussians."""
    ratio = variance / other_variance
    return (mp.log(other_variance / variance) + ratio - 1 + (mean - other_mean) ** 2 / other_variance) / 2


def gaussian_k(mean, variance, target, rho):
    """K by setting the derivative along the boundary rho m - v = target to zero, in 60 digits.

    With m = (target + v)/rho the divergence is stationary where v^2/rho^2 + v - A = 0, A = s^2 + (mu - target/rho)^2.
    """
    mean, variance, target, rho = map(mp.mpf, (mean, variance, target, rho))
    if rho * mean - variance >= target:
        return mp.mpf(0)
    if rho == 0:
        return gaussian_divergence(mean, variance, mean, -target)
    a = variance + (mean - target / rho) ** 2
    other = rho**2 * (mp.sqrt(1 + 4 * a / rho**2) - 1) / 2
    return gaussian_divergence(mean, variance, (target + other) / rho, other)


def gaussian_k_by_optimiser(mean, variance, target, rho):
    """K as what it is: a constrained minimum over means and (log) variances."""

    def cost(x):
        v = np.exp(x[1])
        return 0.5 * (x[1] - np.log(variance) + variance / v - 1.0 + (mean - x[0]) ** 2 / v)

    def gradient(x):
        v = np.exp(x[1])
        return np.array([(x[0] - mean) / v, 0.5 * (1.0 - variance / v - (mean - x[0]) ** 2 / v)])

    constraint = {
        "type": "ineq",
        "fun": lambda x: rho * x[0] - np.exp(x[1]) - target,
        "jac": lambda x: np.array([rho, -np.exp(x[1])]),
    }
    best = np.inf
    for shrink in (1.0, 0.3, 0.05, 2.0):
        start = [(target + shrink * variance) / rho, np.log(shrink * variance)]
        found = optimize.minimize(
            cost,
            start,
            jac=gradient,
            constraints=[constraint],
            bounds=[(None, None), (np.log(variance) - 30.0, np.log(variance) + 10.0)],
            method="SLSQP",
            options={"ftol": 1e-15, "maxiter": 500},
        )
        if constraint["fun"](found.x) > -1e-9:
            best = min(best, found.fun)
    return best


def gaussian_k_up_to(mean, variance, target, rho, largest):
    """K over all Gaussians with a variance of at most `largest`: a search over v, with the nearest mean for each."""

    def cost(log_v):
        v = np.exp(log_v)
        move = max(0.0, (target + v) / rho - mean)
        return 0.5 * (np.log(v / variance) + variance / v - 1.0 + move**2 / v)

    grid = np.linspace(np.log(1e-9 * variance), np.log(largest), 4001)
    centre = int(np.argmin([cost(x) for x in grid]))
    low, high = grid[max(0, centre - 1)], grid[min(len(grid) - 1, centre + 1)]
    inside = optimize.minimize_scalar(cost, bounds=(low, high), method="bounded", options={"xatol": 1e-14}).fun
    return min(inside, cost(grid[-1]))


def mvts_k_in_digits(mean, variance, best_mean, best_variance, rho):
    """MVTS's exponent in mpmath's digits, by a search for the zero of the derivative in v; numbers of any size."""
    mean, variance, best_mean, best_variance, rho = map(mp.mpf, (mean, variance, best_mean, best_variance, rho))
    target = rho * best_mean - best_variance

    def slope(v):  # of (th - mean)^2/2 + h(s^2/v) along th = (target + v)/rho
        return ((target + v) / rho - mean) / rho + (1 / v - variance / v**2) / 2

    low, high = mp.mpf(0), variance
    for _ in range(4 * mp.mp.dps):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) < 0 else (low, middle)
    return ((target + high) / rho - mean) ** 2 / 2 + (variance / high - 1 - mp.log(variance / high)) / 2


def mvts_k_by_brute_force(mean, variance, target, rho):
    """MVTS's exponent over a fine grid of variances, then refined around the best one."""

    def cost(v):
        move = max(0.0, (target + v) / rho - mean)
        ratio = variance / v
        return 0.5 * move**2 + 0.5 * (ratio - 1.0 - np.log(ratio))

    grid = np.geomspace(1e-6 * variance, variance, 4000)
    centre = int(np.argmin([cost(v) for v in grid]))
    low, high = grid[max(0, centre - 1)], grid[min(len(grid) - 1, centre + 1)]
    return optimize.minimize_scalar(cost, bounds=(low, high), method="bounded", options={"xatol": 1e-14}).fun


def bernoulli_divergence(p, q):
    p, q = mp.mpf(p), mp.mpf(q)
    result = mp.mpf(0)
    for a, b in ((p, q), (1 - p, 1 - q)):
        if a > 0:
            result += mp.inf if b <= 0 else a * mp.log(a / b)
    return result


def bernoulli_k(p, best, rho):
    """The least divergence over both success probabilities worth as much as the best arm."""
    roots = [mp.mpf(best), 1 - mp.mpf(rho) - mp.mpf(best)]
    return min([bernoulli_divergence(p, q) for q in roots if 0 < q < 1], default=mp.inf)


def gaussian_lower_bound(means, variances, rho):
    """Pulls and regret terms of the lower bound, exactly from the doubles given."""
    means, variances, rho = [mp.mpf(m) for m in means], [mp.mpf(v) for v in variances], mp.mpf(rho)
    values = [rho * m - v for m, v in zip(means, variances, strict=True)]
    best = max(range(len(values)), key=lambda k: values[k])
    pulls, terms = [], []
    for k, value in enumerate(values):
        gap = values[best] - value
        if gap == 0:
            pulls.append(mp.mpf(0))
            terms.append(mp.mpf(0))
            continue
        pulls.append(1 / gaussian_k(means[k], variances[k], values[best], rho))
        terms.append(pulls[-1] * (gap + (means[best] - means[k]) ** 2))
    return pulls, terms
