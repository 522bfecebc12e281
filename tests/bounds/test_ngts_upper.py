"""The envelope for an arm of `NGTS` whose rewards were nearly equal: against integrals, far out in the tail."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

from riskbandits.bounds import ngts_upper
from riskbandits.bounds.contract import BOUND_CELLS

PROPOSALS = 4000

# count, alpha, beta, rho, how far the value of the mean lies behind the threshold
CASES = [
    (2.0, 1.0, 1e-8, 1.0, 0.6),
    (2.0, 0.5, 1e-4, 1.0, 0.6),
    (2.0, 0.5, 1e-12, 1.0, 0.01),  # the border is nearer than a deviation: Z is a normal beyond it
    (3.0, 1.5, 1e-6, 0.1, 0.02),
    (4.0, 2.0, 1e-3, 30.0, 50.0),
    (2.0, 1.0, 1e6, 1e4, 1e14),
]


@pytest.mark.parametrize("case", CASES)
def test_proposals_between_two_tangents(case):
    count, alpha, beta, rho, behind = case
    cells = np.zeros((1, BOUND_CELLS))
    log_mass = ngts_upper.log_mass(0.0, count, alpha, beta, rho, behind, cells, 0)
    assert cells[0, ngts_upper.FORM] == ngts_upper.BETWEEN

    def border(x):
        return math.sqrt(count) / rho * (math.sqrt(beta) * np.exp(-x / 2) + behind / math.sqrt(beta) * np.exp(x / 2))

    at = math.log(cells[0, ngts_upper.POINT])
    grid = at + np.linspace(-40.0, 40.0, 200_001)
    log_density = alpha * grid - np.exp(grid) - math.lgamma(alpha) + stats.norm.logsf(border(grid))
    highest = log_density.max()
    cumulated = integrate.cumulative_trapezoid(np.exp(log_density - highest), grid, initial=0.0)
    kept_share = math.exp(highest + math.log(cumulated[-1]) - log_mass)
    assert 0.25 < kept_share < 1.0

    rng = np.random.default_rng(5)
    drawn = [ngts_upper.proposal(0.0, count, alpha, beta, rho, behind, cells, 0, rng) for _ in range(PROPOSALS)]
    z, variance = np.array([pair for pair in drawn if not math.isnan(pair[0])]).T
    error = math.sqrt(kept_share * (1.0 - kept_share) / PROPOSALS)
    assert abs(len(z) / PROPOSALS - kept_share) < 4 * error
    x = np.log(beta / variance)
    assert stats.kstest(x, lambda at: np.interp(at, grid, cumulated / cumulated[-1])).pvalue > 1e-4
    left_over = np.exp(stats.norm.logsf(z) - stats.norm.logsf(border(x)))  # uniform, as tails are
    assert stats.kstest(left_over, "uniform").pvalue > 1e-4
