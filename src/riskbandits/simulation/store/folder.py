"""A folder of chunks. Files are written atomically, and verified whenever they are read."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from riskbandits.core import checks, files
from riskbandits.core.errors import FileError
from riskbandits.simulation.store import chunk

SUFFIX = ".chunk"
ABOUT = "about.json"
NAME = re.compile(rf"([0-9]{{8,18}})-([0-9]{{8,18}}){re.escape(SUFFIX)}")
NOT_ALLOWED = (errno.EACCES, errno.EPERM, errno.EROFS)
DIGITS = 40


class ForeignChunkError(Exception):
    """A file that somebody else may have written."""


class Store:
    """Chunks in `path`, in one folder per key; each chunk is a range of replications, named after it.

    Several processes may use one store at the same time: a chunk that two of them write is the same. Results that
    others may have put there are not taken.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(checks.path("The folder of a store", path))
        self._read_only = False
        _make(self.path)
        if others := files.others_may_write(self.path.stat()):
            raise FileError(
                f"The store {str(self.path)!r} is not used: it {others}. Take a folder that only you may write to."
            )

    def ranges(self, key: str) -> list[tuple[int, int]]:
        """The ranges of replications that are stored under a key, the longest of those that start together first."""
        found = []
        for name in self._names(key):
            # Only a name that `_file` gives: a chunk under another one would be looked for in vain.
            if match := NAME.fullmatch(name):
                first, last = int(match[1]), int(match[2])
                if first < last and name == _name(first, last):
                    found.append((first, last))
        return sorted(found, key=lambda one: (one[0], -one[1]))

    def read(self, key: str, first: int, last: int) -> dict[str, np.ndarray] | None:
        """The arrays of a chunk, or None if it is not there, damaged, or others may have written it.

        The last two are reported and removed, except in a read-only store; anything that is not a file (a pipe, a
        folder) is ignored.
        """
        path = self._file(key, first, last)
        try:
            data = _bytes_of_file(path)
            return None if data is None else chunk.decode(data, key, first, last)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise FileError(f"{str(path)!r} could not be read: {error.strerror or error}.") from error
        except (chunk.DamagedChunkError, ForeignChunkError) as error:
            _say(f"{str(path)!r} {str(error) or 'is damaged'}; its runs are simulated again.")
            with suppress(OSError):  # a store that may only be read
                path.unlink()
            return None

    def write(
        self, key: str, about: Mapping[str, Any], first: int, last: int, arrays: Mapping[str, np.ndarray]
    ) -> None:
        """Keep a chunk; `about` is written beside it for people to read. On an error nothing stored is touched.

        In a read-only store, or where something else than a file is in the way, it is not kept, and a warning says so.
        """
        folder, path = self._folder(key), self._file(key, first, last)
        if self._read_only:
            return
        if os.path.lexists(path) and not path.is_file():
            _say(f"{str(path)!r} is not a file: the runs that belong there are not kept.")
            return
        try:
            if not folder.is_dir():
                _make(folder)
            if not (folder / ABOUT).exists():
                _write(folder / ABOUT, as_text(about).encode())
            _write(path, chunk.encode(key, first, last, arrays))
        except FileError as error:
            if getattr(error.__cause__, "errno", None) not in NOT_ALLOWED:
                raise
            self._read_only = True
            _say(f"the store {str(self.path)!r} is read-only: new runs are not kept.")

    def _names(self, key: str) -> list[str]:
        folder = self._folder(key)
        try:
            names = os.listdir(folder)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise FileError(f"The store {str(self.path)!r} could not be read: {error.strerror}.") from error
        files.remove_abandoned(folder, names)
        return names

    def _folder(self, key: str) -> Path:
        return self.path / key[:2] / key[2:]

    def _file(self, key: str, first: int, last: int) -> Path:
        return self._folder(key) / _name(first, last)


def _name(first: int, last: int) -> str:
    return f"{first:08d}-{last:08d}{SUFFIX}"


def _say(sentence: str) -> None:
    if sys.stderr is not None:  # closed
        print(f"riskbandits: {sentence}", file=sys.stderr, flush=True)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"The store folder {str(folder)!r} could not be created: {error.strerror}.") from error


def _write(path: Path, data: bytes) -> None:
    with files.replacing(path) as temporary:
        Path(temporary).write_bytes(data)


def _bytes_of_file(path: Path) -> bytes | None:
    """What a file holds, None if it is no file; opening a pipe must not wait for somebody to write into it."""
    if not stat.S_ISREG(path.stat().st_mode):
        return None
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NONBLOCK", 0))) as file:
        status = os.fstat(file.fileno())
        if others := files.others_may_write(status):
            raise ForeignChunkError(others)
        return file.read() if stat.S_ISREG(status.st_mode) else None


def as_text(about: Mapping[str, Any]) -> str:
    """A description in one form only: the same values give the same text on every machine."""
    return json.dumps(about, sort_keys=True, default=repr)


def content_key(about: Mapping[str, Any]) -> str:
    """The key of a description.

    >>> content_key({"seed": 1, "runs": 2}) == content_key({"runs": 2, "seed": 1})
    True
    """
    return hashlib.sha256(as_text(about).encode()).hexdigest()[:DIGITS]
