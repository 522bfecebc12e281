"""Random streams for GPUs: the generators of the literature, keyed by replication."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from riskbandits.compiling import jit
from riskbandits.simulation.cuda.random_streams import ShortStream, Stream, initial_words, next_word, splitmix

# xoroshiro128++ from the state (1, 2), a published test vector.
FIRST_WORDS = [393217, 669327710093319, 1732421326133921491, 11394790081659126983, 9555452776773192676]
KEY = (1, 2, 3, 4)


def words_of(words):
    return [int(next_word(words)) for _ in range(5)]


def take_five(words, out):
    for i in range(5):
        out[i] = next_word(words)


def test_words_are_those_of_the_reference():
    assert words_of(np.array([1, 2], dtype=np.uint64)) == FIRST_WORDS


def test_compiled_words_are_the_same():
    out = np.zeros(5, dtype=np.uint64)
    jit.entry(take_five, ())(np.array([1, 2], dtype=np.uint64), out)
    assert out.tolist() == FIRST_WORDS


def test_seeding_is_splitmix64():
    assert splitmix(np.uint64(0), np.array([1], dtype=np.uint64)).tolist() == [0xE220A8397B1DCDAF]


def test_a_stream_depends_on_its_key_alone():
    many = initial_words(7, KEY, np.arange(1000))
    assert np.array_equal(initial_words(7, KEY, np.array([3, 999])), many[:, [3, 999]])
    for seed, key in ((8, KEY), (7, (1, 2, 3, 5))):
        assert not (initial_words(seed, key, np.arange(1000)) == many).any()


def test_all_streams_differ():
    words = initial_words(0, KEY, np.arange(20_000))
    assert words.shape == (4, 20_000)
    assert len(np.unique(words)) == words.size


@pytest.mark.parametrize("kind", [Stream, ShortStream])
@pytest.mark.parametrize("row", [0, 2])
def test_numbers_have_their_laws(kind, row):
    stream = kind(initial_words(5, KEY, np.arange(1))[row : row + 2, 0].copy())
    uniform = np.array([stream.random() for _ in range(4000)])
    normal = np.array([stream.standard_normal() for _ in range(4000)])
    assert ((uniform >= 0.0) & (uniform < 1.0)).all()
    assert stats.kstest(uniform, "uniform").pvalue > 1e-4
    assert stats.kstest(normal, "norm").pvalue > 1e-4
    assert abs(np.corrcoef(normal[:-1], normal[1:])[0, 1]) < 4 / np.sqrt(4000)


def test_replications_are_not_correlated():
    words = initial_words(5, KEY, np.arange(2000))
    pairs = np.array([[Stream(words[row : row + 2, r].copy()).random() for row in (0, 2)] for r in range(2000)])
    assert stats.kstest(pairs.ravel(), "uniform").pvalue > 1e-4
    assert abs(np.corrcoef(pairs.T)[0, 1]) < 4 / np.sqrt(2000)
    assert abs(np.corrcoef(pairs[:-1, 0], pairs[1:, 0])[0, 1]) < 4 / np.sqrt(2000)
