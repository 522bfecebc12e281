"""What was compiled of helpers and methods in this process, so that several functions share it.

Numba keeps it for as long as the process lives, with the constants of the moment inside: once one of them has changed,
all of it is dropped. Code with bounds checks has a world of its own, in which everything is compiled with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

Fingerprint = Callable[..., str | None]

# Of a helper's template, what numba fills when the helper is compiled.
FILLED = ("_impl_cache", "_compiled_overloads")


class ByTypes(dict[Any, Any]):
    """What was compiled of a helper, by the types of its arguments.

    Numba's keys end with the options of the function that calls. Helpers have all theirs said: one that is called from
    two kinds of functions would be compiled twice, into the same code.
    """

    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(key[:-1])

    def __setitem__(self, key: Any, found: Any) -> None:
        super().__setitem__(key[:-1], found)


class Helper(NamedTuple):
    """A function that compiled code may call."""

    function: Callable[..., Any]
    template: Any  # numba's
    options: dict[str, Any]  # with which it is compiled, in a world without any of its own


_helpers: list[Helper] = []


class World:
    """Compiled helpers and methods that may call each other."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options
        self.methods: dict[tuple[Any, ...], Any] = {}
        self.token = (tuple(options), 0)  # names the world, and how often it began anew, to numba
        self._filled: dict[Any, dict[str, Any]] = {}
        self._noted: str | None = None
        self._dropped: list[Any] = []  # functions compiled earlier may still run it

    def enter(self) -> None:
        """Let numba find this world's helpers."""
        for helper in _helpers:
            self.take_in(helper)

    def take_in(self, helper: Helper) -> None:
        """Let numba find what this world has compiled of a helper."""
        if helper.template not in self._filled:
            self._filled[helper.template] = dict(zip(FILLED, (ByTypes(), {}), strict=True))
        for name, filled in self._filled[helper.template].items():
            setattr(helper.template, name, filled)
        helper.template._jit_options = {**helper.options, **self.options}

    def before(self, fingerprint: Fingerprint) -> None:
        """Forget what was compiled if anything it reached has changed since, or might have."""
        reached = self._reached()
        if reached and (self._noted is None or self._noted != fingerprint(*reached)):
            self._dropped.append((self.methods, self._filled))
            self.methods, self._filled = {}, {}
            self.token = (self.token[0], self.token[1] + 1)
            self.enter()
        self._noted = None  # until what is compiled now is known to be complete

    def after(self, fingerprint: Fingerprint) -> None:
        """Note what was reached by all that is compiled."""
        self._noted = fingerprint(*self._reached())

    def _reached(self) -> list[Any]:
        helpers = [helper.function for helper in _helpers if helper.template._impl_cache]
        return [*helpers, *(method for method, *_ in self.methods)]


_plain, _checked = World({}), World({"boundscheck": True})
_now = _plain


def now() -> World:
    """The world of what is being compiled."""
    return _now


def add_helper(function: Callable[..., Any], template: Any) -> None:
    """Take in a function that compiled code may call."""
    _helpers.append(Helper(function, template, template._jit_options))
    _now.take_in(_helpers[-1])


@contextmanager
def with_checks() -> Iterator[None]:
    """In the block everything is compiled with bounds checks; nobody else may compile meanwhile."""
    global _now
    try:
        _now = _checked
        _checked.enter()
        yield
    finally:
        _now = _plain
        _plain.enter()
