"""The files of a SQLite database, which must stay the same while the service uses them."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import NamedTuple

from riskbandits.service.db.storage import StorageError

WHAT = {"": "file", "-wal": "write-ahead log", "-shm": "index of the write-ahead log"}  # by how their names end
HEADER_BYTES = 32  # of a write-ahead log: another one whenever SQLite writes to it from the beginning again
LOG_MAGIC = b"\x37\x7f\x06"


class LogState(NamedTuple):
    """What is seen of a write-ahead log from outside."""

    header: bytes
    size: int
    has_hole: bool


class DatabaseFiles:
    """The database file, its write-ahead log and the index of that, as they were when they were opened.

    SQLite goes on writing to a file that was removed, replaced or copied over, and commits without a word what the
    process takes with it when it ends.
    """

    def __init__(self, path: str) -> None:
        self._given, self._path = path, os.path.realpath(path)  # SQLite's other files are beside what a link leads to
        self._known: dict[str, tuple[int, int]] = {}
        self._size = 0
        self._log: LogState | None = None
        self._lock = threading.Lock()

    def check(self, needed: Callable[[], int]) -> None:
        """Raise `StorageError` unless the files are those that were there at first.

        A file that became smaller must still have the bytes that are `needed` for what SQLite takes it to be: a vacuum
        leaves them, a smaller copy that was written over it does not.
        """
        with self._lock:
            for end, what in WHAT.items():
                try:
                    status = os.lstat(self._path + end)
                    known = self._known.setdefault(end, (status.st_dev, status.st_ino))
                    replaced = not end and not os.path.samestat(status, os.stat(self._given))
                except OSError:
                    if end in self._known:
                        raise _changed(what, "removed") from None
                    continue
                if replaced or known != (status.st_dev, status.st_ino):
                    raise _changed(what, "replaced")
                if end == "-wal":
                    self._check_log(what)
                if not end:
                    if status.st_size < self._size and status.st_size < needed():
                        raise _changed(what, "overwritten")
                    self._size = status.st_size

    def _check_log(self, what: str) -> None:
        """Raise if the write-ahead log has lost a part: a restart would find only what stands before it.

        SQLite shortens it only to nothing, after which the next commit stands at the beginning. If somebody else has
        cut it, that commit is written behind the end. What is wrong with it at first is of an earlier time.
        """
        log = _log_state(self._path + "-wal")
        if log is None:  # it goes, or begins anew, just now: the next check sees what it is
            return
        before = self._log or log
        if log.header == before.header:
            lost = log.size < before.size
        else:
            lost = bool(log.header) and not (len(log.header) == HEADER_BYTES and log.header.startswith(LOG_MAGIC))
        if lost or (log.has_hole and not before.has_hole):
            raise _changed(what, "cut short")
        self._log = log

    def closed(self) -> None:
        """Nobody is connected any more: SQLite itself removes all but the database file then."""
        with self._lock:
            self._known = {end: one for end, one in self._known.items() if not end}
            self._log = None


def _log_state(path: str) -> LogState | None:
    """How a write-ahead log looks. SQLite locks the other two files: to close a copy of them frees these."""
    try:
        with open(path, "rb", buffering=0) as file:
            header = file.read(HEADER_BYTES)
            size, has_hole = os.fstat(file.fileno()).st_size, _has_hole(file.fileno())
            file.seek(0)
            return LogState(header, size, has_hole) if file.read(HEADER_BYTES) == header else None
    except OSError:
        return None


def _has_hole(handle: int) -> bool:
    """Whether a part of a file was never written."""
    try:
        return os.lseek(handle, 0, os.SEEK_HOLE) < os.fstat(handle).st_size
    except (AttributeError, OSError):  # Windows, an empty file, or a file system that does not tell
        return False


def _changed(what: str, how: str) -> StorageError:
    return StorageError(f"the database's {what} was {how} while it was in use, and the service must restart")
