"""A sleeper's charge makes it ring less often, never more."""

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.bounds.contract import BOUND_CELLS
from riskbandits.policies.support.contract import bounds_of, new_state

LOW, HIGH = 0.79, 0.81  # the stream


@pytest.mark.parametrize(("pulls", "successes"), [(20.0, 4.0), (50.0, 30.0), (400.0, 80.0), (30.0, 29.0)])
@pytest.mark.parametrize("weight", [0.1, 1.0])
def test_a_charge_takes_away_from_the_tail_of_rewards_0_and_1(pulls, successes, weight):
    policy, risk = rb.BMVTS(), rb.MeanVariance(0.5)
    bounds, state = bounds_of(policy, risk), new_state(policy, 1)
    state[0, :2] = pulls, successes
    threshold = risk.value(0.8, 0.16) - 0.02
    free = bounds.tail(state, 0, threshold, risk, np.zeros((1, BOUND_CELLS)))
    cells = np.zeros((1, BOUND_CELLS))
    charged = bounds.charged_tail(state, 0, threshold, risk.rho, weight, LOW, HIGH, cells)
    assert 0.0 <= charged <= free * (1.0 + 1e-9)
    # A bound it remains, for the stream that charges least.
    draws = np.random.default_rng(5).beta(1.0 + successes, 1.0 + pulls - successes, 100_000)
    away = np.maximum(0.0, np.maximum(LOW - draws, draws - HIGH))
    value = risk.value(draws, draws * (1.0 - draws)) - weight * away**2
    reached = (value >= threshold).mean()
    assert reached <= charged + 4.0 * np.sqrt(max(charged, 1e-5) / len(draws))
