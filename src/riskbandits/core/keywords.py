"""Keywords of public functions and records: a misspelt one is refused with the name that was meant."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any, ParamSpec, TypeVar

from riskbandits.core.display import listed
from riskbandits.core.errors import KeywordError, shown, unknown_parameter

P = ParamSpec("P")
R = TypeVar("R")

ORDERED = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def known_keywords(function: Callable[P, R], options: Iterable[str] = ()) -> Callable[P, R]:
    """The function, which answers a keyword that it does not have with the one that was meant.

    `options` are the keywords that it passes on. What it takes by name alone is named where it is given without.

    >>> known_keywords(lambda *, runs=1: runs)(runs=3)
    3
    """
    parameters = inspect.signature(function).parameters
    ordered = [name for name, one in parameters.items() if one.kind in ORDERED]
    by_name = [name for name, one in parameters.items() if one.kind is inspect.Parameter.KEYWORD_ONLY]
    nameless = [name for name, one in parameters.items() if one.kind is inspect.Parameter.POSITIONAL_ONLY]
    known = dict.fromkeys(name for name in (*ordered, *by_name, *options) if name not in nameless)

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        if not kwargs.keys() <= known.keys():
            _refuse(_name_of(function), kwargs, known)
        if len(args) > len(ordered) and by_name:
            first = f"{by_name[0]}={shown(args[len(ordered)])}"
            named = listed([one for one in ordered if one != "self"])
            raise KeywordError(f"{_name_of(function)} takes everything but {named} by name, such as {first}.")
        return function(*args, **kwargs)

    return call


def check_record_keywords(classes: Iterable[Any]) -> None:
    """Let record classes do the same when a record is made."""
    for cls in classes:
        if "__new__" in vars(cls) and issubclass(cls, tuple):
            cls.__new__ = _making(cls)


def _making(cls: Any) -> Any:
    make = cls.__new__
    fields = list(inspect.signature(make).parameters)[1:]
    known = frozenset(fields)

    @functools.wraps(make)
    def make_checked(new: Any, /, *args: Any, **kwargs: Any) -> Any:
        if not kwargs.keys() <= known:
            _refuse(cls.__name__, kwargs, fields)
        return make(new, *args, **kwargs)

    return make_checked


def _refuse(name: str, given: Iterable[str], known: Iterable[str]) -> None:
    names = [one for one in known if one != "self"]
    raise unknown_parameter(name, next(one for one in given if one not in names), names)


def _name_of(function: Callable[..., Any]) -> str:
    """What people call: a function, or the class that is being made."""
    return function.__qualname__.removesuffix(".__init__").rsplit(".", 1)[-1]
