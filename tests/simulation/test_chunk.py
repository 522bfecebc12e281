"""The file of a chunk: what is read is what was written, or nothing."""

from __future__ import annotations

import numpy as np
import pytest

from riskbandits.simulation.store import chunk

ARRAYS = {"sums": np.arange(12.0).reshape(2, 3, 2), "pulls": np.array([[1, 2], [3, -4]]), "none": np.zeros((0, 3))}


def encoded() -> bytes:
    return chunk.encode("key", 4, 6, ARRAYS)


def test_arrays_come_back_bit_for_bit_and_may_be_written_to():
    arrays = chunk.decode(encoded(), "key", 4, 6)
    assert list(arrays) == list(ARRAYS)
    for name, array in arrays.items():
        assert array.dtype == ARRAYS[name].dtype
        np.testing.assert_array_equal(array, ARRAYS[name])
        array[...] = 0


def test_runs_take_less_than_half_of_their_memory_once_they_have_settled():
    rng = np.random.default_rng(1)
    # Sums of rewards, which are noise, and of what they cost, which is one of few numbers once a run has settled.
    noise = rng.standard_normal((40, 51, 2)).cumsum(axis=1)
    settled = np.repeat(rng.integers(1, 30, (40, 1, 4)) * 0.37, 51, axis=1)
    arrays = {"sums": np.concatenate([noise, settled], axis=2), "pulls": rng.multinomial(30_000, [0.1, 0.9], size=40)}
    memory = sum(array.nbytes for array in arrays.values())
    data = chunk.encode("key", 0, 40, arrays)
    assert len(data) < 0.45 * memory
    found = chunk.decode(data, "key", 0, 40)
    assert {name: array.tobytes() for name, array in found.items()} == {n: a.tobytes() for n, a in arrays.items()}


def test_special_values_survive():
    values = np.array([np.nan, np.inf, -np.inf, -0.0, 5e-324])
    found = chunk.decode(chunk.encode("key", 0, 1, {"x": values}), "key", 0, 1)["x"]
    assert found.tobytes() == values.tobytes()


def test_every_truncation_is_noticed():
    data = encoded()
    for length in range(len(data)):
        with pytest.raises(chunk.DamagedChunkError):
            chunk.decode(data[:length], "key", 4, 6)


def test_every_changed_byte_is_noticed():
    data = encoded()
    for place in range(len(data)):
        broken = bytearray(data)
        broken[place] ^= 1
        with pytest.raises(chunk.DamagedChunkError):
            chunk.decode(bytes(broken), "key", 4, 6)


@pytest.mark.parametrize("asked", [("other", 4, 6), ("key", 0, 6), ("key", 4, 7)])
def test_a_renamed_file_is_not_taken_for_another(asked):
    with pytest.raises(chunk.DamagedChunkError):
        chunk.decode(encoded(), *asked)
