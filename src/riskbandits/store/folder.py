"""A folder of chunks. Files appear whole or not at all, and are checked whenever they are read."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from riskbandits import checks, files
from riskbandits.errors import FileError
from riskbandits.store import chunk
from riskbandits.store.keys import as_text

SUFFIX = ".chunk"
ABOUT = "about.json"
SECONDS_UNTIL_ABANDONED = 3600.0


class Store:
    """Chunks in `path`, in one folder per key; each chunk is a range of replications, named after it.

    Several processes may use one store at the same time: a chunk that two of them write is the same.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(checks.path("The folder of a store", path))
        _make(self.path)

    def ranges(self, key: str) -> list[tuple[int, int]]:
        """The ranges of replications that are stored under a key, the longest of those that start together first."""
        found = []
        for name in self._names(key):
            first, _, last = name.removesuffix(SUFFIX).partition("-")
            if name.endswith(SUFFIX) and first.isdigit() and last.isdigit():
                found.append((int(first), int(last)))
        return sorted(found, key=lambda one: (one[0], -one[1]))

    def read(self, key: str, first: int, last: int) -> dict[str, np.ndarray] | None:
        """The arrays of a chunk, or None if it is not there or damaged; a damaged one is reported and removed."""
        path = self._file(key, first, last)
        try:
            return chunk.decode(path.read_bytes(), key, first, last)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise FileError(f"{str(path)!r} could not be read: {error.strerror or error}.") from error
        except chunk.DamagedChunkError:
            print(f"riskbandits: {str(path)!r} is damaged; its runs are simulated again.", file=sys.stderr, flush=True)
            path.unlink(missing_ok=True)
            return None

    def write(
        self, key: str, about: Mapping[str, Any], first: int, last: int, arrays: Mapping[str, np.ndarray]
    ) -> None:
        """Keep a chunk; `about` is written beside it for people to read. On an error nothing stored is touched."""
        folder = self._folder(key)
        if not folder.is_dir():
            _make(folder)
        if not (folder / ABOUT).exists():
            _write(folder / ABOUT, as_text(about).encode())
        _write(self._file(key, first, last), chunk.encode(key, first, last, arrays))

    def _names(self, key: str) -> list[str]:
        folder = self._folder(key)
        try:
            names = os.listdir(folder)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise FileError(f"The store {str(self.path)!r} could not be read: {error.strerror}.") from error
        for name in names:
            if name.startswith("."):
                _remove_if_abandoned(folder / name)
        return names

    def _folder(self, key: str) -> Path:
        return self.path / key[:2] / key[2:]

    def _file(self, key: str, first: int, last: int) -> Path:
        return self._folder(key) / f"{first:08d}-{last:08d}{SUFFIX}"


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"The store folder {str(folder)!r} could not be made: {error.strerror}.") from error


def _write(path: Path, data: bytes) -> None:
    with files.replacing(path) as temporary:
        Path(temporary).write_bytes(data)


def _remove_if_abandoned(path: Path) -> None:
    """Remove the half-written file of a process that was killed; a young one may be another process's at work."""
    try:
        if time.time() - path.stat().st_mtime > SECONDS_UNTIL_ABANDONED:
            path.unlink()
    except OSError:  # gone meanwhile, or not ours to remove
        pass
