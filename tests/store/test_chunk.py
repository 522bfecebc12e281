"""The file of a chunk: what is read is what was written, or nothing."""

from __future__ import annotations

import numpy as np
import pytest

from riskbandits.store import chunk

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
