"""Names from version 0.1, kept for one release: each works, with a warning that gives the new name."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def say(old: str, new: str, level: int = 3) -> None:
    """Warn that an old name was used."""
    warnings.warn(f"{old} is called {new} now; the old name will be removed in version 0.3.", FutureWarning, level)


def keywords(first: int, renamed: Mapping[str, str] | None = None) -> Callable[[Function], Function]:
    """For a function with keyword-only arguments: the positions and names of version 0.1 still work."""

    def decorate(function: Function) -> Function:
        parameters = list(inspect.signature(function).parameters)

        @functools.wraps(function)
        def call(*given: Any, **named: Any) -> Any:
            for old, new in (renamed or {}).items():
                if old in named and new not in named:
                    say(f"{function.__name__}({old}=...)", f"{function.__name__}({new}=...)")
                    named[new] = named.pop(old)
            if first < len(given) <= len(parameters):
                late = parameters[first : len(given)]
                say(
                    f"{function.__name__} with {', '.join(late)} by position", ", ".join(f"{name}=..." for name in late)
                )
                for name, value in zip(late, given[first:], strict=True):
                    if name in named:
                        raise TypeError(f"{function.__name__}() got multiple values for argument {name!r}")
                    named[name] = value
                given = given[:first]
            return function(*given, **named)

        return call  # type: ignore[return-value]

    return decorate
