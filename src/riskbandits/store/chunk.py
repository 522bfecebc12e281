"""The file of a chunk: a line of magic, a checksum, a line of JSON, then the arrays byte for byte."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

import numpy as np

MAGIC = b"riskbandits-chunk 1\n"
CHECKSUM_BYTES = 32


class DamagedChunkError(Exception):
    """The bytes are not those of the chunk that was asked for."""


def encode(key: str, first: int, last: int, arrays: Mapping[str, np.ndarray]) -> bytes:
    """The bytes of a chunk."""
    little = {name: np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")) for name, array in arrays.items()}
    shapes = [[name, array.dtype.str, array.shape] for name, array in little.items()]
    header = json.dumps({"key": key, "first": first, "last": last, "arrays": shapes}).encode() + b"\n"
    body = header + b"".join(array.tobytes() for array in little.values())
    return MAGIC + hashlib.sha256(body).digest() + body


def decode(data: bytes, key: str, first: int, last: int) -> dict[str, np.ndarray]:
    """The arrays of a chunk, or DamagedChunkError if a single bit is not as it was written."""
    start = len(MAGIC) + CHECKSUM_BYTES
    body = data[start:]
    if not data.startswith(MAGIC) or hashlib.sha256(body).digest() != data[len(MAGIC) : start]:
        raise DamagedChunkError
    line, _, rest = body.partition(b"\n")
    header = json.loads(line)
    if (header["key"], header["first"], header["last"]) != (key, first, last):  # a file that was renamed
        raise DamagedChunkError
    arrays = {}
    for name, dtype, shape in header["arrays"]:
        count = int(np.prod(shape))
        array = np.frombuffer(rest, dtype=dtype, count=count).reshape(shape)
        arrays[name] = array.astype(array.dtype.newbyteorder("="))  # a copy that may be written to
        rest = rest[array.nbytes :]
    return arrays
