from __future__ import annotations

import numpy as np
from scipy.stats import kstest

from riskbandits.numerics import mrg32k3a


def twin(seeds, number):
    """The recursion as L'Ecuyer prints it, in whole numbers."""
    m1, m2 = 2**32 - 209, 2**32 - 22853
    x, y = list(seeds[:3]), list(seeds[3:])
    for _ in range(number):
        x = [*x[1:], (1403580 * x[1] - 810728 * x[0]) % m1]
        y = [*y[1:], (527612 * y[2] - 1370589 * y[0]) % m2]
        z = (x[2] - y[2]) % m1
        yield (z if z > 0 else m1) / (m1 + 1)


def numbers(state, k, number):
    return [mrg32k3a.uniform(state, k) for _ in range(number)]


def test_the_numbers_of_the_recursion_in_integers():
    words = np.random.default_rng(0).integers(2**32, size=(3, 6), dtype=np.uint32)
    words[0] = 12345
    state = mrg32k3a.states(words) - np.array([[1.0], [0.0], [0.0]])  # the first stream is L'Ecuyer's own example
    for k in range(3):
        expected = list(twin([int(word) for word in state[k]], 2000))
        np.testing.assert_allclose(numbers(state, k, 2000), expected, rtol=1e-15)
        if k == 0:
            assert round(expected[0], 12) == 0.127011122047  # printed with the reference implementation


def test_extreme_words_give_states_that_move():
    for word in (0, 2**32 - 1):
        state = mrg32k3a.states(np.full((1, 6), word, dtype=np.uint32))
        assert (state >= 1).all()
        assert (state[0, :3] < mrg32k3a.MODULUS_1).all()
        assert (state[0, 3:] < mrg32k3a.MODULUS_2).all()
        drawn = numbers(state, 0, 50)
        assert len(set(drawn)) == 50
        assert 0.0 < min(drawn) < max(drawn) < 1.0


def test_uniform_and_independent_between_streams():
    state = mrg32k3a.states(np.random.SeedSequence(3).generate_state(12, np.uint32).reshape(2, 6))
    first, second = numbers(state, 0, 5000), numbers(state, 1, 5000)
    assert kstest(first, "uniform").pvalue > 0.001
    assert kstest(second, "uniform").pvalue > 0.001
    assert abs(np.corrcoef(first, second)[0, 1]) < 4 / np.sqrt(5000)
    assert abs(np.corrcoef(first[1:], first[:-1])[0, 1]) < 4 / np.sqrt(5000)
