"""The files of a SQLite database, which must stay the same while the service uses them."""

from __future__ import annotations

import os

from riskbandits.service.db.storage import StorageError


class DatabaseFiles:
    """The database file and its write-ahead log, as they were when they were opened.

    SQLite goes on writing to a file that was removed or replaced, and commits without a word what the process takes
    with it when it ends.
    """

    def __init__(self, path: str) -> None:
        self._paths = {"file": path, "write-ahead log": f"{path}-wal"}
        self._known: dict[str, tuple[int, int] | None] = dict.fromkeys(self._paths)

    def check(self) -> None:
        """Raise `StorageError` unless the files are those that were there at first."""
        for what, path in self._paths.items():
            found = _identity(path)
            if self._known[what] is None:
                self._known[what] = found
            elif found != self._known[what]:
                how = "removed" if found is None else "replaced"
                raise StorageError(f"the database's {what} was {how} while it was in use, and the service must restart")

    def closed(self) -> None:
        """Nobody is connected any more: SQLite itself removes the write-ahead log then."""
        self._known["write-ahead log"] = None


def _identity(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino
