"""The envelopes of scores: thinned draws have the score's distribution beyond the threshold, and its probability."""

import functools
import math

import numpy as np
import pytest
from scipy import stats

import riskbandits as rb
from riskbandits.bounds.contract import BOUND_CELLS
from riskbandits.policies.support.contract import new_run

PROPOSALS = 6000
SCORES = 60_000


def row(*values):
    state = np.zeros((1, len(values)))
    state[0] = values
    return state


CASES = [
    (rb.MVTS(), row(1.0, 0.3, 0.0), 1.0),
    (rb.MVTS(), row(5.0, 0.3, 2.0), 0.0),
    (rb.MVTS(), row(40.0, 0.3, 20.0), 0.001),
    (rb.MVTS(), row(40.0, 0.3, 20.0), 1.0),
    (rb.MVTS(), row(4.0, 0.3, 3.0), 1.0),
    (rb.MVTS(), row(3000.0, 0.3, 900.0), 0.5),
    (rb.MVTS(), row(40.0, 0.3, 20.0), 1e9),
    (rb.MVTS(shape=0.0, rate=0.0), row(30.0, -2.0, 9.0), 2.0),
    (rb.VTS(), row(1.0, 0.3, 0.0), 1.0),
    (rb.VTS(shape=0.1), row(1.0, 0.3, 0.0), 1.0),
    (rb.VTS(), row(50.0, 0.3, 20.0), 0.1),
    (rb.MTS(), row(7.0, 0.3, 2.0), 3.0),
    (rb.BMVTS(), row(0.0, 0.0), 1.0),
    (rb.BMVTS(), row(40.0, 3.0), 0.1),
    (rb.BMVTS(), row(40.0, 20.0), 0.0),
    (rb.BMVTS(0.5, 0.5), row(300.0, 120.0), 0.5),
]


# Leaders of these are drawn at every step.
TAILS_ONLY = [
    (rb.NGTS.paper(), row(1.0, 0.3, 0.0), 1.0),
    (rb.NGTS.paper(), row(5.0, 0.3, 2.0), 0.0),
    (rb.NGTS.paper(), row(40.0, 0.3, 20.0), 0.001),
    (rb.NGTS.paper(), row(4.0, -0.3, 3.0), 1.0),
    (rb.NGTS.paper(), row(3000.0, 0.3, 900.0), 0.5),
    (rb.NGTS.honda_takemura(), row(30.0, -2.0, 9.0), 20.0),
]


def scores_in(policy, state, risk):
    """Scores by the policy itself."""
    rng, run = np.random.default_rng(8), new_run(math.inf)
    return np.array([policy.score(state, 0, run, risk, rng) for _ in range(SCORES)])


@functools.cache
def scores_of(case):
    """The same for every threshold: drawing them is most of the work."""
    policy, state, rho = [*CASES, *TAILS_ONLY][case]
    return scores_in(policy, state, rb.MeanVariance(rho))


@pytest.mark.parametrize("case", range(len(CASES) + len(TAILS_ONLY)))
@pytest.mark.parametrize("share", [0.1, 0.01])
def test_tail(case, share):
    policy, state, rho = [*CASES, *TAILS_ONLY][case]
    risk = rb.MeanVariance(rho)
    rng = np.random.default_rng(9)
    scores = scores_of(case)
    threshold = float(np.quantile(scores, 1 - share))
    envelope = np.zeros((1, BOUND_CELLS))
    bounds = policy.bounds(risk)
    mass = bounds.tail(state, 0, threshold, risk, envelope)
    if mass == 1.0:
        pytest.skip("no envelope: the arm would stay awake")
    drawn = np.array([bounds.draw_above(state, 0, threshold, risk, envelope, rng) for _ in range(PROPOSALS)])
    compare(drawn, scores[scores >= threshold], mass)
    assert np.nanmin(drawn) >= threshold - 1e-9 * max(1.0, abs(threshold))


@pytest.mark.parametrize("case", range(len(CASES)))
@pytest.mark.parametrize("depth", [1.2, 2.2])
@pytest.mark.parametrize("learnt", [False, True])
def test_dip(case, depth, learnt):
    policy, state, rho = CASES[case]
    risk = rb.MeanVariance(rho)
    rng = np.random.default_rng(9)
    envelope = np.zeros((1, BOUND_CELLS))
    bounds = policy.bounds(risk)
    floor, mass = bounds.watch(state, 0, risk, depth, envelope)
    if mass == 1.0:
        pytest.skip("the leader would not be watched")
    state = state.copy()
    if learnt:  # the bound must hold while the leader learns
        run = np.zeros(13)
        good = 1.0 if isinstance(policy, rb.BMVTS) and envelope[0, 1] > 0 else 0.0
        reward = good if isinstance(policy, rb.BMVTS) else float(state[0, 1])
        for _ in range(3):
            policy.learn(state, 0, run, reward)
    assert bounds.steady(state, 0, risk, envelope)
    scores = scores_in(policy, state, risk) if learnt else scores_of(case)
    drawn = np.array([bounds.draw_dip(state, 0, risk, envelope, rng) for _ in range(PROPOSALS)])
    compare(drawn, scores[scores < floor], mass)


def compare(drawn, beyond, mass):
    """Kept proposals come as often as scores beyond the threshold, and have their distribution."""
    kept = drawn[~np.isnan(drawn)]
    expected = len(beyond) / SCORES
    found = len(kept) / PROPOSALS * mass
    error = math.sqrt(expected / SCORES + mass * max(found, 1e-9) / PROPOSALS)
    assert abs(found - expected) < 4 * error + 1e-4
    if min(len(kept), len(beyond)) > 50:
        assert stats.ks_2samp(kept, beyond).pvalue > 1e-4
