"""Compiled code on disk: found again by the next process, checked bit by bit, and never in the way.

Numba's own cache stops at a file that is cut, damaged or may not be written, and hands machine code to the processor as
it finds it. Here a file that is not as it was written counts as missing, and where nothing can be written code is
compiled and not kept. A file holds one function, compiled for one list of argument types, and appears whole or not
at all.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from collections.abc import Callable
from typing import Any

import numba
from numba.core import compiler, config
from numba.core.caching import NullCache
from numba.core.serialize import dumps
from numba.misc.appdirs import AppDirs

from riskbandits.core import files, notices
from riskbandits.core.errors import FileError

_config: Any = config

MAGIC = b"riskbandits-compiled 1\n"
CHECKSUM_BYTES = 32
SUFFIX = ".compiled"
LONGEST_NAME = 120  # of the part for people: file names may have 255 bytes
DIGITS = 24


class CompileCache(NullCache):
    """What numba asks before it compiles a function, and tells what it has compiled."""

    def __init__(
        self,
        source: str,  # the file in which the function stands
        name: str,  # for people who look into the folder
        code: str | None,  # the fingerprint of all that is compiled; None: nothing is kept
        before: Callable[[], None],  # called before something is compiled, and not when it was found
        after: Callable[[], None],
    ) -> None:
        self._folders = [] if code is None else _folders(source)
        self._name = "".join(c if c.isalnum() or c in "-_." else "_" for c in name)[:LONGEST_NAME]
        self._code = code
        self._before, self._after = before, after
        self._trusted = _owner(source)  # who can write the source can have any code run

    @property
    def cache_path(self) -> str | None:
        """The folder that is tried first."""
        return self._folders[0] if self._folders else None

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function for these types, or None: it must be compiled."""
        target_context.refresh()
        key = self._key(sig, target_context.codegen())
        for folder in self._folders:
            try:
                with open(os.path.join(folder, self._file(key)), "rb") as file:
                    if others := _who_else_may_write(folder, file.fileno(), self._trusted):
                        self._say_not_used(folder, others)
                        continue
                    data = file.read()
                found, payload = pickle.loads(unsealed(data))
                if found == key:
                    return compiler.CompileResult._rebuild(target_context, *payload)
            except Exception:  # missing, damaged, or it names a class that is gone: compiled anew
                continue
        self._before()
        return None

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Keep what was compiled, if it can be kept."""
        self._after()
        # Code that holds addresses of this process (of large arrays, say) is of no use to another one.
        if not self._folders or cres.lifted or cres.library.has_dynamic_globals:
            return None
        key = self._key(sig, cres.codegen)
        complaint = ""
        try:
            data = sealed(dumps((key, cres._reduce())))
        except Exception as error:  # numba does not document how it writes down what it has compiled
            return self._say_not_kept(f"numba {numba.__version__}: {error}")
        for folder in self._folders:
            try:
                os.makedirs(folder, exist_ok=True)
                with files.replacing(os.path.join(folder, self._file(key))) as temporary, open(temporary, "wb") as file:
                    file.write(data)
                return None
            except (OSError, FileError) as error:
                complaint = complaint or f"{folder!r}: {getattr(error, 'strerror', None) or error}"
        return self._say_not_kept(complaint)

    def _say_not_used(self, folder: str, others: str) -> None:
        notices.say_once(
            f"Compiled code in {folder!r} is not used, since {others}: let only yourself write there, or set "
            "NUMBA_CACHE_DIR to another folder.",
            about="using compiled code",
        )

    def _say_not_kept(self, complaint: str) -> None:
        notices.say_once(
            f"Compiled code cannot be kept on disk ({complaint.rstrip('.')}), so every process recompiles: "
            "set NUMBA_CACHE_DIR to a folder that can be written to.",
            about="keeping compiled code",
        )

    def _key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        return self._code, sig, codegen.magic_tuple()

    def _file(self, key: tuple[Any, ...]) -> str:
        types = hashlib.sha256(repr(key).encode()).hexdigest()
        return f"{self._name}-{str(self._code)[:DIGITS]}-{types[:DIGITS]}{SUFFIX}"


def _owner(path: str) -> int | None:
    try:
        return os.stat(path).st_uid
    except OSError:
        return None


def _who_else_may_write(folder: str, file: int, trusted: int | None) -> str | None:
    """Why a file or its folder is not only ours: what lies there is run."""
    for what, status in (("the folder", os.stat(folder)), ("a file in it", os.fstat(file))):
        if others := files.others_may_write(status, trusted):
            return f"{what} {others}"
    return None


def sealed(body: bytes) -> bytes:
    """Bytes with a checksum before them."""
    return MAGIC + hashlib.sha256(body).digest() + body


def unsealed(data: bytes) -> bytes:
    """The bytes that were sealed; ValueError if a single bit is not as it was."""
    start = len(MAGIC) + CHECKSUM_BYTES
    body = data[start:]
    if not data.startswith(MAGIC) or hashlib.sha256(body).digest() != data[len(MAGIC) : start]:
        raise ValueError("damaged")
    return body


def _folders(source: str) -> list[str]:
    """Where compiled code may lie: where NUMBA_CACHE_DIR says, else beside the source or in the user's own folder."""
    if _config.CACHE_DIR:
        return [os.path.join(_config.CACHE_DIR, "riskbandits")]
    found = [os.path.join(os.path.dirname(os.path.abspath(source)), "__pycache__")] if os.path.isfile(source) else []
    own = os.path.join(AppDirs(appname="numba", appauthor=False).user_cache_dir, "riskbandits")
    return [*found, own] if os.path.isabs(own) else found


def importable(cls: type) -> bool:
    """Whether a file on disk may refer to the class by name.

    Not so for classes made inside functions or replaced since, nor for those of `__main__`, which
    numba's pickler copies: every process would add a cache file and none would find it.
    """
    if cls.__module__ == "__main__":
        return False
    found: Any = sys.modules.get(cls.__module__)
    for part in cls.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is cls
