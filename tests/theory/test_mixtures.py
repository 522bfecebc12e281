"""Which measures a single arm serves best: mixtures of random distributions, with values by definition."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import riskbandits as rb
from riskbandits import theory
from riskbandits.core.errors import ParameterError, RefusalError

SINGLE = [
    rb.Mean(),
    rb.MeanVariance(0.7),
    rb.Variance(),
    rb.Sharpe(0.5, 2.0, squares_mean=True),
    rb.CVaR(0.3),
    rb.ValueAtRisk(0.3),
    rb.Entropic(1.5),
    rb.Semivariance(0.4),
    rb.MeanCVaR(0.5, 2.0, 0.3),
    rb.Expectile(0.2),
    rb.MeanSemideviation(0.0),
]
numbers = st.integers(-12, 12).map(lambda x: x / 4)
arms = st.lists(st.lists(numbers, min_size=1, max_size=5), min_size=2, max_size=2)
shares = st.integers(0, 8).map(lambda x: x / 8)


def recorded(rewards):
    flat = [x for arm in rewards for x in arm]
    return rb.DataArms(flat, np.cumsum([len(arm) for arm in rewards]).tolist())


@pytest.mark.parametrize("risk", SINGLE, ids=lambda risk: type(risk).__name__)
@settings(max_examples=60)
@given(arms, shares)
def test_no_mixture_is_worth_more_than_the_best_arm(risk, rewards, share):
    assert theory.single_arm_is_best(risk)[0]
    problem = rb.Problem(recorded(rewards), risk)
    mixed = theory.mixture_value(problem, [share, 1 - share])
    assert mixed <= problem.values.max() + 1e-9
    # The value is that of the rewards of both arms, each as often as its arm is played.
    first, other = len(rewards[0]), len(rewards[1])
    copies = [*rewards[0]] * round(8 * share) * other + [*rewards[1]] * round(8 - 8 * share) * first
    assert mixed == pytest.approx(rb.Problem(recorded([copies]), risk).values[0], abs=1e-9)


@settings(max_examples=60)
@given(arms, shares)
def test_of_a_ratio_with_a_mean_above_zero_too(rewards, share):
    problem = rb.Problem(recorded(rewards), rb.Sharpe(0.5, 2.0))
    if problem.means.max() >= 0:
        assert theory.mixture_value(problem, [share, 1 - share]) <= problem.values.max() + 1e-9


def test_where_a_mixture_is_worth_more():
    distant = rb.GaussianArms([0.0, 2.0], [1.0, 1.5])
    found = theory.best_mixture(rb.Problem(distant, rb.LargestVariance()))
    # w (1 - w) 2^2 + w + 1.5 (1 - w) is largest at w = (4 - 0.5)/8.
    assert found.weights == pytest.approx([0.4375, 0.5625], abs=1e-6)
    assert found.value == pytest.approx(4 * 0.4375 * 0.5625 + 0.4375 + 1.5 * 0.5625)
    assert found.gain == pytest.approx(found.value - 1.5)
    losing = rb.Problem(rb.GaussianArms([-1.0, -5.0], [0.0, 0.0]), rb.Sharpe(0.1))
    found = theory.best_mixture(losing)  # -1/0.1 and -5/0.1 alone
    assert found.gain > 8.0
    assert found.value == pytest.approx(theory.mixture_value(losing, found.weights))
    # Means 0 and 0.4, mean shortfalls 0.8 and 1.2. The border of the first moves up in the mixture, where a fifth of
    # its rewards lie below, that of the second down, where four fifths do: w (1 - w) 0.4 (0.8 - 0.2) is gained.
    rare = recorded([[-4.0, 1.0, 1.0, 1.0, 1.0], [-1.1, -1.1, -1.1, -1.1, 6.4]])
    found = theory.best_mixture(rb.Problem(rare, rb.MeanSemideviation()))
    assert found.weights == pytest.approx([0.5, 0.5], abs=1e-3)
    assert found.gain == pytest.approx(0.06)


def test_it_is_found_among_several_arms_and_one_arm_otherwise():
    arms = rb.GaussianArms([0.0, 0.1, 5.0], [1.0, 1.2, 0.1])
    weights = theory.best_mixture(rb.Problem(arms, rb.LargestVariance())).weights
    assert weights[2] > 0.3
    assert np.count_nonzero(weights) == 2
    tail = rb.Problem(arms, rb.CVaR(0.1))
    assert theory.best_mixture(tail).gain == 0.0
    assert theory.best_mixture(tail).weights.tolist() == np.eye(3)[tail.best_arm].tolist()
    assert theory.best_mixture(rb.Problem(arms, rb.Sharpe())).gain == 0.0


def test_a_grid_of_quantiles_serves_continuous_arms():
    problem = rb.Problem(rb.GaussianArms([0.0, 1.0], [1.0, 1.0]), rb.CVaR(0.2))
    assert theory.mixture_value(problem, [1.0, 0.0]) == pytest.approx(problem.values[0], abs=1e-4)
    draws = np.random.default_rng(1).normal(size=200_000)
    draws[::2] += 1.0
    tail = np.sort(draws)[:40_000].mean()
    assert theory.mixture_value(problem, [0.5, 0.5]) == pytest.approx(tail, abs=0.02)


class Bravery(NamedTuple):
    """A measure that nobody knows."""

    courage: float = 1.0

    def value(self, mean, variance):
        return mean + self.courage * variance


def test_what_is_said_and_refused():
    for risk in (*SINGLE, rb.Sharpe(), rb.LargestVariance(), rb.MeanSemideviation()):
        known, reason = theory.single_arm_is_best(risk)
        assert known is not None
        assert len(reason) > 10
    assert theory.single_arm_is_best(Bravery())[0] is None
    problem = rb.Problem(rb.GaussianArms([0.0, 1.0], [1.0, 1.0]), rb.Mean())
    for bad in ([1.0], [0.5, 0.6], [-0.5, 1.5], [np.nan, 1.0], ["a", "b"], 1.0, None, [[0.5], [0.5]]):
        with pytest.raises(ParameterError, match="weights of a mixture must be 2 numbers >= 0"):
            theory.mixture_value(problem, bad)
    drifting = rb.PiecewiseArms(starts=[1.0, 6.0], arms=rb.GaussianArms([0.0, 0.5, 1.0, 0.25], [1.0, 2.0, 0.5, 1.0]))
    with pytest.raises(RefusalError, match="best mixture is for arms that do not change"):
        theory.best_mixture(rb.Problem(drifting, rb.LargestVariance()))
