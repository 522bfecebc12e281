"""Validation of user input, before anything else happens.

Each check returns the value in one form (an `int`, a `float`, a `str`, a `list`) or raises an error, whatever it got.
"""

from __future__ import annotations

import itertools
import math
import numbers
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

import numpy as np

from riskbandits.core.errors import ParameterError, must_be

# Steps and pulls are counted in doubles too: beyond this, adding 1 changes nothing.
LARGEST = 2**53
LONGEST_PATH = 4096
MOST_MEMBERS = 10**6  # of something that can only be gone through


def as_number(value: object) -> float | None:
    """A real number as a float (minus zero as zero), or None for anything else."""
    # numpy counts a span of time among the whole numbers.
    if isinstance(value, (bool, np.bool_, np.timedelta64)) or not isinstance(value, numbers.Real):
        return None
    try:
        return float(value) + 0.0
    except Exception:  # too large for a double, or a number of one's own that cannot be turned into one
        return None


def is_whole(value: object) -> bool:
    """Whether a thing is a whole number: of a type of whole numbers, not a 3.0, and no True or False."""
    return isinstance(value, numbers.Integral) and not isinstance(value, (bool, np.bool_, np.timedelta64))


def as_count(value: Any) -> Any:
    """A float that is a whole number, such as 1e3, as the int that was meant; anything else as it is.

    >>> as_count(1e3), as_count(2.5)
    (1000, 2.5)
    """
    is_float = isinstance(value, (float, np.floating))
    return int(value) if is_float and abs(value) <= LARGEST and float(value).is_integer() else value


def whole(thing: str, value: Any, least: int = 1, most: int = LARGEST) -> int:
    """Return a count as an int, or raise. People write 1e6 for a million."""
    value = as_count(value)
    if not is_whole(value) or value < least:
        raise must_be(thing, f"a whole number >= {least}", value)
    if value > most:
        raise must_be(thing, f"a whole number <= {most}", value)
    return int(value)


def number(thing: str, value: object, what: str, holds: Callable[[float], bool] = math.isfinite) -> float:
    """Return a real number for which `holds` is true as a float, or raise."""
    found = as_number(value)
    if found is None or not holds(found):
        raise must_be(thing, what, value)
    return found


def array(thing: str, what: str, value: object, axes: tuple[int, ...] = (0, 1)) -> np.ndarray:
    """Return a number, or an array of numbers with so many axes, as a new array of floats, or raise."""
    try:
        with np.errstate(all="ignore"):
            found = np.array(_numbers_only(value), dtype=np.float64, order="C") + 0.0
    except Exception:  # whatever it is that cannot be made an array of numbers
        raise must_be(thing, what, value) from None
    if found.ndim not in axes or found.size == 0:
        raise must_be(thing, what, value)
    return np.asarray(found)


def _numbers_only(value: object) -> Any:
    """What may become an array; numpy alone would read texts, spans of time, True and what is masked as numbers."""
    rows = value if isinstance(value, (list, tuple)) else (value,)
    if any(isinstance(one, np.ma.MaskedArray) for one in rows):
        raise TypeError
    found = np.asarray(value, dtype=object if isinstance(value, (list, tuple)) else None)
    if found.dtype.kind == "O" and all(as_number(one) is not None or isinstance(one, Decimal) for one in found.flat):
        return found
    if found.dtype.kind not in "iuf":
        raise TypeError
    return found


def flag(thing: str, value: object) -> bool:
    """Return True or False, or raise: a text such as "no" would count as true."""
    if not isinstance(value, (bool, np.bool_)):
        raise must_be(thing, "True or False", value)
    return bool(value)


def text(thing: str, value: object) -> str:
    """Return a text that is not empty and can be written down, or raise."""
    if not isinstance(value, str) or not value:
        raise must_be(thing, "a non-empty string", value)
    if any(sign == "\0" or "\ud800" <= sign <= "\udfff" for sign in value):
        raise must_be(thing, "a text that files can hold", value)
    return str(value)


def listed(thing: str, what: str, value: object, ordered: bool = False) -> list[Any]:
    """Return the members of a list or of anything that can be gone through, or raise; a text or a mapping is no list.

    With `ordered` a set is none either: its members, unlike the keys of a dictionary, come in an order that nobody
    chose.
    """
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        raise must_be(thing, what, value)
    if ordered and isinstance(value, (set, frozenset)):
        raise must_be(thing, what, value)
    try:
        # One that never ends would take all memory; nobody lists as many things as that one by one.
        found = list(itertools.islice(value, MOST_MEMBERS + 1)) if isinstance(value, Iterator) else list(value)
    except Exception:
        raise must_be(thing, what, value) from None
    if isinstance(value, Iterator) and len(found) > MOST_MEMBERS:
        raise must_be(thing, f"{what} that ends", value)
    return found


def path(thing: str, value: object) -> str:
    """Return the path of a file or folder as text, or raise. A number is none: it would be a file that is open."""
    if not isinstance(value, (str, os.PathLike)):
        raise must_be(thing, "a path (a text or a pathlib.Path)", value)
    try:
        found = os.fspath(value)
        if not isinstance(found, str) or not found or "\0" in found:
            raise must_be(thing, "a path (a text or a pathlib.Path)", value)
        if len(os.fsencode(found)) > LONGEST_PATH or any(len(os.fsencode(part)) > 255 for part in found.split(os.sep)):
            raise must_be(thing, f"a path of at most {LONGEST_PATH} bytes, 255 per part", value)
    except ParameterError:
        raise
    except Exception:
        raise must_be(thing, "a path (a text or a pathlib.Path)", value) from None
    return found
