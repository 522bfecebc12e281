"""Sentences about compiling: what failed and whose fault it is, and a numba that is not used as it should be."""

from __future__ import annotations

import dis
import re
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

import numba
from numba.core.errors import NumbaError

from riskbandits.core import notices
from riskbandits.core.errors import CompilerError, ContractError, RiskBanditsError
from riskbandits.core.user_calls import is_theirs

NEWEST_TRIED = (0, 68)  # numba's version

# What numba says of a function that allocates although it must not.
ALLOCATION_PHRASES = ("NRT required but not enabled", "Only accept returning of array passed")


# What makes a list, a dict or a set, and the functions that comprehensions are.
ALLOCATING = ("BUILD_LIST", "BUILD_MAP", "BUILD_SET", "LIST_APPEND", "MAP_ADD", "SET_ADD", "BUILD_CONST_KEY_MAP")
COMPREHENSIONS = ("<listcomp>", "<dictcomp>", "<setcomp>")
PLACE = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)')


@contextmanager
def explaining(what: str, hint: str = "", classes: Iterable[type] = ()) -> Iterator[None]:
    """Turn numba's pages about a failed compilation into a sentence about `what` was compiled, and a hint.

    `classes` are those of the records in it, for a place where numba names none of theirs.
    """
    try:
        yield
    except RiskBanditsError:
        raise
    except Exception as error:  # numba raises many kinds, not all of them its own
        if _is_numbas_fault(error):
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            raise CompilerError(
                f"numba {numba.__version__} failed while compiling {what}, by a fault of its own or of its version: "
                f"{reason}.{hint}"
            ) from error
        raise ContractError(f"{what} could not be compiled: {_reason(error, classes)}.{hint}") from error


def _is_numbas_fault(error: Exception) -> bool:
    """Whether something else than a finding of numba's about the code was raised, and inside of what is installed."""
    if isinstance(error, NumbaError) or any(phrase in str(error) for phrase in ALLOCATION_PHRASES):
        return False
    frames = traceback.extract_tb(error.__traceback__)
    return bool(frames) and not is_theirs(frames[-1].filename)


def say_unlinked() -> None:
    """Say once that helpers are compiled in numba's own way."""
    notices.say_once(
        f"With numba {numba.__version__} helpers cannot be linked as riskbandits does it elsewhere: compiling takes "
        "about twice as long, lazy runs are slower, and all numbers are the same.",
        about="linking",
    )


def say_if_untried() -> None:
    """Say once that numba is newer than what this version was tried with."""
    numbers = tuple(int(part) for part in numba.__version__.split(".")[:2] if part.isdigit())
    if numbers > NEWEST_TRIED:
        newest = ".".join(map(str, NEWEST_TRIED))
        notices.say_once(f"numba {numba.__version__} is newer than what riskbandits was tried with (up to {newest}).")


def _reason(error: Exception, classes: Iterable[type]) -> str:
    """What numba's pages come down to: the most telling line, and the last place of the user's that is named."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    starts = ("Unknown", "No implementation", "Cannot", "Use of", "Invalid use", "Untyped")
    telling = [line for line in lines if "Error" in line or line.startswith(starts)] or lines
    if any(phrase in line for line in lines for phrase in ALLOCATION_PHRASES):
        telling = ["it creates an array, a list or similar, which compiled methods must not do"]
    places = [(found["file"], int(found["line"])) for line in lines for found in [PLACE.match(line)] if found]
    theirs = [place for place in places if is_theirs(place[0])] or list(_allocations(classes))[:1] or places
    words = telling[-1].rstrip(":.")
    return f"{words} ({theirs[-1][0]}, line {theirs[-1][1]})" if theirs and "Raised from" not in words else words


def _allocations(classes: Iterable[type]) -> Iterator[tuple[str, int]]:
    """Lines of the users' methods that make a list or the like; failing that, where their methods begin."""
    codes: list[CodeType] = []
    for cls in classes:
        # Not Python's own, such as what evaluates annotations since 3.14.
        found: Any = (getattr(one, "__code__", None) for name, one in vars(cls).items() if not name.startswith("__"))
        codes += [code for code in found if code is not None and is_theirs(code.co_filename)]
    for code in codes:
        line = code.co_firstlineno
        for step in dis.get_instructions(code):
            line = (step.positions.lineno if step.positions else None) or line
            inner = isinstance(step.argval, CodeType) and step.argval.co_name in COMPREHENSIONS
            if inner or step.opname in ALLOCATING:
                yield code.co_filename, line
    yield from ((code.co_filename, code.co_firstlineno) for code in codes)
