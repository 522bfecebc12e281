"""Parquet files with a header: a table, and beside it in JSON what it is and how it came about.

A checksum in the header covers the header itself and every value of the table, and with pyarrow >= 15 each page has
one of its own: a file in which a bit has changed is refused, never read as other numbers.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from riskbandits.core import files
from riskbandits.core.errors import FileError, RiskBanditsError

CHECKSUM = "checksum"


def write(
    table: Any,
    path: str | os.PathLike[str],
    name: str,
    header: dict[str, Any],
    unknown: Callable[[Any], Any] | None = None,
) -> None:
    """Write an Arrow table with its header under the name of the format; `unknown` says what JSON has no word for."""
    import pyarrow.parquet as pq

    plain = json.loads(json.dumps(header, default=unknown))  # as it will be read: the checksum is that of this
    others = table.schema.metadata or {}
    plain[CHECKSUM] = _checksum(table, plain, others)
    pq.write_table(
        table.replace_schema_metadata({**others, name: json.dumps(plain)}),
        path,
        **_if_known(pq.write_table, "write_page_checksum"),
    )


def read(path: str | os.PathLike[str], name: str, version: int, writer: str) -> tuple[dict[str, Any], Any]:
    """Header and table of a file that `writer` wrote in this or an earlier version of the format, or a FileError."""
    import pyarrow.parquet as pq

    files.check_readable(path)
    damaged = _damaged(path, writer)
    try:
        table = pq.read_table(path, **verifying())
        others = dict(table.schema.metadata or {})
        header = json.loads(others.pop(name.encode()))
        found, checksum = header["version"], header.pop(CHECKSUM, None)
        whole = checksum == _checksum(table, header, others)
    except Exception:  # whatever pyarrow makes of a damaged file
        raise damaged from None
    if isinstance(found, int) and found > version:
        raise FileError(
            f"{os.fspath(path)!r} was written by a newer version of riskbandits (format {found}, "
            f"this one reads {version})."
        )
    if not whole:
        raise damaged
    return header, table


def names(path: str | os.PathLike[str]) -> set[str]:
    """The names of what stands beside the table in a file; none if it cannot be read."""
    import pyarrow.parquet as pq

    try:
        return {name.decode(errors="replace") for name in pq.read_metadata(path).metadata or {}}
    except Exception:  # whatever pyarrow makes of a damaged file
        return set()


def verifying() -> dict[str, bool]:
    """What to tell pyarrow or pandas so that the checksums of pages, where there are any, are verified."""
    import pyarrow.parquet as pq

    return _if_known(pq.read_table, "page_checksum_verification")


def _if_known(function: Callable[..., Any], option: str) -> dict[str, bool]:
    """An option of pyarrow from version 15 on; before, the checksum in the header alone must do."""
    return {option: True} if option in inspect.signature(function).parameters else {}


@contextmanager
def understanding(path: str | os.PathLike[str], writer: str) -> Iterator[None]:
    """Make a FileError of the errors that come of a table or header in which something is missing or odd."""
    try:
        yield
    except RiskBanditsError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
        raise _damaged(path, writer) from None


def _damaged(path: str | os.PathLike[str], writer: str) -> FileError:
    return FileError(f"{os.fspath(path)!r} is damaged, or was not written by {writer}.")


def _checksum(table: Any, header: dict[str, Any], others: dict[bytes, bytes]) -> str:
    """A digest of the header, of the other metadata, and of all names, types and values of the table."""
    digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    for key in sorted(others):
        digest.update(b"%d,%d:" % (len(key), len(others[key])) + key + others[key])
    for field, column in zip(table.schema, table.columns, strict=True):
        digest.update(f"{field.name} {len(column)}".encode())
        _add(digest, column.combine_chunks())
    return digest.hexdigest()


def _add(digest: Any, array: Any) -> None:
    """Add values to a digest in a form that does not depend on how Arrow happens to hold them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if isinstance(array, pa.ChunkedArray):  # some versions combine to this
        array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], array.type)
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    kind = array.type
    if array.null_count:
        digest.update(pc.is_null(array).cast(pa.uint8()).to_numpy())
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):  # whose entries Parquet may give another name
        digest.update(b"list")
        _add(digest, pc.fill_null(pc.list_value_length(array), 0))
        _add(digest, array.flatten())
    elif pa.types.is_integer(kind) or pa.types.is_floating(kind):
        digest.update(str(kind).encode())
        digest.update(pc.fill_null(array, 0).to_numpy())
    elif pa.types.is_boolean(kind):
        digest.update(b"bool")
        digest.update(pc.fill_null(array, False).cast(pa.uint8()).to_numpy())
    elif pa.types.is_string(kind) or pa.types.is_large_string(kind):
        digest.update(b"words")
        words = pc.fill_null(array, "").dictionary_encode()  # the words in the order in which they first appear
        digest.update(json.dumps(words.dictionary.to_pylist()).encode())
        digest.update(words.indices.to_numpy())
    else:  # a column of values of other kinds, in a sweep over such
        digest.update(f"{kind}{array.to_pylist()!r}".encode())
