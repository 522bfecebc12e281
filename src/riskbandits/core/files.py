"""Writing files so that a reader never sees half of one, and reading the text in one."""

from __future__ import annotations

import codecs
import errno
import hashlib
import json
import os
import re
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from riskbandits.core.errors import FileError, shown

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

# A half-written file has one of a few names beside its target, and is locked by who writes it: whoever saves next
# finds those of processes that were killed, and takes them away.
TEMPORARY_SLOTS = 32
TEMPORARY = re.compile(r"\..+\.\d+\.part", re.DOTALL)
LONGEST_NAME = 200  # bytes; file systems allow 255, and the name gets longer
SECONDS_UNTIL_ABANDONED = 3600.0  # where files cannot be locked
SECONDS_BETWEEN_TRIES = 0.05
SECONDS_FOR_READERS = 2.0  # on Windows
PROBE_BYTES = 4096  # written to find out whether the disk is full
NON_REGULAR_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
# In this order: the mark of UTF-32 begins with that of UTF-16.
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[str]:
    """Give the name of a temporary file that takes the place of `path` when the block ends without an error.

    Whatever stood at `path` is untouched if anything goes wrong, a full disk, an interrupt and a kill included. A
    symbolic link stays, and what it points to is replaced; the new file has the mode and, where that is allowed, the
    owner of the old one. What is no file (a folder, a pipe, a device) is refused.
    """
    try:
        target, before = _target(path)
        # The system takes the usual bits from the mode: asking for them would change them for all threads.
        handle = _new_file(target, 0o666 if before is None else _mode(before) | 0o600)
        renamed = False
        try:
            yield handle.name
            _finish(handle, target, before)
            renamed = True
        finally:
            try:
                if not renamed:
                    _discard(handle)
            finally:
                handle.close()  # and with it the lock
    except OSError as error:
        raise FileError(f"{os.fspath(path)!r} could not be written: {error.strerror or error}.") from error


def check_replaceable(path: str | os.PathLike[str]) -> None:
    """Raise if `replacing` would fail now: no file stands there, the folder may not be written, the disk is full.

    A small file is written beside the target, and removed: permissions alone do not tell.
    """
    try:
        target, _ = _target(path)
        handle = _new_file(target, 0o600)
        try:
            with open(handle.name, "rb+") as tried:
                tried.write(bytes(PROBE_BYTES))
                tried.flush()
                os.fsync(tried.fileno())
        finally:
            try:
                _discard(handle)
            finally:
                handle.close()
    except OSError as error:
        raise FileError(f"{os.fspath(path)!r} could not be written: {error.strerror or error}.") from error


def check_folder(path: str | os.PathLike[str]) -> None:
    """The same for files in a folder that need not exist yet."""
    folder = Path(os.path.realpath(path))
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    if not folder.is_dir():
        raise FileError(f"The folder {os.fspath(path)!r} could not be created: {str(folder)!r} is a file.")
    try:
        check_replaceable(folder / "riskbandits")
    except FileError as error:
        reason = error.__cause__
        problem = getattr(reason, "strerror", None) or str(reason or error)
        raise FileError(f"{os.fspath(path)!r} could not be written: {problem}.") from None


