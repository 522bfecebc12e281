from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from riskbandits.numerics import moments

numbers = st.floats(-1e6, 1e6, allow_nan=False, width=64)


@given(st.lists(numbers, min_size=1, max_size=60), st.sampled_from([0.0, 1e8, -3.0]))
def test_welford_agrees_with_numpy(values, shift):
    values = np.array(values) + shift
    state = np.zeros((2, moments.WIDTH))
    for value in values:
        moments.add(state, 1, value)
    assert state[1, moments.COUNT] == len(values)
    scale = np.abs(values).max() + 1e-300
    np.testing.assert_allclose(state[1, moments.MEAN], values.mean(), rtol=1e-12, atol=1e-12 * scale)
    np.testing.assert_allclose(moments.variance(state, 1), values.var(), rtol=1e-6, atol=1e-13 * scale**2)
    assert not state[0].any()


def test_by_hand():
    state = np.zeros((1, moments.WIDTH))
    for reward in (1.0, 2.0, 6.0):
        moments.add(state, 0, reward)
    assert state[0].tolist() == [3.0, 3.0, 14.0]  # 4 + 1 + 9
