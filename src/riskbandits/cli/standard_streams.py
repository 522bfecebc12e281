"""Standard output and standard error that may be closed, full, or unable to encode every character."""

from __future__ import annotations

import codecs
import errno
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from riskbandits.core.display import filled
from riskbandits.core.errors import RiskBanditsError

SPELLED = {"±": "+-", "ρ": "rho", "×": "x", "…": "...", "–": "-", "’": "'", "≤": "<=", "≥": ">="}  # noqa: RUF001
HANDLER = "riskbandits-spelled"


class OutputError(RiskBanditsError):
    """Standard output cannot be written to."""

    def __init__(self, cause: OSError) -> None:
        super().__init__(f"Standard output could not be written: {cause.strerror or cause}.")
        self.nobody_reads = cause.errno == errno.EPIPE  # as in `riskbandits list | head`: no reason to complain


class _Guarded:
    """A stream whose failures raise OutputError or, for standard error, are ignored."""

    def __init__(self, stream: Any, needed: bool) -> None:
        self._stream, self._needed = stream, needed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        try:
            if self._stream is None:
                raise OSError(errno.EBADF, "it is closed")
            return int(self._stream.write(text))
        except OSError as error:
            return self._failed(error)

    def flush(self) -> None:
        try:
            if self._stream is not None:
                self._stream.flush()
        except OSError as error:
            self._failed(error)

    def isatty(self) -> bool:
        return self._stream is not None and bool(self._stream.isatty())

    @property
    def encoding(self) -> str:
        return getattr(self._stream, "encoding", None) or "utf-8"

    def _failed(self, error: OSError) -> int:
        if self._stream is not None:
            _leave_to_nobody(self._stream)
        if self._needed:
            raise OutputError(error) from None
        return 0


@contextmanager
def guarded() -> Iterator[None]:
    """Within the block `print` can only fail with an OutputError on standard output, and never on standard error."""
    before = sys.stdout, sys.stderr
    codecs.register_error(HANDLER, _spelled)
    if None in before:
        _occupy_standard_streams()
    for stream in before:
        if getattr(stream, "errors", None) in ("strict", "surrogateescape") and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=HANDLER)
    sys.stdout, sys.stderr = _Guarded(before[0], True), _Guarded(before[1], False)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _spelled(error: UnicodeError) -> tuple[str | bytes, int]:
    """A replacement for a character the encoding lacks; undecodable bytes of a file name are kept."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    sign = error.object[error.start]
    byte = ord(sign) - 0xDC00  # as Python reads names of files
    return bytes([byte]) if 128 <= byte < 256 else SPELLED.get(sign, "?"), error.start + 1


def _occupy_standard_streams() -> None:
    """Reserve the numbers of closed streams: files opened later would reuse them, and receive what is printed."""
    while (handle := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(handle)


def _leave_to_nobody(stream: Any) -> None:
    """Discard what the stream still buffers: Python would fail once more at exit."""
    try:
        nobody = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nobody, stream.fileno())
        os.close(nobody)
    except (OSError, ValueError, AttributeError):  # a stream without a number, as in a test
        pass


def say(text: str) -> None:
    """Print on standard error; a terminal gets lines that end between words."""
    print(filled(text, shutil.get_terminal_size().columns) if sys.stderr.isatty() else text, file=sys.stderr)
