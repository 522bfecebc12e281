"""Calls of methods that people write: what goes wrong in them becomes a sentence with their file and line.

Whoever calls a method of a record that may not be the package's own calls it from here.
"""

from __future__ import annotations

import math
import os
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from riskbandits.core.checks import as_number
from riskbandits.core.errors import ContractError, RiskBanditsError, shown

LONGEST_REASON = 300


def guarded(what: str, call: Callable[..., Any], *args: Any) -> Any:
    """What a call gives; an error in it is a ContractError that says where. `what` names it, such as "Arms.mean"."""
    with explained(what, call):
        return call(*args)


def guarded_method(record: tuple[Any, ...], method: str, call: Callable[..., Any], *args: Any) -> Any:
    """As `guarded`, for a method of a record, which `call` may reach in other ways than directly."""
    with explained(name_of(record, method), getattr(type(record), method, call)):
        return call(*args)


@contextmanager
def explained(what: str, definition: Any = None) -> Iterator[None]:
    """As `guarded`, for a block; `definition` is the function of theirs that it calls, if that is known."""
    try:
        yield
    except RiskBanditsError:
        raise
    except Exception as error:
        raise failure(what, error, definition) from error


def failure(what: str, error: Exception, definition: Any = None) -> ContractError:
    """The sentence for an error that a person's own code, or a call of it, has raised."""
    try:
        reason = " ".join(str(error).split())[:LONGEST_REASON]
    except Exception:  # an error of one's own may not even be shown
        reason = ""
    words = f"{type(error).__name__}: {reason}".rstrip(": ").rstrip(".")
    return ContractError(f"{what} failed: {words}{_place(error, definition)}.")


def _place(error: Exception, definition: Any) -> str:
    """Where it happened: the last line outside of this package and of what is installed, if there is one.

    A call with the wrong number of arguments never gets there: then where the function is defined.
    """
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [one for one in frames if is_theirs(one.filename)]
    code = getattr(getattr(definition, "__func__", definition), "__code__", None)
    if theirs:
        return f" ({theirs[-1].filename}, line {theirs[-1].lineno})"
    if code is not None and is_theirs(code.co_filename):
        return f" ({code.co_filename}, line {code.co_firstlineno})"
    return f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""


def is_theirs(file: str) -> bool:
    """Whether a file is neither part of this package nor installed.

    Where the package lies is not a global of this module: policies reach this code, and their stored results must be
    found again from another folder.
    """
    package = os.path.dirname(os.path.dirname(os.path.abspath(is_theirs.__code__.co_filename))) + os.sep
    return not os.path.abspath(file).startswith(package) and "site-packages" not in file


def name_of(record: tuple[Any, ...], method: str) -> str:
    """The name of a record's method in a message."""
    return f"{type(record).__name__}.{method}"


def answer(record: tuple[Any, ...], method: str, default: Any, *args: Any) -> Any:
    """What an optional method gives, or the default for a record without it."""
    found = getattr(record, method, None)
    return default if found is None else guarded(name_of(record, method), found, *args)


def truth(record: tuple[Any, ...], method: str, *args: Any, default: bool = False) -> bool:
    """What an optional method gives that must say yes or no."""
    given = answer(record, method, default, *args)
    if not isinstance(given, (bool, np.bool_)):
        raise ContractError(f"{name_of(record, method)} must return True or False. Got {shown(given)} instead.")
    return bool(given)


def sentence(record: tuple[Any, ...], method: str, *args: Any) -> str | None:
    """What an optional method gives that must say in words what is wrong, or None if nothing is."""
    given = answer(record, method, None, *args)
    if given is not None and not isinstance(given, str):
        raise ContractError(f"{name_of(record, method)} must return a sentence or None. Got {shown(given)} instead.")
    return given or None


def real(what: str, given: Any, finite: bool = True, least: float = -math.inf, nan: bool = False) -> float:
    """A number that a method gave (0 or 1 for False or True), or a ContractError. `nan` lets NaN pass."""
    number = float(given) if isinstance(given, (bool, np.bool_)) else as_number(given)
    if number is not None and math.isnan(number) and nan:
        return number
    good = number is not None and number >= least and (math.isfinite(number) or not finite)
    if number is None or not good:
        wanted = "a finite number" if finite else "a number"
        wanted += f" >= {least:g}" if math.isfinite(least) else ""
        raise ContractError(f"{what} must return {wanted}. Got {shown(given)} instead.")
    return number
