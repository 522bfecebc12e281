"""What was compiled of helpers and methods in this process, so that several functions share it.

Numba keeps it for as long as the process lives, with the constants of the moment inside: once one of them has changed,
all of it is dropped. Code with bounds checks has a world of its own, in which everything is compiled with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Fingerprint = Callable[..., str | None]

# Of a helper's template, what numba fills when the helper is compiled.
FILLED = ("_impl_cache", "_compiled_overloads")

_helpers: list[tuple[Callable[..., Any], Any]] = []  # the functions that compiled code may call, with their templates


class World:
    """Compiled helpers and methods that may call each other."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options
        self.methods: dict[tuple[Any, ...], Any] = {}
        self._filled: dict[Any, dict[str, Any]] = {}
        self._plain_options: dict[Any, Any] = {}
        self._noted: str | None = None
        self.token = (tuple(options), 0)  # names the world, and how often it began anew, to numba
        self._dropped: list[Any] = []  # functions compiled earlier may still run it

    def enter(self) -> None:
        """Let numba find this world's helpers."""
        for _, template in _helpers:
            for name, filled in self._filled.get(template, {name: {} for name in FILLED}).items():
                setattr(template, name, filled)
            self._plain_options[template] = template._jit_options
            template._jit_options = {**template._jit_options, **self.options}

    def leave(self) -> None:
        """Put this world's helpers aside."""
        for _, template in _helpers:
            if template in self._plain_options:
                self._filled[template] = {name: getattr(template, name) for name in FILLED}
                template._jit_options = self._plain_options[template]

    def before(self, fingerprint: Fingerprint) -> None:
        """Forget what was compiled if anything it reached has changed since, or might have."""
        reached = self._reached()
        if reached and (self._noted is None or self._noted != fingerprint(*reached)):
            self._dropped.append((self.methods, [getattr(t, name) for _, t in _helpers for name in FILLED]))
            self.methods = {}
            self.token = (self.token[0], self.token[1] + 1)
            for _, template in _helpers:
                for name in FILLED:
                    setattr(template, name, {})
        self._noted = None  # until what is compiled now is known to be complete

    def after(self, fingerprint: Fingerprint) -> None:
        """Note what was reached by all that is compiled."""
        self._noted = fingerprint(*self._reached())

    def _reached(self) -> list[Any]:
        helpers = [function for function, template in _helpers if template._impl_cache]
        return [*helpers, *(method for method, *_ in self.methods)]


_plain, _checked = World({}), World({"boundscheck": True})
_now = _plain


def now() -> World:
    """The world of what is being compiled."""
    return _now


def add_helper(function: Callable[..., Any], template: Any) -> None:
    """Take in a function that compiled code may call."""
    _helpers.append((function, template))


@contextmanager
def with_checks() -> Iterator[None]:
    """In the block everything is compiled with bounds checks; nobody else may compile meanwhile."""
    global _now
    if _now is _checked:
        yield
        return
    _plain.leave()
    _checked.enter()
    _now = _checked
    try:
        yield
    finally:
        _checked.leave()
        _plain.enter()
        _now = _plain
