"""The lemmas on their grids, and the grids' own soundness."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import riskbandits as rb
from riskbandits import metrics
from riskbandits.paper.lemmas import probability_bounds

ROUNDING = 1e-12  # Lemma 4 is an equality at shape 2


def test_lemma_4_holds_from_shape_2_on():
    assert probability_bounds.gamma_lower_tail_margin() >= -ROUNDING
    assert probability_bounds.gamma_lower_tail_margin(shapes=[2.0]) == pytest.approx(0.0, abs=ROUNDING)


@pytest.mark.parametrize("shape", [1.05, 1.25, 1.5, 1.75, 1.95])
def test_lemma_4_fails_between_1_and_2(shape):
    assert probability_bounds.gamma_lower_tail_margin(shapes=[shape]) < -1e-3


def test_lemma_4_by_another_route():
    shape, x = 1.5, 0.7
    bound = math.exp(-x) * (1.0 + x) ** (shape - 1.0) / math.gamma(shape)
    assert stats.gamma(shape).sf(x) < bound


def test_lemma_5_holds_also_below_shape_2():
    assert probability_bounds.gamma_upper_tail_margin() > 0.0
    assert probability_bounds.gamma_upper_tail_margin(shapes=[0.5, 1.0, 1.5]) > 0.0


def test_the_beta_binomial_identity():
    assert probability_bounds.beta_binomial_error() < 1e-11


def test_a_wrong_identity_would_be_found():
    wrong = abs(stats.beta(3, 4).cdf(0.4) - (1.0 - stats.binom(7, 0.4).cdf(2)))
    assert wrong > 1e-2


def test_the_posterior_probability_against_draws():
    rng = np.random.default_rng(5)
    precision = rng.gamma(0.5 + 5 / 2, 1.0 / (0.5 + 5 * 0.3 / 2), 200_000)
    drawn = float(np.mean(1.0 / precision <= 0.4))
    assert float(probability_bounds.precise_probability(5, 0.3, 0.4)) == pytest.approx(drawn, abs=0.005)


def test_lemma_1_holds_with_much_to_spare_for_policies_that_strain_its_proof():
    assert probability_bounds.lemma_1_margin() > 0.9


def test_the_exact_margin_of_lemma_1_agrees_with_playing_it():
    # Arm 1 for m steps, then arm 2 if the noise met so far was high: the terms of the margin, drawn.
    rng = np.random.default_rng(3)
    n, m, gamma, runs = 50, 10, 0.4, 200_000
    noise = rng.standard_normal((runs, n))
    switched = noise[:, :m].sum(axis=1) > 0.0
    means = np.where((np.arange(n) >= m) & switched[:, None], -gamma, 0.0)
    covariance = np.cov(noise.sum(axis=1), means.sum(axis=1))[0, 1]
    assert covariance == pytest.approx(-(n - m) * gamma * np.sqrt(m) / np.sqrt(2.0 * np.pi), rel=0.02)


def test_lemma_1_in_simulations():
    traces = []
    for rho in (0.0, 1.0, 100.0):
        problem = rb.problems.zhu_tan_gaussian(rho)
        policies = [rb.MTS(), rb.VTS(), rb.MVTS(), rb.UniformRandom()]
        traces += rb.simulate(problem, policies, horizon=500, runs=100, seed=2, progress=False).traces
    assert metrics.lemma_1_margin(traces) > 0.0
