"""Scores of `MVTS` beyond a line: against integrals, where thresholds are near."""

import math

import numpy as np
import pytest
from scipy import stats

import riskbandits as rb
from riskbandits.bounds import mvts_bounds, mvts_lower, mvts_upper
from riskbandits.bounds.contract import BOUND_CELLS

PROPOSALS = 4000
VARIANCES = (np.arange(5_000) + 0.5) / 5_000
MEAN, VARIANCE = 0.3, 0.2

# pulls, rho, how far the threshold is from the centre in deviations of the score, the least share of rings to be kept
CASES = [
    (5.0, 1.0, 0.7, 0.8),
    (5.0, 0.0, 0.7, 0.85),
    (5.0, 1000.0, 2.0, 0.95),
    (30.0, 1.0, 1.5, 0.9),
    (30.0, 0.001, 1.0, 0.95),
    (200.0, 1.0, 0.7, 0.95),
    (200.0, 1000.0, 1.0, 0.98),
    (1e4, 1.0, 2.2, 0.95),
    (1e12, 1.0, 1.0, 0.98),
]


def posterior(count):
    """The sample of an arm, and shape and rate of its precision."""
    return np.array([[count, MEAN, count * VARIANCE]]), 0.5 + 0.5 * count, 0.5 + 0.5 * count * VARIANCE


def chance_above(thresholds, count, alpha, beta, rho):
    """P(score >= threshold): the normal's, averaged over quantiles of the drawn variance."""
    drawn = beta / stats.gamma.ppf(VARIANCES, alpha)
    if rho == 0.0:
        return stats.gamma.sf(beta / -np.asarray(thresholds), alpha)
    behind = (np.asarray(thresholds)[:, None] - rho * MEAN + drawn) * math.sqrt(count) / rho
    return stats.norm.sf(behind).mean(axis=1)


def threshold_of(count, alpha, beta, rho, deviations):
    spread = math.sqrt(rho * rho / count + beta * beta / alpha**3)
    return rho * MEAN - beta / alpha + deviations * spread


@pytest.mark.parametrize(("count", "rho", "deviations", "least"), CASES)
def test_rings_beyond_a_line_are_scores_above_the_threshold(count, rho, deviations, least):
    state, alpha, beta = posterior(count)
    risk = rb.MeanVariance(rho)
    bounds = rb.MVTS().bounds(risk)
    threshold = threshold_of(count, alpha, beta, rho, deviations)
    cells = np.zeros((1, BOUND_CELLS))
    mass = bounds.tail(state, 0, threshold, risk, cells)
    assert cells[0, mvts_bounds.FORM] == mvts_bounds.LINE
    share = chance_above([threshold], count, alpha, beta, rho)[0] / mass
    assert least < share <= 1.0 + 1e-4
    rng = np.random.default_rng(5)
    drawn = np.array([bounds.draw_above(state, 0, threshold, risk, cells, rng) for _ in range(PROPOSALS)])
    kept = drawn[~np.isnan(drawn)]
    assert abs(len(kept) / PROPOSALS - share) < 4 * math.sqrt(share * max(0.0, 1.0 - share) / PROPOSALS) + 5e-4
    grid = np.linspace(threshold, kept.max(), 300)
    above = np.interp(kept, grid, chance_above(grid, count, alpha, beta, rho))
    left_over = above / (mass * share)  # uniform, as tails are
    assert stats.kstest(left_over, "uniform").pvalue > 1e-3


@pytest.mark.parametrize("nearer", [0.9, 1.1])
def test_a_line_in_a_wrong_place_shows(nearer):
    """What the test above would see: too few rings beyond a line that is too far, bounds that are not tight else."""
    state, alpha, beta = posterior(200.0)
    risk = rb.MeanVariance(1.0)
    bounds = rb.MVTS().bounds(risk)
    threshold = threshold_of(200.0, alpha, beta, 1.0, 1.0)
    cells = np.zeros((1, BOUND_CELLS))
    mass = bounds.tail(state, 0, threshold, risk, cells)
    cells[0, mvts_upper.DISTANCE] *= nearer
    rng = np.random.default_rng(5)
    drawn = np.array([bounds.draw_above(state, 0, threshold, risk, cells, rng) for _ in range(PROPOSALS)])
    share = chance_above([threshold], 200.0, alpha, beta, 1.0)[0] / mass
    found = np.mean(~np.isnan(drawn))
    assert abs(found - share) > 4 * math.sqrt(share * (1.0 - share) / PROPOSALS) + 5e-4


@pytest.mark.parametrize("deviations", [3.0, 8.0, 30.0])
def test_far_thresholds_have_other_envelopes(deviations):
    state, alpha, beta = posterior(50.0)
    risk = rb.MeanVariance(1.0)
    cells = np.zeros((1, BOUND_CELLS))
    threshold = threshold_of(50.0, alpha, beta, 1.0, deviations)
    mass = rb.MVTS().bounds(risk).tail(state, 0, threshold, risk, cells)
    assert cells[0, mvts_bounds.FORM] != mvts_bounds.LINE
    assert chance_above([threshold], 50.0, alpha, beta, 1.0)[0] <= mass < 0.01


def test_what_cannot_be_bounded_stays_awake():
    cells = np.zeros((1, BOUND_CELLS))
    assert mvts_bounds.tail_mass(0.3, 1.0, 0.5, 0.5, 1.0, 5.0, cells, 0) == 1.0  # a shape below 1
    assert mvts_bounds.tail_mass(0.3, 5.0, 3.0, 0.0, 1.0, 5.0, cells, 0) == 1.0  # no variance at all
    assert mvts_bounds.tail_mass(0.3, 5.0, 3.0, 1.0, 1.0, math.inf, cells, 0) == 1.0
    assert mvts_bounds.tail_mass(0.3, 5.0, 3.0, 1.0, 1.0, -5.0, cells, 0) == 1.0  # above the threshold already


@pytest.mark.parametrize("alpha", [30.0, 30.5, 47.0, 300.0, 1e5])
def test_the_series_of_the_excess_continues_the_formula(alpha):
    formula = (alpha - 0.5) * math.log1p(-1.0 / (3.0 * alpha)) + 1.0 / 3.0 - (1 / 12 - 1 / (360 * alpha**2)) / alpha
    assert mvts_lower.log_excess(alpha) == pytest.approx(formula - 1 / (1260 * alpha**5), abs=1e-13)
