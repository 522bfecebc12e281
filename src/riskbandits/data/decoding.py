"""From the bytes of a file to its text: compression, encoding, and what is no text at all."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Callable
from typing import IO, Any

from riskbandits.core import files
from riskbandits.data.options import option

ZIP = b"PK\x03\x04"
WORKBOOK = b"\xd0\xcf\x11\xe0"  # what .xls begins with
PACKED: dict[bytes, Callable[[IO[bytes]], Any]] = {
    b"\x1f\x8b": lambda data: gzip.GzipFile(fileobj=data),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\x00": lzma.LZMAFile,
}
LARGEST = 2**29  # bytes, unpacked: a small file may unpack to more than any memory
END_OF_FILE = "\x1a"  # of DOS, which some programs still write
INVISIBLE = ("\u200b", "\ufeff", "\u2060")


def decode(data: bytes, encoding: str | None = None) -> tuple[str, list[str]]:
    """The text in a file's bytes, and a sentence about each thing that was decided."""
    data, notes = _unpacked(data)
    text, more = _text(data, encoding)
    if "\0" in text:
        raise ValueError(
            f"it is not text: it contains null characters; if it is, {option('encoding')} says of what kind"
        )
    for character in INVISIBLE:
        text = text.replace(character, "")
    return text.rstrip(END_OF_FILE), notes + more


def _unpacked(data: bytes) -> tuple[bytes, list[str]]:
    """The bytes themselves, or those that are compressed in them."""
    if data.startswith(WORKBOOK):
        raise ValueError("it is an Excel workbook: save it as CSV")
    try:
        if data.startswith(ZIP):
            return _from_zip(data)
        for beginning, opened in PACKED.items():
            if data.startswith(beginning):
                with opened(io.BytesIO(data)) as packed:
                    return _all_of(packed), []
    except (
        OSError,
        EOFError,
        zlib.error,
        lzma.LZMAError,
        zipfile.BadZipFile,
        RuntimeError,  # an unknown way of packing, or a password
    ) as error:
        raise ValueError(f"it is compressed and cannot be unpacked: {str(error).rstrip('.')}") from None
    return data, []


def _from_zip(data: bytes) -> tuple[bytes, list[str]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = [one for one in archive.namelist() if not one.endswith("/") and not one.startswith("__MACOSX/")]
        if "[Content_Types].xml" in names or "mimetype" in names:
            raise ValueError("it is an Excel workbook: save it as CSV")
        if len(names) != 1:
            raise ValueError(f"it is a ZIP archive of {len(names)} files, and must be one of a single file")
        with archive.open(names[0]) as packed:
            return _all_of(packed), [f"Read {names[0]!r} from the ZIP archive."]


def _all_of(packed: IO[bytes]) -> bytes:
    found = packed.read(LARGEST + 1)
    if len(found) > LARGEST:
        raise ValueError(f"it unpacks to more than {LARGEST // 2**20} MiB: unpack it, if it is meant to be that large")
    return found


def _text(data: bytes, encoding: str | None) -> tuple[str, list[str]]:
    if encoding is not None:
        try:
            return data.decode(encoding), []
        except (UnicodeError, LookupError):
            raise ValueError(f"it is not text in {encoding}: {option('encoding')} names another encoding") from None
    without_mark = _utf16_without_mark(data)
    if without_mark:
        return data.decode(without_mark), ["The file has no byte order mark: it was decoded as UTF-16."]
    try:
        return data.decode(files.encoding_of(data)), []
    except UnicodeDecodeError:  # what Excel calls CSV without UTF-8
        try:
            return data.decode("cp1252"), ["The file is not UTF-8: it was decoded as Windows-1252."]
        except UnicodeDecodeError:
            raise ValueError(f"it is not UTF-8 text: {option('encoding')} names its encoding") from None


def _utf16_without_mark(data: bytes) -> str | None:
    """UTF-16, if every other byte is zero and no other one is, as in Western text."""
    if len(data) < 4 or len(data) % 2 or b"\0" not in data[:4]:
        return None
    low, high = data[::2], data[1::2]
    if not any(high) and 0 not in low:
        return "utf-16-le"
    return "utf-16-be" if not any(low) and 0 not in high else None
