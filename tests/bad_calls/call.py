"""What a bad call is, and how the calls of a function are made from its right one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

NOTHING = object()  # there is no right call: an answer is silently wrong, whatever it is


class Call(NamedTuple):
    """One call. `right` gives the answer that the call would have to give if it were let through."""

    name: str
    wrong: Callable[[], Any]
    right: Callable[[], Any] | None = None
    compiled: bool = False  # with compiled code, as people run it; otherwise the same lines in plain Python
    seconds: float = 30.0  # longer is a hang, on a busy machine too


class Value(NamedTuple):
    """A value for an argument: made anew in every child, since a generator can be used once."""

    name: str
    make: Callable[[], Any]
    plain: Any = NOTHING  # what it stands for, where it may be accepted


class Function(NamedTuple):
    """A callable of the package, its arguments in a right call, and the values that some are replaced by."""

    name: str
    call: Callable[..., Any]
    right: dict[str, Any]
    slots: dict[str, Iterable[Value]]
    compiled: bool = False


def calls_of(function: Function) -> Iterator[Call]:
    """A call per slot and value: all other arguments are those of the right call."""
    for slot, values in function.slots.items():
        for value in values:
            yield Call(
                f"{function.name}({slot}={value.name})",
                lambda value=value, slot=slot: function.call(**{**function.right, slot: value.make()}),
                None
                if value.plain is NOTHING
                else lambda value=value, slot=slot: function.call(**{**function.right, slot: value.plain}),
                function.compiled,
            )