def remove_abandoned(folder: Path, names: Iterable[str]) -> None:
    """Remove, of these names in a folder, half-written files of processes that were killed, not of those at work."""
    for name in names:
        if TEMPORARY.fullmatch(name):
            _remove_if_abandoned(str(folder / name))


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a file, in the encoding that its byte order mark names, UTF-8 without one."""
    data = Path(path).read_bytes()
    return data.decode(encoding_of(data))


def check_readable(path: str | os.PathLike[str]) -> None:
    """Raise if there is no file at `path` that may be read: a pipe may never end, and a device need not."""
    name = os.fspath(path)
    try:
        if stat.S_ISREG(os.stat(path).st_mode):
            open(path, "rb").close()
            return
    except (FileNotFoundError, NotADirectoryError, ValueError):
        pass
    except OSError as error:
        raise FileError(f"{name!r} could not be read: {error.strerror or error}.") from None
    raise FileError(f"There is no file {name!r}.")


def others_may_write(status: os.stat_result, trusted: int | None = None) -> str | None:
    """Why a file or folder is not only ours, as `ssh` asks of keys: the words that go on after its name.

    Root and the user `trusted` may own it too; whoever may write through a group is trusted.
    """
    if not hasattr(os, "geteuid"):  # Windows has other rights
        return None
    if status.st_uid not in (0, os.geteuid(), trusted):
        return "belongs to another user"
    return "may be written to by anybody" if status.st_mode & stat.S_IWOTH else None


def read_json(path: str | os.PathLike[str], kind: str) -> Any:
    """What a JSON file holds, or a FileError that it cannot be read as a thing of that kind."""
    check_readable(path)
    try:
        return json.loads(read_text(path), object_pairs_hook=_object)
    except RecursionError:
        problem = "its brackets are nested too deeply"
    except (ValueError, OSError) as error:
        problem = str(error)
    raise FileError(f"{os.fspath(path)!r} could not be read as {kind}: {problem}.")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):  # the last one would silently be taken
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{shown(twice)} appears twice in one object")
    return made


def encoding_of(beginning: bytes) -> str:
    """The encoding that a byte order mark names, UTF-8 without one.

    >>> encoding_of("mean".encode("utf-16")), encoding_of(b"mean")
    ('utf-16', 'utf-8')
    """
    return next((name for mark, name in BYTE_ORDER_MARKS if beginning.startswith(mark)), "utf-8")


def _target(path: str | os.PathLike[str]) -> tuple[str, os.stat_result | None]:
    """The file to be replaced, at the end of all links, and what is known of it if it is there."""
    target = os.path.realpath(os.fspath(path))
    try:
        found = os.stat(target)
    except FileNotFoundError:
        return target, None
    for is_kind, kind in NON_REGULAR_KINDS:
        if is_kind(found.st_mode):
            raise FileError(f"{os.fspath(path)!r} must be a file, or not exist yet. It is {kind}.")
    return target, found


def _mode(found: os.stat_result) -> int:
    return stat.S_IMODE(found.st_mode) & 0o777


def _temporary(target: str, place: int) -> str:
    folder, name = os.path.split(target)
    if len(os.fsencode(name)) > LONGEST_NAME:
        name = hashlib.sha256(os.fsencode(name)).hexdigest()
    return os.path.join(folder, f".{name}.{place}.part")


def _new_file(target: str, mode: int) -> IO[bytes]:
    """A new and locked file beside the target, in the first place that nobody works at."""
    while True:
        found = None
        for place in range(TEMPORARY_SLOTS):
            name = _temporary(target, place)
            _remove_if_abandoned(name)
            if found is None:
                found = _made(name, mode)
        if found is not None:
            return found
        time.sleep(SECONDS_BETWEEN_TRIES)  # so many write the same file at the same time


def _made(name: str, mode: int) -> IO[bytes] | None:
    """A file of that name that was not there before, locked; None if somebody else has it."""
    try:
        # A file object rather than a number: it is closed even if an interrupt comes before it has a name here.
        handle = open(name, "xb", opener=lambda path, flags: os.open(path, flags, mode))  # noqa: SIM115
    except FileExistsError:
        return None
    if fcntl is None:
        handle.close()  # Windows renames no open file
        return handle
    # Before the lock another process may have taken it for abandoned, and removed it.
    if _lock(handle) is False or os.fstat(handle.fileno()).st_nlink == 0:
        handle.close()
        return None
    return handle


def _lock(handle: IO[bytes]) -> bool | None:
    """Whether the file is now locked by this process; None where files cannot be locked."""
    try:
        fcntl.flock(handle.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _remove_if_abandoned(name: str) -> None:
    try:
        found = os.lstat(name)
        if not stat.S_ISREG(found.st_mode):  # none of ours
            return
        old = time.time() - found.st_mtime > SECONDS_UNTIL_ABANDONED
        if fcntl is None:
            locked = None
        else:
            careful = os.O_NOFOLLOW | os.O_NONBLOCK
            with open(name, "rb+", opener=lambda path, flags: os.open(path, flags | careful)) as handle:
                locked = _lock(handle)
                if locked:
                    _discard(handle)
        if locked is None and old:
            os.unlink(name)
    except OSError:  # gone meanwhile, or not ours to remove
        pass


def _discard(handle: IO[bytes]) -> None:
    """Remove the file unless it has become the target: its name may by then be that of another process's file."""
    with suppress(FileNotFoundError):
        if handle.closed or os.path.samestat(os.fstat(handle.fileno()), os.lstat(handle.name)):
            os.unlink(handle.name)


def _finish(handle: IO[bytes], target: str, before: os.stat_result | None) -> None:
    """Put what was written on the disk, under the name of the target."""
    with open(handle.name, "rb+") as written:
        os.fsync(written.fileno())
    if before is not None:
        _keep_owner(handle.name, before)
        os.chmod(handle.name, _mode(before))
    _replace(handle.name, target)
    _sync_folder(os.path.dirname(target))


def _replace(name: str, target: str) -> None:
    """Rename a file; Windows refuses to replace one that somebody has open, so readers are given some time."""
    until = time.monotonic() + SECONDS_FOR_READERS
    while True:
        try:
            return os.replace(name, target)
        except PermissionError:
            if fcntl is not None or time.monotonic() > until:
                raise
        time.sleep(SECONDS_BETWEEN_TRIES)


def _keep_owner(name: str, before: os.stat_result) -> None:
    made: Any = os.stat(name)
    if not hasattr(os, "chown") or (made.st_uid, made.st_gid) == (before.st_uid, before.st_gid):
        return
    for owner in (before.st_uid, -1):  # or at least the group
        try:
            os.chown(name, owner, before.st_gid)
        except OSError:  # not allowed
            continue
        return


def _sync_folder(folder: str) -> None:
    """Put the new name on the disk as well, where a folder can be synced."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # Windows, or a folder that may be written but not read
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EROFS):
            raise
    finally:
        os.close(handle)
