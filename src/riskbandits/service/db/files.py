"""The files of a SQLite database, which must stay the same while the service uses them."""

from __future__ import annotations

import os
from collections.abc import Callable

from riskbandits.service.db.storage import StorageError

WHAT = {"": "file", "-wal": "write-ahead log", "-shm": "index of the write-ahead log"}  # by how their names end


class DatabaseFiles:
    """The database file, its write-ahead log and the index of that, as they were when they were opened.

    SQLite goes on writing to a file that was removed, replaced or copied over, and commits without a word what the
    process takes with it when it ends.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._known: dict[str, tuple[int, int]] = {}
        self._size = 0

    def check(self, needed: Callable[[], int]) -> None:
        """Raise `StorageError` unless the files are those that were there at first.

        A file that became smaller must still have the bytes that are `needed` for what SQLite takes it to be: a vacuum
        leaves them, a smaller copy that was written over it does not. A write-ahead log that was cut short is seen when
        the next commit is written behind its end: a restart would find only what stands before the hole.
        """
        for end, what in WHAT.items():
            try:
                status = os.stat(self._path + end)
            except OSError:
                if end in self._known:
                    raise _changed(what, "removed") from None
                continue
            if self._known.setdefault(end, (status.st_dev, status.st_ino)) != (status.st_dev, status.st_ino):
                raise _changed(what, "replaced")
            if end == "-wal" and _has_hole(self._path + end):
                raise _changed(what, "cut short")
            if not end:
                if status.st_size < self._size and status.st_size < needed():
                    raise _changed(what, "overwritten")
                self._size = status.st_size

    def closed(self) -> None:
        """Nobody is connected any more: SQLite itself removes all but the database file then."""
        self._known = {end: one for end, one in self._known.items() if not end}


def _has_hole(path: str) -> bool:
    """Whether a part of a file was never written. SQLite locks the other two: to close a copy of them frees these."""
    if not hasattr(os, "SEEK_HOLE"):  # Windows
        return False
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:  # gone: the next check says so
        return False
    try:
        return os.lseek(handle, 0, os.SEEK_HOLE) < os.fstat(handle).st_size
    except OSError:  # an empty file, or a file system that does not tell
        return False
    finally:
        os.close(handle)


def _changed(what: str, how: str) -> StorageError:
    return StorageError(f"the database's {what} was {how} while it was in use, and the service must restart")
