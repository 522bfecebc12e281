"""Parquet files with a header: a table, and beside it in JSON what it is and how it came about."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from riskbandits.errors import FileError


def write(
    table: Any,
    path: str | os.PathLike[str],
    name: str,
    header: dict[str, Any],
    unknown: Callable[[Any], Any] | None = None,
) -> None:
    """Write an Arrow table with its header under the name of the format; `unknown` says what JSON has no word for."""
    import pyarrow.parquet as pq

    metadata = {**(table.schema.metadata or {}), name: json.dumps(header, default=unknown)}
    pq.write_table(table.replace_schema_metadata(metadata), path)


def read(path: str | os.PathLike[str], name: str, version: int, writer: str) -> tuple[dict[str, Any], Any]:
    """Header and table of a file that `writer` wrote in this or an earlier version of the format, or a FileError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not Path(path).is_file():
        raise FileError(f"There is no file {os.fspath(path)!r}.")
    try:
        table = pq.read_table(path)
        header = json.loads((table.schema.metadata or {})[name.encode()])
    except (pa.ArrowException, OSError, KeyError, ValueError):
        raise FileError(f"{os.fspath(path)!r} is damaged or was not written by {writer}.") from None
    if header["version"] > version:
        raise FileError(
            f"{os.fspath(path)!r} was written by a newer version of riskbandits (format {header['version']}, "
            f"this one reads {version})."
        )
    return header, table
