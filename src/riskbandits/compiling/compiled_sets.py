"""Sets of compiled helpers and methods, shared by the functions that Python calls, and when they are dropped.

Numba keeps what it has compiled for as long as the process lives, with the constants of the moment inside: once one of
them has changed, all of it is dropped. Code with bounds checks is a set of its own, in which everything has them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

Fingerprint = Callable[..., str | None]

# Of a helper's template, what numba fills when the helper is compiled.
FILLED = ("_impl_cache", "_compiled_overloads")


class Helper(NamedTuple):
    """A function that compiled code may call."""

    function: Callable[..., Any]
    template: Any  # numba's
    options: dict[str, Any]  # with which it is compiled; a set may add some


_helpers: list[Helper] = []


class CompiledSet:
    """Compiled helpers and methods that may call each other."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options
        self.methods: dict[tuple[Any, ...], Any] = {}
        self.token = (tuple(options), 0)  # names the set, and how often it was dropped, to numba
        self._filled: dict[Any, dict[str, Any]] = {}
        self._recorded: str | None = None
        self._dropped: list[Any] = []  # functions compiled earlier may still run it

    def activate(self) -> None:
        """Let numba find the helpers of this set."""
        for helper in _helpers:
            self.add(helper)

    def add(self, helper: Helper) -> None:
        """Let numba find what this set has of a helper."""
        if helper.template not in self._filled:
            self._filled[helper.template] = {name: {} for name in FILLED}
        for name, filled in self._filled[helper.template].items():
            setattr(helper.template, name, filled)
        helper.template._jit_options = {**helper.options, **self.options}

    def drop(self) -> None:
        """Forget what was compiled."""
        self._dropped.append((self.methods, self._filled))
        self.methods, self._filled = {}, {}
        self.token = (self.token[0], self.token[1] + 1)
        self.activate()

    def invalidate_if_changed(self, fingerprint: Fingerprint) -> None:
        """Forget what was compiled if anything it reached has changed since, or might have."""
        reached = self._reached()
        if reached and (self._recorded is None or self._recorded != fingerprint(*reached)):
            self.drop()
        self._recorded = None  # until what is compiled now is known to be complete

    def record(self, fingerprint: Fingerprint) -> None:
        """Note what was reached by all that is compiled."""
        self._recorded = fingerprint(*self._reached())

    def _reached(self) -> list[Any]:
        helpers = [helper.function for helper in _helpers if helper.template._impl_cache]
        return [*helpers, *(method for method, *_ in self.methods)]


_plain, _checked = CompiledSet({}), CompiledSet({"boundscheck": True})
_current = _plain


def current() -> CompiledSet:
    """The set to which what is compiled now belongs."""
    return _current


def add_helper(function: Callable[..., Any], template: Any) -> None:
    """Add a function that compiled code may call, with numba's template of it."""
    _helpers.append(Helper(function, template, template._jit_options))
    _current.add(_helpers[-1])


@contextmanager
def with_bounds_checks() -> Iterator[None]:
    """In the block everything is compiled with bounds checks; nobody else may compile meanwhile."""
    global _current
    try:
        _current = _checked
        _checked.activate()
        yield
    finally:
        _current = _plain
        _plain.activate()
